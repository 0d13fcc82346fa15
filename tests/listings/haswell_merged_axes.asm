; haswell f32:abdc:31x1x15x2 bf8_xy16
; 2276 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x100]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10], rdi
    mov [r10+8], rsi
    mov [r10+0x10], rdx
    mov [r10+0x18], rcx
; nest 1: move 31(s120,d1024) 8(s0,d64)[0..1] 15(s4,d0,f0:2) 2(s60,d0,f0:1), cut at step 1 by 1
    xor eax, eax
    mov [r10+0x20], rax
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x1F
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x1F
    call L30
    cmp rax, rdx
    jge L10
L1:
    mov [r10+0x28], rax
    mov [r10+0x30], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 1
    mov [r10+0x38], rdi
    mov [r10+0x40], rsi
    cmp qword [r10+0x28], 0
    je L2
    mov rcx, [r10+0x28]
    imul rcx, 0x78
    add rdi, rcx
    mov rcx, [r10+0x28]
    imul rcx, 0x400
    add rsi, rcx
L2:
    mov rcx, [r10+0x30]
    mov rdx, [r10+0x28]
    sub rcx, rdx
    jle L9
    mov [r10+0x48], rcx
; loop 2 by 1
; loop 3 by 8
L3:
    mov [r10+0x58], rdi
    mov [r10+0x60], rsi
    mov rax, [r10+0x20]
    mov [r10+0x50], rax
    call L31
    sub rsi, rax
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    xor eax, eax
    mov [r10+0x78], rax
    mov eax, 1
    mov [r10+0x80], rax
L4:
    mov rdi, [r10+0x68]
    mov rcx, [r10+0x78]
    imul rcx, 0x20
    add rdi, rcx
    mov rsi, [r10+0x70]
    mov rcx, [r10+0x78]
    imul rcx, 0x10
    mov rax, [r10+0x50]
    add rax, rcx
    mov [r10+0x20], rax
    call L31
    add rsi, rax
    mov ecx, 1
    call L17
    mov rax, [r10+0x78]
    add rax, 1
    mov [r10+0x78], rax
    cmp rax, [r10+0x80]
    jl L4
    mov eax, 1
    mov [r10+0x78], rax
    mov eax, 2
    mov [r10+0x80], rax
L5:
    mov rdi, [r10+0x68]
    mov rcx, [r10+0x78]
    imul rcx, 0x20
    add rdi, rcx
    mov rsi, [r10+0x70]
    mov rcx, [r10+0x78]
    imul rcx, 0x10
    mov rax, [r10+0x50]
    add rax, rcx
    mov [r10+0x20], rax
    call L31
    add rsi, rax
    mov ecx, 1
    call L19
    mov rax, [r10+0x78]
    add rax, 1
    mov [r10+0x78], rax
    cmp rax, [r10+0x80]
    jl L5
    mov rax, [r10+0x50]
    mov [r10+0x20], rax
    mov rdi, [r10+0x58]
    mov rsi, [r10+0x60]
    add rsi, 0x40
    mov eax, 7
    mov [r10+0x50], rax
; loop 3 by 8
L6:
    mov [r10+0x60], rdi
    mov [r10+0x68], rsi
    mov rax, [r10+0x20]
    mov [r10+0x58], rax
    call L31
    sub rsi, rax
    mov [r10+0x70], rdi
    mov [r10+0x78], rsi
    xor eax, eax
    mov [r10+0x80], rax
    mov eax, 1
    mov [r10+0x88], rax
L7:
    mov rdi, [r10+0x70]
    mov rcx, [r10+0x80]
    imul rcx, 0x20
    add rdi, rcx
    mov rsi, [r10+0x78]
    mov rcx, [r10+0x80]
    imul rcx, 0x10
    mov rax, [r10+0x58]
    add rax, rcx
    mov [r10+0x20], rax
    call L31
    add rsi, rax
    mov ecx, 1
    call L21
    mov rax, [r10+0x80]
    add rax, 1
    mov [r10+0x80], rax
    cmp rax, [r10+0x88]
    jl L7
    mov eax, 1
    mov [r10+0x80], rax
    mov eax, 2
    mov [r10+0x88], rax
L8:
    mov rdi, [r10+0x70]
    mov rcx, [r10+0x80]
    imul rcx, 0x20
    add rdi, rcx
    mov rsi, [r10+0x78]
    mov rcx, [r10+0x80]
    imul rcx, 0x10
    mov rax, [r10+0x58]
    add rax, rcx
    mov [r10+0x20], rax
    call L31
    add rsi, rax
    mov ecx, 1
    call L23
    mov rax, [r10+0x80]
    add rax, 1
    mov [r10+0x80], rax
    cmp rax, [r10+0x88]
    jl L8
    mov rax, [r10+0x58]
    mov [r10+0x20], rax
    mov rdi, [r10+0x60]
    mov rsi, [r10+0x68]
    add rsi, 0x40
    dec qword [r10+0x50]
    jne L6
    add rdi, 0x78
    add rsi, 0x200
    dec qword [r10+0x48]
    jne L3
L9:
    mov rdi, [r10+0x38]
    mov rsi, [r10+0x40]
; nest 2: fill 0x0 31(s120,d1024) 8(s0,d64) 2(s0,d4), from s0,d568, cut at step 1 by 1
L10:
    cmp qword [r10+0x18], 1
    jne L11
    mov edx, 0x1F
    xor eax, eax
    jmp L12
L11:
    mov eax, 0x1F
    call L30
    cmp rax, rdx
    jge L16
L12:
    mov [r10+0x28], rax
    mov [r10+0x30], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rsi, 0x238
; loop 1 by 1
    mov [r10+0x38], rdi
    mov [r10+0x40], rsi
    cmp qword [r10+0x28], 0
    je L13
    mov rcx, [r10+0x28]
    imul rcx, 0x78
    add rdi, rcx
    mov rcx, [r10+0x28]
    imul rcx, 0x400
    add rsi, rcx
L13:
    mov rcx, [r10+0x30]
    mov rdx, [r10+0x28]
    sub rcx, rdx
    jle L15
    mov [r10+0x48], rcx
; loop 2 by 1
L14:
    mov ecx, 8
    call L25
    add rdi, 0x78
    add rsi, 0x200
    dec qword [r10+0x48]
    jne L14
L15:
    mov rdi, [r10+0x38]
    mov rsi, [r10+0x40]
; exit
L16:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 1 x 8 x 2
L17:
    vmovdqu ymm1, [r11]
L18:
    vmovdqu xmm0, [rdi]
    vinserti128 ymm0, ymm0, [rdi+0x3C], 1
    vpermd ymm0, ymm1, ymm0
    vmovdqu [rsi], ymm0
    prefetchw [rsi+0x80]
    vmovdqu xmm0, [rdi+0x10]
    vinserti128 ymm0, ymm0, [rdi+0x4C], 1
    vpermd ymm0, ymm1, ymm0
    vmovdqu [rsi+0x20], ymm0
    dec rcx
    jne L18
    ret
; tile 3 of nest 1: move 1 x 1 x 7 x 2
L19:
    vmovdqu ymm1, [r11]
    vmovdqu ymm2, [r11+0x20]
    vmovdqu ymm3, [r11+0x40]
L20:
    vmovdqu xmm0, [rdi]
    vinserti128 ymm0, ymm0, [rdi+0x3C], 1
    vpermd ymm0, ymm1, ymm0
    vmovdqu [rsi], ymm0
    prefetchw [rsi+0x80]
    vpmaskmovd ymm0, ymm2, [rdi+0x10]
    vpmaskmovd ymm15, ymm3, [rdi+0x3C]
    vpblendd ymm0, ymm0, ymm15, 0x70
    vpermd ymm0, ymm1, ymm0
    vmovdqu [rsi+0x20], xmm0
    vextracti128 xmm15, ymm0, 1
    vmovq [rsi+0x30], xmm15
    dec rcx
    jne L20
    ret
; tile 2 of nest 1: move 1 x 0 of 1 x 8 x 2
L21:
    vpbroadcastd ymm0, [r11+0x60]
L22:
    vmovdqu [rsi], ymm0
    prefetchw [rsi+0x80]
    vmovdqu [rsi+0x20], ymm0
    dec rcx
    jne L22
    ret
; tile 4 of nest 1: move 1 x 0 of 1 x 7 x 2
L23:
    vpbroadcastd ymm0, [r11+0x60]
L24:
    vmovdqu [rsi], ymm0
    prefetchw [rsi+0x80]
    vmovdqu [rsi+0x20], xmm0
    vextracti128 xmm15, ymm0, 1
    vmovq [rsi+0x30], xmm15
    dec rcx
    jne L24
    ret
; tile 1 of nest 2: fill 0x0 0 of 1 x 0 of 1 x 0 of 2
L25:
    vpbroadcastd xmm0, [r11+0x60]
    sub rcx, 0x10
    jl L27
L26:
    vmovq [rsi], xmm0
    prefetchw [rsi+0x80]
    vmovq [rsi+0x40], xmm0
    prefetchw [rsi+0xC0]
    vmovq [rsi+0x80], xmm0
    prefetchw [rsi+0x100]
    vmovq [rsi+0xC0], xmm0
    prefetchw [rsi+0x140]
    vmovq [rsi+0x100], xmm0
    prefetchw [rsi+0x180]
    vmovq [rsi+0x140], xmm0
    prefetchw [rsi+0x1C0]
    vmovq [rsi+0x180], xmm0
    prefetchw [rsi+0x200]
    vmovq [rsi+0x1C0], xmm0
    prefetchw [rsi+0x240]
    vmovq [rsi+0x200], xmm0
    prefetchw [rsi+0x280]
    vmovq [rsi+0x240], xmm0
    prefetchw [rsi+0x2C0]
    vmovq [rsi+0x280], xmm0
    prefetchw [rsi+0x300]
    vmovq [rsi+0x2C0], xmm0
    prefetchw [rsi+0x340]
    vmovq [rsi+0x300], xmm0
    prefetchw [rsi+0x380]
    vmovq [rsi+0x340], xmm0
    prefetchw [rsi+0x3C0]
    vmovq [rsi+0x380], xmm0
    prefetchw [rsi+0x400]
    vmovq [rsi+0x3C0], xmm0
    prefetchw [rsi+0x440]
    add rsi, 0x400
    sub rcx, 0x10
    jge L26
L27:
    add rcx, 0x10
    je L29
L28:
    vmovq [rsi], xmm0
    prefetchw [rsi+0x80]
    add rsi, 0x40
    dec rcx
    jne L28
L29:
    ret
; routines
L30:
    mov rcx, rax
    mul qword [r10+0x10]
    div qword [r10+0x18]
    mov r8, rax
    mov rax, [r10+0x10]
    inc rax
    mul rcx
    div qword [r10+0x18]
    mov rdx, rax
    mov rax, r8
    ret
L31:
    xor r8d, r8d
    mov rdx, rax
    and edx, 0xF
    sar rax, 4
    mov rcx, rdx
    mov rdx, rax
    imul rcx, 4
    mov rax, rdx
    add r8, rcx
    mov rcx, rax
    imul rcx, 0x200
    lea rax, [rcx+r8]
    ret
; constants
    db 00 00 00 00 04 00 00 00 01 00 00 00 05 00 00 00 02 00 00 00 06 00 00 00 03 00 00 00 07 00 00 00
    db ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00
    db 00 00 00 00

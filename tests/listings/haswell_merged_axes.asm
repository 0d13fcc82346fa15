; haswell f32:abdc:31x1x15x2 bf8_xy16
; 2596 bytes
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
; nest 1: move 31(s120,d1024) 15(s4,d0,f0:2) 2(s60,d0,f0:1), cut at step 1 by 1
    xor eax, eax
    mov [r10+0x20], rax
    mov eax, 0x1F
    call L31
    cmp rax, rdx
    jge L4
    mov [r10+0x28], rax
    mov [r10+0x30], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 1
    mov [r10+0x38], rdi
    mov [r10+0x40], rsi
    mov rcx, [r10+0x28]
    imul rcx, 0x78
    add rdi, rcx
    mov rcx, [r10+0x28]
    imul rcx, 0x400
    add rsi, rcx
    mov rcx, [r10+0x30]
    mov rdx, [r10+0x28]
    sub rcx, rdx
    jle L3
    mov [r10+0x48], rcx
; loop 2 by 8
L0:
    mov [r10+0x58], rdi
    mov [r10+0x60], rsi
    mov rax, [r10+0x20]
    mov [r10+0x50], rax
    call L33
    sub rsi, rax
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    xor eax, eax
    mov [r10+0x78], rax
    mov eax, 1
    mov [r10+0x80], rax
L1:
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
    call L33
    add rsi, rax
    mov ecx, 1
    call L16
    mov rax, [r10+0x78]
    add rax, 1
    mov [r10+0x78], rax
    cmp rax, [r10+0x80]
    jl L1
    mov eax, 1
    mov [r10+0x78], rax
    mov eax, 2
    mov [r10+0x80], rax
L2:
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
    call L33
    add rsi, rax
    mov ecx, 1
    call L18
    mov rax, [r10+0x78]
    add rax, 1
    mov [r10+0x78], rax
    cmp rax, [r10+0x80]
    jl L2
    mov rax, [r10+0x50]
    mov [r10+0x20], rax
    mov rdi, [r10+0x58]
    mov rsi, [r10+0x60]
    add rdi, 0x78
    add rsi, 0x400
    dec qword [r10+0x48]
    jne L0
L3:
    mov rdi, [r10+0x38]
    mov rsi, [r10+0x40]
; nest 2: fill 0x0 31(s120,d1024) 7(s0,d64) 15(s4,d0,f0:2) 2(s60,d0,f0:1), from s0,d64, cut at step 1 by 1
L4:
    xor eax, eax
    mov [r10+0x20], rax
    mov eax, 0x1F
    call L31
    cmp rax, rdx
    jge L10
    mov [r10+0x28], rax
    mov [r10+0x30], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rsi, 0x40
; loop 1 by 1
    mov [r10+0x38], rdi
    mov [r10+0x40], rsi
    mov rcx, [r10+0x28]
    imul rcx, 0x78
    add rdi, rcx
    mov rcx, [r10+0x28]
    imul rcx, 0x400
    add rsi, rcx
    mov rcx, [r10+0x30]
    mov rdx, [r10+0x28]
    sub rcx, rdx
    jle L9
    mov [r10+0x48], rcx
; loop 2 by 1
L5:
    mov eax, 7
    mov [r10+0x50], rax
; loop 3 by 8
L6:
    mov [r10+0x60], rdi
    mov [r10+0x68], rsi
    mov rax, [r10+0x20]
    mov [r10+0x58], rax
    call L33
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
    call L33
    add rsi, rax
    mov ecx, 1
    call L20
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
    call L33
    add rsi, rax
    mov ecx, 1
    call L22
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
    add rsi, 0x240
    dec qword [r10+0x48]
    jne L5
L9:
    mov rdi, [r10+0x38]
    mov rsi, [r10+0x40]
; nest 3: fill 0x0 31(s120,d1024) 7(s0,d64) 2(s0,d4), from s0,d632, cut at step 1 by 1
L10:
    mov eax, 0x1F
    call L31
    cmp rax, rdx
    jge L13
    mov [r10+0x28], rax
    mov [r10+0x30], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rsi, 0x278
; loop 1 by 1
    mov [r10+0x38], rdi
    mov [r10+0x40], rsi
    mov rcx, [r10+0x28]
    imul rcx, 0x78
    add rdi, rcx
    mov rcx, [r10+0x28]
    imul rcx, 0x400
    add rsi, rcx
    mov rcx, [r10+0x30]
    mov rdx, [r10+0x28]
    sub rcx, rdx
    jle L12
    mov [r10+0x48], rcx
; loop 2 by 1
L11:
    mov ecx, 7
    call L24
    add rdi, 0x78
    add rsi, 0x240
    dec qword [r10+0x48]
    jne L11
L12:
    mov rdi, [r10+0x38]
    mov rsi, [r10+0x40]
; nest 4: fill 0x0 31(s120,d1024) 2(s0,d4), from s0,d568, cut at step 1 by 1
L13:
    mov eax, 0x1F
    call L31
    cmp rax, rdx
    jge L15
    mov [r10+0x28], rax
    mov [r10+0x30], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rsi, 0x238
; loop 1 by 1
    mov [r10+0x38], rdi
    mov [r10+0x40], rsi
    mov rcx, [r10+0x28]
    imul rcx, 0x78
    add rdi, rcx
    mov rcx, [r10+0x28]
    imul rcx, 0x400
    add rsi, rcx
    mov rcx, [r10+0x30]
    mov rdx, [r10+0x28]
    sub rcx, rdx
    jle L14
    call L26
L14:
    mov rdi, [r10+0x38]
    mov rsi, [r10+0x40]
; exit
L15:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 8 x 2
L16:
    vmovdqu ymm1, [r11]
L17:
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
    jne L17
    ret
; tile 2 of nest 1: move 1 x 7 x 2
L18:
    vmovdqu ymm1, [r11]
    vmovdqu ymm2, [r11+0x20]
    vmovdqu ymm3, [r11+0x40]
L19:
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
    jne L19
    ret
; tile 1 of nest 2: fill 0x0 0 of 1 x 0 of 1 x 0 of 8 x 0 of 2
L20:
    vpbroadcastd ymm0, [r11+0x60]
L21:
    vmovdqu [rsi], ymm0
    prefetchw [rsi+0x80]
    vmovdqu [rsi+0x20], ymm0
    dec rcx
    jne L21
    ret
; tile 2 of nest 2: fill 0x0 0 of 1 x 0 of 1 x 0 of 7 x 0 of 2
L22:
    vpbroadcastd ymm0, [r11+0x60]
L23:
    vmovdqu [rsi], ymm0
    prefetchw [rsi+0x80]
    vmovdqu [rsi+0x20], xmm0
    vextracti128 xmm15, ymm0, 1
    vmovq [rsi+0x30], xmm15
    dec rcx
    jne L23
    ret
; tile 1 of nest 3: fill 0x0 0 of 1 x 0 of 1 x 0 of 2
L24:
    vpbroadcastd xmm0, [r11+0x60]
L25:
    vmovq [rsi], xmm0
    prefetchw [rsi+0x80]
    add rsi, 0x40
    dec rcx
    jne L25
    ret
; tile 1 of nest 4: fill 0x0 0 of 1 x 0 of 2
L26:
    vpbroadcastd xmm0, [r11+0x60]
    sub rcx, 0x10
    jl L28
L27:
    vmovq [rsi], xmm0
    prefetchw [rsi+0x80]
    vmovq [rsi+0x400], xmm0
    prefetchw [rsi+0x480]
    vmovq [rsi+0x800], xmm0
    prefetchw [rsi+0x880]
    vmovq [rsi+0xC00], xmm0
    prefetchw [rsi+0xC80]
    vmovq [rsi+0x1000], xmm0
    prefetchw [rsi+0x1080]
    vmovq [rsi+0x1400], xmm0
    prefetchw [rsi+0x1480]
    vmovq [rsi+0x1800], xmm0
    prefetchw [rsi+0x1880]
    vmovq [rsi+0x1C00], xmm0
    prefetchw [rsi+0x1C80]
    vmovq [rsi+0x2000], xmm0
    prefetchw [rsi+0x2080]
    vmovq [rsi+0x2400], xmm0
    prefetchw [rsi+0x2480]
    vmovq [rsi+0x2800], xmm0
    prefetchw [rsi+0x2880]
    vmovq [rsi+0x2C00], xmm0
    prefetchw [rsi+0x2C80]
    vmovq [rsi+0x3000], xmm0
    prefetchw [rsi+0x3080]
    vmovq [rsi+0x3400], xmm0
    prefetchw [rsi+0x3480]
    vmovq [rsi+0x3800], xmm0
    prefetchw [rsi+0x3880]
    vmovq [rsi+0x3C00], xmm0
    prefetchw [rsi+0x3C80]
    add rdi, 0x780
    add rsi, 0x4000
    sub rcx, 0x10
    jge L27
L28:
    add rcx, 0x10
    je L30
L29:
    vmovq [rsi], xmm0
    prefetchw [rsi+0x80]
    add rdi, 0x78
    add rsi, 0x400
    dec rcx
    jne L29
L30:
    ret
; routines
L31:
    mov rcx, rax
    cmp qword [r10+0x18], 1
    jne L32
    xor eax, eax
    mov rdx, rcx
    ret
L32:
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
L33:
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

; haswell f32:nChw8c:1x17x13x13 nchw
; 3040 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0xC0]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10], rdi
    mov [r10+8], rsi
    mov [r10+0x10], rdx
    mov [r10+0x18], rcx
; nest 1: move 2(s5408,d5408) 8(s4,d676) 169(s32,d4), cut at steps 1 and 2 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x16
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x16
    call L24
    cmp rax, rdx
    jge L11
L1:
    mov [r10+0x40], rax
    mov [r10+0x48], rdx
L2:
    mov rax, [r10+0x40]
    mov r8, [r10+0x48]
    sub r8, rax
    mov ecx, 0x16
    cmp r8, rcx
    jne L3
    mov [r10+0x40], r8
    mov eax, 2
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 0xB
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L4
L3:
    mov ecx, 0xB
    xor edx, edx
    div rcx
    mov [r10+0x30], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x40], rcx
    add rdx, rcx
    mov [r10+0x38], rdx
    mov ecx, 2
    xor edx, edx
    div rcx
    mov [r10+0x20], rdx
    inc rdx
    mov [r10+0x28], rdx
L4:
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 1
    mov [r10+0x50], rdi
    mov [r10+0x58], rsi
    cmp qword [r10+0x20], 0
    je L5
    mov rcx, [r10+0x20]
    imul rcx, 0x1520
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x1520
    add rsi, rcx
L5:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L10
    mov [r10+0x60], rcx
; loop 3 by 16
L6:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L7
    mov rcx, [r10+0x30]
    imul rcx, 0x200
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x40
    add rsi, rcx
L7:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    mov eax, 0xA
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L8
    call L18
L8:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    mov eax, 0xB
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 0xA
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L9
    call L19
L9:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
    add rdi, 0x1520
    add rsi, 0x1520
    dec qword [r10+0x60]
    jne L6
L10:
    mov rdi, [r10+0x50]
    mov rsi, [r10+0x58]
    mov rax, [r10+0x40]
    cmp rax, [r10+0x48]
    jl L2
; nest 2: move 169(s32,d4), from s10816,d10816, cut at step 1 by 1
L11:
    cmp qword [r10+0x18], 1
    jne L12
    mov edx, 0xB
    xor eax, eax
    jmp L13
L12:
    mov eax, 0xB
    call L24
    cmp rax, rdx
    jge L17
L13:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 0x2A40
    add rsi, 0x2A40
; loop 1 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L14
    mov rcx, [r10+0x20]
    imul rcx, 0x200
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rsi, rcx
L14:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 0xA
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L15
    call L20
L15:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 0xB
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 0xA
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L16
    call L22
L16:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L17:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 8 x 16
L18:
    vmovdqu xmm0, [rdi]
    vinserti128 ymm0, ymm0, [rdi+0x80], 1
    vmovdqu xmm1, [rdi+0x20]
    vinserti128 ymm1, ymm1, [rdi+0xA0], 1
    vmovdqu xmm2, [rdi+0x40]
    vinserti128 ymm2, ymm2, [rdi+0xC0], 1
    vmovdqu xmm3, [rdi+0x60]
    vinserti128 ymm3, ymm3, [rdi+0xE0], 1
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi], ymm3
    vmovdqu [rsi+0x2A4], ymm1
    vmovdqu [rsi+0x548], ymm4
    vmovdqu [rsi+0x7EC], ymm0
    vmovdqu xmm0, [rdi+0x10]
    vinserti128 ymm0, ymm0, [rdi+0x90], 1
    vmovdqu xmm1, [rdi+0x30]
    vinserti128 ymm1, ymm1, [rdi+0xB0], 1
    vmovdqu xmm2, [rdi+0x50]
    vinserti128 ymm2, ymm2, [rdi+0xD0], 1
    vmovdqu xmm3, [rdi+0x70]
    vinserti128 ymm3, ymm3, [rdi+0xF0], 1
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi+0xA90], ymm3
    vmovdqu [rsi+0xD34], ymm1
    vmovdqu [rsi+0xFD8], ymm4
    vmovdqu [rsi+0x127C], ymm0
    vmovdqu xmm0, [rdi+0x100]
    vinserti128 ymm0, ymm0, [rdi+0x180], 1
    vmovdqu xmm1, [rdi+0x120]
    vinserti128 ymm1, ymm1, [rdi+0x1A0], 1
    vmovdqu xmm2, [rdi+0x140]
    vinserti128 ymm2, ymm2, [rdi+0x1C0], 1
    vmovdqu xmm3, [rdi+0x160]
    vinserti128 ymm3, ymm3, [rdi+0x1E0], 1
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi+0x20], ymm3
    vmovdqu [rsi+0x2C4], ymm1
    vmovdqu [rsi+0x568], ymm4
    vmovdqu [rsi+0x80C], ymm0
    vmovdqu xmm0, [rdi+0x110]
    vinserti128 ymm0, ymm0, [rdi+0x190], 1
    vmovdqu xmm1, [rdi+0x130]
    vinserti128 ymm1, ymm1, [rdi+0x1B0], 1
    vmovdqu xmm2, [rdi+0x150]
    vinserti128 ymm2, ymm2, [rdi+0x1D0], 1
    vmovdqu xmm3, [rdi+0x170]
    vinserti128 ymm3, ymm3, [rdi+0x1F0], 1
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi+0xAB0], ymm3
    vmovdqu [rsi+0xD54], ymm1
    vmovdqu [rsi+0xFF8], ymm4
    vmovdqu [rsi+0x129C], ymm0
    add rdi, 0x200
    add rsi, 0x40
    dec rcx
    jne L18
    ret
; tile 2 of nest 1: move 1 x 8 x 9
L19:
    vmovdqu xmm0, [rdi]
    vinserti128 ymm0, ymm0, [rdi+0x80], 1
    vmovdqu xmm1, [rdi+0x20]
    vinserti128 ymm1, ymm1, [rdi+0xA0], 1
    vmovdqu xmm2, [rdi+0x40]
    vinserti128 ymm2, ymm2, [rdi+0xC0], 1
    vmovdqu xmm3, [rdi+0x60]
    vinserti128 ymm3, ymm3, [rdi+0xE0], 1
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi], ymm3
    vmovdqu [rsi+0x2A4], ymm1
    vmovdqu [rsi+0x548], ymm4
    vmovdqu [rsi+0x7EC], ymm0
    vmovdqu xmm0, [rdi+0x10]
    vinserti128 ymm0, ymm0, [rdi+0x90], 1
    vmovdqu xmm1, [rdi+0x30]
    vinserti128 ymm1, ymm1, [rdi+0xB0], 1
    vmovdqu xmm2, [rdi+0x50]
    vinserti128 ymm2, ymm2, [rdi+0xD0], 1
    vmovdqu xmm3, [rdi+0x70]
    vinserti128 ymm3, ymm3, [rdi+0xF0], 1
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi+0xA90], ymm3
    vmovdqu [rsi+0xD34], ymm1
    vmovdqu [rsi+0xFD8], ymm4
    vmovdqu [rsi+0x127C], ymm0
    vmovdqu xmm0, [rdi+0x100]
    vpunpcklqdq ymm1, ymm0, ymm0
    vpunpckhqdq ymm0, ymm0, ymm0
    vshufps ymm2, ymm1, ymm1, 0x88
    vshufps ymm1, ymm1, ymm1, 0xDD
    vshufps ymm3, ymm0, ymm0, 0x88
    vshufps ymm0, ymm0, ymm0, 0xDD
    vmovd [rsi+0x20], xmm2
    vmovd [rsi+0x2C4], xmm1
    vmovd [rsi+0x568], xmm3
    vmovd [rsi+0x80C], xmm0
    vmovdqu xmm0, [rdi+0x110]
    vpunpcklqdq ymm1, ymm0, ymm0
    vpunpckhqdq ymm0, ymm0, ymm0
    vshufps ymm2, ymm1, ymm1, 0x88
    vshufps ymm1, ymm1, ymm1, 0xDD
    vshufps ymm3, ymm0, ymm0, 0x88
    vshufps ymm0, ymm0, ymm0, 0xDD
    vmovd [rsi+0xAB0], xmm2
    vmovd [rsi+0xD54], xmm1
    vmovd [rsi+0xFF8], xmm3
    vmovd [rsi+0x129C], xmm0
    add rdi, 0x200
    add rsi, 0x40
    dec rcx
    jne L19
    ret
; tile 1 of nest 2: move 16
L20:
    vmovdqu ymm2, [r11]
    vmovdqu ymm3, [r11+0x20]
L21:
    vmovd xmm0, [rdi]
    vmovd xmm1, [rdi+0x20]
    vpshufb ymm1, ymm1, [r11+0x40]
    vpblendd ymm0, ymm0, ymm1, 2
    vmovd xmm1, [rdi+0x40]
    vpshufb ymm1, ymm1, [r11+0x60]
    vpblendd ymm0, ymm0, ymm1, 4
    vmovd xmm1, [rdi+0x60]
    vpshufb ymm1, ymm1, [r11+0x80]
    vpblendd ymm0, ymm0, ymm1, 8
    vmovd xmm1, [rdi+0x80]
    vpermq ymm1, ymm1, 0xC4
    vpblendd ymm0, ymm0, ymm1, 0x10
    vmovd xmm1, [rdi+0xA0]
    vpermd ymm1, ymm2, ymm1
    vpblendd ymm0, ymm0, ymm1, 0x20
    vmovd xmm1, [rdi+0xC0]
    vpermq ymm1, ymm1, 0x24
    vpblendd ymm0, ymm0, ymm1, 0x40
    vmovd xmm1, [rdi+0xE0]
    vpermd ymm1, ymm3, ymm1
    vpblendd ymm0, ymm0, ymm1, 0x80
    vmovdqu [rsi], ymm0
    vmovd xmm0, [rdi+0x100]
    vmovd xmm1, [rdi+0x120]
    vpshufb ymm1, ymm1, [r11+0x40]
    vpblendd ymm0, ymm0, ymm1, 2
    vmovd xmm1, [rdi+0x140]
    vpshufb ymm1, ymm1, [r11+0x60]
    vpblendd ymm0, ymm0, ymm1, 4
    vmovd xmm1, [rdi+0x160]
    vpshufb ymm1, ymm1, [r11+0x80]
    vpblendd ymm0, ymm0, ymm1, 8
    vmovd xmm1, [rdi+0x180]
    vpermq ymm1, ymm1, 0xC4
    vpblendd ymm0, ymm0, ymm1, 0x10
    vmovd xmm1, [rdi+0x1A0]
    vpermd ymm1, ymm2, ymm1
    vpblendd ymm0, ymm0, ymm1, 0x20
    vmovd xmm1, [rdi+0x1C0]
    vpermq ymm1, ymm1, 0x24
    vpblendd ymm0, ymm0, ymm1, 0x40
    vmovd xmm1, [rdi+0x1E0]
    vpermd ymm1, ymm3, ymm1
    vpblendd ymm0, ymm0, ymm1, 0x80
    vmovdqu [rsi+0x20], ymm0
    add rdi, 0x200
    add rsi, 0x40
    dec rcx
    jne L21
    ret
; tile 2 of nest 2: move 9
L22:
    vmovdqu ymm2, [r11]
    vmovdqu ymm3, [r11+0x20]
L23:
    vmovd xmm0, [rdi]
    vmovd xmm1, [rdi+0x20]
    vpshufb ymm1, ymm1, [r11+0x40]
    vpblendd ymm0, ymm0, ymm1, 2
    vmovd xmm1, [rdi+0x40]
    vpshufb ymm1, ymm1, [r11+0x60]
    vpblendd ymm0, ymm0, ymm1, 4
    vmovd xmm1, [rdi+0x60]
    vpshufb ymm1, ymm1, [r11+0x80]
    vpblendd ymm0, ymm0, ymm1, 8
    vmovd xmm1, [rdi+0x80]
    vpermq ymm1, ymm1, 0xC4
    vpblendd ymm0, ymm0, ymm1, 0x10
    vmovd xmm1, [rdi+0xA0]
    vpermd ymm1, ymm2, ymm1
    vpblendd ymm0, ymm0, ymm1, 0x20
    vmovd xmm1, [rdi+0xC0]
    vpermq ymm1, ymm1, 0x24
    vpblendd ymm0, ymm0, ymm1, 0x40
    vmovd xmm1, [rdi+0xE0]
    vpermd ymm1, ymm3, ymm1
    vpblendd ymm0, ymm0, ymm1, 0x80
    vmovdqu [rsi], ymm0
    vmovd xmm0, [rdi+0x100]
    vmovd [rsi+0x20], xmm0
    add rdi, 0x200
    add rsi, 0x40
    dec rcx
    jne L23
    ret
; routines
L24:
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
; constants
    db 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 00 00 00 00 06 00 00 00 07 00 00 00
    db 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 00 00 00 00
    db 00 01 02 03 00 01 02 03 08 09 0a 0b 0c 0d 0e 0f 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
    db 00 01 02 03 04 05 06 07 00 01 02 03 0c 0d 0e 0f 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
    db 00 01 02 03 04 05 06 07 08 09 0a 0b 00 01 02 03 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f

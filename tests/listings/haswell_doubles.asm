; haswell f64:ab:31x17 ba
; 1120 bytes
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
; nest 1: move 17(s8,d248) 31(s136,d8), cut at step 1 by 2
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 5
    xor eax, eax
    jmp L1
L0:
    mov eax, 3
    call L10
    mov ecx, 2
    imul rax, rcx
    imul rdx, rcx
    mov ecx, 5
    cmp rdx, rcx
    cmovg rdx, rcx
    cmp rax, rdx
    jge L7
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 4
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x20
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x3E0
    add rsi, rcx
L2:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 4
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L4
    mov [r10+0x40], rcx
; loop 2 by 8
L3:
    mov ecx, 3
    call L8
    add rdi, 0xFFFFFFFFFFFFFF78
    add rsi, 0xFFFFFFFFFFFFFFF8
    mov ecx, 1
    call L8
    add rdi, 0xFFFFFFFFFFFFEFA8
    add rsi, 0x2E8
    dec qword [r10+0x40]
    jne L3
L4:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 5
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 4
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L6
    mov [r10+0x40], rcx
; loop 2 by 8
L5:
    mov ecx, 3
    call L9
    add rdi, 0xFFFFFFFFFFFFFF78
    add rsi, 0xFFFFFFFFFFFFFFF8
    mov ecx, 1
    call L9
    add rdi, 0xFFFFFFFFFFFFEFA8
    add rsi, 0x2E8
    dec qword [r10+0x40]
    jne L5
L6:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L7:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 4 x 8
L8:
    vmovdqu xmm0, [rdi]
    vinserti128 ymm0, ymm0, [rdi+0x110], 1
    vmovdqu xmm1, [rdi+0x88]
    vinserti128 ymm1, ymm1, [rdi+0x198], 1
    vpunpcklqdq ymm2, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vmovdqu [rsi], ymm2
    vmovdqu [rsi+0xF8], ymm0
    vmovdqu xmm0, [rdi+0x10]
    vinserti128 ymm0, ymm0, [rdi+0x120], 1
    vmovdqu xmm1, [rdi+0x98]
    vinserti128 ymm1, ymm1, [rdi+0x1A8], 1
    vpunpcklqdq ymm2, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vmovdqu [rsi+0x1F0], ymm2
    vmovdqu [rsi+0x2E8], ymm0
    vmovdqu xmm0, [rdi+0x220]
    vinserti128 ymm0, ymm0, [rdi+0x330], 1
    vmovdqu xmm1, [rdi+0x2A8]
    vinserti128 ymm1, ymm1, [rdi+0x3B8], 1
    vpunpcklqdq ymm2, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vmovdqu [rsi+0x20], ymm2
    vmovdqu [rsi+0x118], ymm0
    vmovdqu xmm0, [rdi+0x230]
    vinserti128 ymm0, ymm0, [rdi+0x340], 1
    vmovdqu xmm1, [rdi+0x2B8]
    vinserti128 ymm1, ymm1, [rdi+0x3C8], 1
    vpunpcklqdq ymm2, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vmovdqu [rsi+0x210], ymm2
    vmovdqu [rsi+0x308], ymm0
    add rdi, 0x440
    add rsi, 0x40
    dec rcx
    jne L8
    ret
; tile 2 of nest 1: move 1 x 8
L9:
    vmovq xmm0, [rdi]
    vmovq xmm1, [rdi+0x88]
    vpshufb ymm1, ymm1, [r11]
    vpblendd ymm0, ymm0, ymm1, 0xC
    vmovq xmm1, [rdi+0x110]
    vpermq ymm1, ymm1, 0xC4
    vpblendd ymm0, ymm0, ymm1, 0x30
    vmovq xmm1, [rdi+0x198]
    vpermq ymm1, ymm1, 0x24
    vpblendd ymm0, ymm0, ymm1, 0xC0
    vmovdqu [rsi], ymm0
    vmovq xmm0, [rdi+0x220]
    vmovq xmm1, [rdi+0x2A8]
    vpshufb ymm1, ymm1, [r11]
    vpblendd ymm0, ymm0, ymm1, 0xC
    vmovq xmm1, [rdi+0x330]
    vpermq ymm1, ymm1, 0xC4
    vpblendd ymm0, ymm0, ymm1, 0x30
    vmovq xmm1, [rdi+0x3B8]
    vpermq ymm1, ymm1, 0x24
    vpblendd ymm0, ymm0, ymm1, 0xC0
    vmovdqu [rsi+0x20], ymm0
    add rdi, 0x440
    add rsi, 0x40
    dec rcx
    jne L9
    ret
; routines
L10:
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
    db 00 01 02 03 04 05 06 07 00 01 02 03 04 05 06 07 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f

; haswell f64:ab:31x17 ba
; 1408 bytes
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
; nest 1: move 17(s8,d248) 31(s136,d8), cut at steps 1 and 2 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0xC
    xor eax, eax
    jmp L1
L0:
    mov eax, 0xC
    call L18
    cmp rax, rdx
    jge L15
L1:
    mov [r10+0x40], rax
    mov [r10+0x48], rdx
L2:
    mov rax, [r10+0x40]
    mov r8, [r10+0x48]
    sub r8, rax
    mov ecx, 0xC
    cmp r8, rcx
    jne L3
    mov [r10+0x40], r8
    mov eax, 4
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 3
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L4
L3:
    mov ecx, 3
    xor edx, edx
    div rcx
    mov [r10+0x30], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x40], rcx
    add rdx, rcx
    mov [r10+0x38], rdx
    mov ecx, 4
    xor edx, edx
    div rcx
    mov [r10+0x20], rdx
    inc rdx
    mov [r10+0x28], rdx
L4:
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 4
    mov [r10+0x50], rdi
    mov [r10+0x58], rsi
    cmp qword [r10+0x20], 0
    je L5
    mov rcx, [r10+0x20]
    imul rcx, 0x20
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x3E0
    add rsi, rcx
L5:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 4
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L10
    mov [r10+0x60], rcx
; loop 2 by 8
L6:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L7
    mov rcx, [r10+0x30]
    imul rcx, 0x440
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x40
    add rsi, rcx
L7:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    mov eax, 3
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L8
    call L16
L8:
    mov eax, 3
    cmp [r10+0x38], rax
    jl L9
    add rdi, 0xFFFFFFFFFFFFFF78
    add rsi, 0xFFFFFFFFFFFFFFF8
    mov ecx, 1
    call L16
L9:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
    add rdi, 0x20
    add rsi, 0x3E0
    dec qword [r10+0x60]
    jne L6
L10:
    mov eax, 4
    cmp [r10+0x28], rax
    jl L14
; loop 2 by 8
    add rdi, 0xFFFFFFFFFFFFFFF8
    add rsi, 0xFFFFFFFFFFFFFF08
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L11
    mov rcx, [r10+0x30]
    imul rcx, 0x440
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x40
    add rsi, rcx
L11:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    mov eax, 3
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L12
    call L17
L12:
    mov eax, 3
    cmp [r10+0x38], rax
    jl L13
    add rdi, 0xFFFFFFFFFFFFFF78
    add rsi, 0xFFFFFFFFFFFFFFF8
    mov ecx, 1
    call L17
L13:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
L14:
    mov rdi, [r10+0x50]
    mov rsi, [r10+0x58]
    mov rax, [r10+0x40]
    cmp rax, [r10+0x48]
    jl L2
; exit
L15:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 4 x 8
L16:
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
    jne L16
    ret
; tile 2 of nest 1: move 2 x 8
L17:
    vmovdqu xmm0, [rdi]
    vinserti128 ymm0, ymm0, [rdi+0x110], 1
    vmovdqu xmm1, [rdi+0x88]
    vinserti128 ymm1, ymm1, [rdi+0x198], 1
    vpunpcklqdq ymm2, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vmovdqu [rsi], ymm2
    vmovdqu [rsi+0xF8], ymm0
    vmovdqu xmm0, [rdi+0x220]
    vinserti128 ymm0, ymm0, [rdi+0x330], 1
    vmovdqu xmm1, [rdi+0x2A8]
    vinserti128 ymm1, ymm1, [rdi+0x3B8], 1
    vpunpcklqdq ymm2, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vmovdqu [rsi+0x20], ymm2
    vmovdqu [rsi+0x118], ymm0
    add rdi, 0x440
    add rsi, 0x40
    dec rcx
    jne L17
    ret
; routines
L18:
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

; haswell f32:nchw:1x64x56x56 nChw16c
; 1536 bytes
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
; nest 1: move 4(s200704,d200704) 3136(s4,d64) 16(s12544,d4), cut at steps 1 and 2 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x620
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x620
    call L12
    cmp rax, rdx
    jge L10
L1:
    mov [r10+0x40], rax
    mov [r10+0x48], rdx
L2:
    mov rax, [r10+0x40]
    mov r8, [r10+0x48]
    sub r8, rax
    mov ecx, 0x620
    cmp r8, rcx
    jne L3
    mov [r10+0x40], r8
    mov eax, 4
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 0x188
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L4
L3:
    mov ecx, 0x188
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
; loop 1 by 1
    mov [r10+0x50], rdi
    mov [r10+0x58], rsi
    cmp qword [r10+0x20], 0
    je L5
    mov rcx, [r10+0x20]
    imul rcx, 0x31000
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x31000
    add rsi, rcx
L5:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L9
    mov [r10+0x60], rcx
; loop 2 by 8
L6:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L7
    mov rcx, [r10+0x30]
    imul rcx, 0x20
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x200
    add rsi, rcx
L7:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    sub rcx, rdx
    jle L8
    call L11
L8:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
    add rdi, 0x31000
    add rsi, 0x31000
    dec qword [r10+0x60]
    jne L6
L9:
    mov rdi, [r10+0x50]
    mov rsi, [r10+0x58]
    mov rax, [r10+0x40]
    cmp rax, [r10+0x48]
    jl L2
; exit
L10:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 8 x 16
L11:
    vmovdqu xmm0, [rdi]
    prefetcht0 [rdi+0x80]
    vinserti128 ymm0, ymm0, [rdi+0xC400], 1
    prefetcht0 [rdi+0xC480]
    vmovdqu xmm1, [rdi+0x3100]
    prefetcht0 [rdi+0x3180]
    vinserti128 ymm1, ymm1, [rdi+0xF500], 1
    prefetcht0 [rdi+0xF580]
    vmovdqu xmm2, [rdi+0x6200]
    prefetcht0 [rdi+0x6280]
    vinserti128 ymm2, ymm2, [rdi+0x12600], 1
    prefetcht0 [rdi+0x12680]
    vmovdqu xmm3, [rdi+0x9300]
    prefetcht0 [rdi+0x9380]
    vinserti128 ymm3, ymm3, [rdi+0x15700], 1
    prefetcht0 [rdi+0x15780]
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi], ymm3
    prefetchw [rsi+0x80]
    vmovdqu [rsi+0x40], ymm1
    prefetchw [rsi+0xC0]
    vmovdqu [rsi+0x80], ymm4
    prefetchw [rsi+0x100]
    vmovdqu [rsi+0xC0], ymm0
    prefetchw [rsi+0x140]
    vmovdqu xmm0, [rdi+0x10]
    vinserti128 ymm0, ymm0, [rdi+0xC410], 1
    vmovdqu xmm1, [rdi+0x3110]
    vinserti128 ymm1, ymm1, [rdi+0xF510], 1
    vmovdqu xmm2, [rdi+0x6210]
    vinserti128 ymm2, ymm2, [rdi+0x12610], 1
    vmovdqu xmm3, [rdi+0x9310]
    vinserti128 ymm3, ymm3, [rdi+0x15710], 1
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi+0x100], ymm3
    prefetchw [rsi+0x180]
    vmovdqu [rsi+0x140], ymm1
    prefetchw [rsi+0x1C0]
    vmovdqu [rsi+0x180], ymm4
    prefetchw [rsi+0x200]
    vmovdqu [rsi+0x1C0], ymm0
    prefetchw [rsi+0x240]
    vmovdqu xmm0, [rdi+0x18800]
    prefetcht0 [rdi+0x18880]
    vinserti128 ymm0, ymm0, [rdi+0x24C00], 1
    prefetcht0 [rdi+0x24C80]
    vmovdqu xmm1, [rdi+0x1B900]
    prefetcht0 [rdi+0x1B980]
    vinserti128 ymm1, ymm1, [rdi+0x27D00], 1
    prefetcht0 [rdi+0x27D80]
    vmovdqu xmm2, [rdi+0x1EA00]
    prefetcht0 [rdi+0x1EA80]
    vinserti128 ymm2, ymm2, [rdi+0x2AE00], 1
    prefetcht0 [rdi+0x2AE80]
    vmovdqu xmm3, [rdi+0x21B00]
    prefetcht0 [rdi+0x21B80]
    vinserti128 ymm3, ymm3, [rdi+0x2DF00], 1
    prefetcht0 [rdi+0x2DF80]
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi+0x20], ymm3
    vmovdqu [rsi+0x60], ymm1
    vmovdqu [rsi+0xA0], ymm4
    vmovdqu [rsi+0xE0], ymm0
    vmovdqu xmm0, [rdi+0x18810]
    vinserti128 ymm0, ymm0, [rdi+0x24C10], 1
    vmovdqu xmm1, [rdi+0x1B910]
    vinserti128 ymm1, ymm1, [rdi+0x27D10], 1
    vmovdqu xmm2, [rdi+0x1EA10]
    vinserti128 ymm2, ymm2, [rdi+0x2AE10], 1
    vmovdqu xmm3, [rdi+0x21B10]
    vinserti128 ymm3, ymm3, [rdi+0x2DF10], 1
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm4, ymm0, ymm2, 0x88
    vshufps ymm0, ymm0, ymm2, 0xDD
    vmovdqu [rsi+0x120], ymm3
    vmovdqu [rsi+0x160], ymm1
    vmovdqu [rsi+0x1A0], ymm4
    vmovdqu [rsi+0x1E0], ymm0
    add rdi, 0x20
    add rsi, 0x200
    dec rcx
    jne L11
    ret
; routines
L12:
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

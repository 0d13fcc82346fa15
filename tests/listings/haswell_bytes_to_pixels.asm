; haswell u8:nchw:1x64x56x56 nhwc
; 2368 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x140]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10+0x80], rdi
    mov [r10+0x88], rsi
    mov [r10+0x90], rdx
    mov [r10+0x98], rcx
; nest 1: move 3136(s1,d64) 64(s3136,d1), cut at step 1 by 1
    cmp qword [r10+0x98], 1
    jne L0
    mov edx, 0xC4
    xor eax, eax
    jmp L1
L0:
    mov eax, 0xC4
    call L6
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xA0], rax
    mov [r10+0xA8], rdx
    mov rdi, [r10+0x80]
    mov rsi, [r10+0x88]
; loop 1 by 16
    mov [r10+0xB0], rdi
    mov [r10+0xB8], rsi
    cmp qword [r10+0xA0], 0
    je L2
    mov rcx, [r10+0xA0]
    imul rcx, 0x10
    add rdi, rcx
    mov rcx, [r10+0xA0]
    imul rcx, 0x400
    add rsi, rcx
L2:
    mov rcx, [r10+0xA8]
    mov rdx, [r10+0xA0]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0xB0]
    mov rsi, [r10+0xB8]
; exit
L4:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 16 x 64
L5:
    vmovdqu xmm0, [rdi]
    vinserti128 ymm0, ymm0, [rdi+0xC400], 1
    vmovdqu xmm1, [rdi+0x3100]
    vinserti128 ymm1, ymm1, [rdi+0xF500], 1
    vmovdqu xmm2, [rdi+0xC40]
    vinserti128 ymm2, ymm2, [rdi+0xD040], 1
    vmovdqu xmm3, [rdi+0x3D40]
    vinserti128 ymm3, ymm3, [rdi+0x10140], 1
    vmovdqu xmm4, [rdi+0x1880]
    vinserti128 ymm4, ymm4, [rdi+0xDC80], 1
    vmovdqu xmm5, [rdi+0x4980]
    vinserti128 ymm5, ymm5, [rdi+0x10D80], 1
    vmovdqu xmm6, [rdi+0x24C0]
    vinserti128 ymm6, ymm6, [rdi+0xE8C0], 1
    vmovdqu xmm7, [rdi+0x55C0]
    vinserti128 ymm7, ymm7, [rdi+0x119C0], 1
    vmovdqu xmm8, [rdi+0x6200]
    vinserti128 ymm8, ymm8, [rdi+0x12600], 1
    vmovdqu xmm9, [rdi+0x9300]
    vinserti128 ymm9, ymm9, [rdi+0x15700], 1
    vmovdqu xmm10, [rdi+0x6E40]
    vinserti128 ymm10, ymm10, [rdi+0x13240], 1
    vmovdqu xmm11, [rdi+0x9F40]
    vinserti128 ymm11, ymm11, [rdi+0x16340], 1
    vmovdqu xmm12, [rdi+0x7A80]
    vinserti128 ymm12, ymm12, [rdi+0x13E80], 1
    vmovdqu xmm13, [rdi+0xAB80]
    vinserti128 ymm13, ymm13, [rdi+0x16F80], 1
    vmovdqu xmm14, [rdi+0x86C0]
    vinserti128 ymm14, ymm14, [rdi+0x14AC0], 1
    vmovdqu xmm15, [rdi+0xB7C0]
    vinserti128 ymm15, ymm15, [rdi+0x17BC0], 1
    vmovdqu [r10], ymm15
    vpunpcklwd ymm15, ymm0, ymm1
    vpunpckhwd ymm0, ymm0, ymm1
    vpunpcklwd ymm1, ymm2, ymm3
    vpunpckhwd ymm2, ymm2, ymm3
    vpunpcklwd ymm3, ymm4, ymm5
    vpunpckhwd ymm4, ymm4, ymm5
    vpunpcklwd ymm5, ymm6, ymm7
    vpunpckhwd ymm6, ymm6, ymm7
    vpunpcklwd ymm7, ymm8, ymm9
    vpunpckhwd ymm8, ymm8, ymm9
    vpunpcklwd ymm9, ymm10, ymm11
    vpunpckhwd ymm10, ymm10, ymm11
    vpunpcklwd ymm11, ymm12, ymm13
    vpunpckhwd ymm12, ymm12, ymm13
    vmovdqu ymm13, [r10]
    vmovdqu [r10+0x40], ymm12
    vpunpcklwd ymm12, ymm14, ymm13
    vpunpckhwd ymm13, ymm14, ymm13
    vpunpcklbw ymm14, ymm15, ymm1
    vpunpckhbw ymm1, ymm15, ymm1
    vpunpcklbw ymm15, ymm0, ymm2
    vpunpckhbw ymm0, ymm0, ymm2
    vpunpcklbw ymm2, ymm3, ymm5
    vpunpckhbw ymm3, ymm3, ymm5
    vpunpcklbw ymm5, ymm4, ymm6
    vpunpckhbw ymm4, ymm4, ymm6
    vpunpcklbw ymm6, ymm7, ymm9
    vpunpckhbw ymm7, ymm7, ymm9
    vpunpcklbw ymm9, ymm8, ymm10
    vpunpckhbw ymm8, ymm8, ymm10
    vpunpcklbw ymm10, ymm11, ymm12
    vpunpckhbw ymm11, ymm11, ymm12
    vmovdqu ymm12, [r10+0x40]
    vmovdqu [r10], ymm8
    vpunpcklbw ymm8, ymm12, ymm13
    vpunpckhbw ymm12, ymm12, ymm13
    vpunpcklwd ymm13, ymm14, ymm2
    vpunpckhwd ymm2, ymm14, ymm2
    vpunpcklwd ymm14, ymm15, ymm5
    vpunpckhwd ymm5, ymm15, ymm5
    vpunpcklwd ymm15, ymm1, ymm3
    vpunpckhwd ymm1, ymm1, ymm3
    vpunpcklwd ymm3, ymm0, ymm4
    vpunpckhwd ymm0, ymm0, ymm4
    vpunpcklwd ymm4, ymm6, ymm10
    vpunpckhwd ymm6, ymm6, ymm10
    vpunpcklwd ymm10, ymm9, ymm8
    vpunpckhwd ymm8, ymm9, ymm8
    vpunpcklwd ymm9, ymm7, ymm11
    vpunpckhwd ymm7, ymm7, ymm11
    vmovdqu ymm11, [r10]
    vmovdqu [r10+0x40], ymm0
    vpunpcklwd ymm0, ymm11, ymm12
    vpunpckhwd ymm11, ymm11, ymm12
    vshufps ymm12, ymm13, ymm4, 0x88
    vshufps ymm4, ymm13, ymm4, 0xDD
    vshufps ymm13, ymm14, ymm10, 0x88
    vshufps ymm10, ymm14, ymm10, 0xDD
    vshufps ymm14, ymm15, ymm9, 0x88
    vshufps ymm9, ymm15, ymm9, 0xDD
    vshufps ymm15, ymm3, ymm0, 0x88
    vshufps ymm0, ymm3, ymm0, 0xDD
    vshufps ymm3, ymm2, ymm6, 0x88
    vshufps ymm2, ymm2, ymm6, 0xDD
    vshufps ymm6, ymm5, ymm8, 0x88
    vshufps ymm5, ymm5, ymm8, 0xDD
    vshufps ymm8, ymm1, ymm7, 0x88
    vshufps ymm1, ymm1, ymm7, 0xDD
    vmovdqu ymm7, [r10+0x40]
    vmovdqu [r10], ymm0
    vshufps ymm0, ymm7, ymm11, 0x88
    vshufps ymm7, ymm7, ymm11, 0xDD
    vmovdqu [rsi], ymm12
    prefetchw [rsi+0x80]
    vmovdqu [rsi+0x40], ymm4
    prefetchw [rsi+0xC0]
    vmovdqu [rsi+0x80], ymm3
    prefetchw [rsi+0x100]
    vmovdqu [rsi+0xC0], ymm2
    prefetchw [rsi+0x140]
    vmovdqu [rsi+0x100], ymm14
    prefetchw [rsi+0x180]
    vmovdqu [rsi+0x140], ymm9
    prefetchw [rsi+0x1C0]
    vmovdqu [rsi+0x180], ymm8
    prefetchw [rsi+0x200]
    vmovdqu [rsi+0x1C0], ymm1
    prefetchw [rsi+0x240]
    vmovdqu [rsi+0x200], ymm13
    prefetchw [rsi+0x280]
    vmovdqu [rsi+0x240], ymm10
    prefetchw [rsi+0x2C0]
    vmovdqu [rsi+0x280], ymm6
    prefetchw [rsi+0x300]
    vmovdqu [rsi+0x2C0], ymm5
    prefetchw [rsi+0x340]
    vmovdqu [rsi+0x300], ymm15
    prefetchw [rsi+0x380]
    vmovdqu ymm1, [r10]
    vmovdqu [rsi+0x340], ymm1
    prefetchw [rsi+0x3C0]
    vmovdqu [rsi+0x380], ymm0
    prefetchw [rsi+0x400]
    vmovdqu [rsi+0x3C0], ymm7
    prefetchw [rsi+0x440]
    vmovdqu xmm0, [rdi+0x18800]
    vinserti128 ymm0, ymm0, [rdi+0x24C00], 1
    vmovdqu xmm1, [rdi+0x1B900]
    vinserti128 ymm1, ymm1, [rdi+0x27D00], 1
    vmovdqu xmm2, [rdi+0x19440]
    vinserti128 ymm2, ymm2, [rdi+0x25840], 1
    vmovdqu xmm3, [rdi+0x1C540]
    vinserti128 ymm3, ymm3, [rdi+0x28940], 1
    vmovdqu xmm4, [rdi+0x1A080]
    vinserti128 ymm4, ymm4, [rdi+0x26480], 1
    vmovdqu xmm5, [rdi+0x1D180]
    vinserti128 ymm5, ymm5, [rdi+0x29580], 1
    vmovdqu xmm6, [rdi+0x1ACC0]
    vinserti128 ymm6, ymm6, [rdi+0x270C0], 1
    vmovdqu xmm7, [rdi+0x1DDC0]
    vinserti128 ymm7, ymm7, [rdi+0x2A1C0], 1
    vmovdqu xmm8, [rdi+0x1EA00]
    vinserti128 ymm8, ymm8, [rdi+0x2AE00], 1
    vmovdqu xmm9, [rdi+0x21B00]
    vinserti128 ymm9, ymm9, [rdi+0x2DF00], 1
    vmovdqu xmm10, [rdi+0x1F640]
    vinserti128 ymm10, ymm10, [rdi+0x2BA40], 1
    vmovdqu xmm11, [rdi+0x22740]
    vinserti128 ymm11, ymm11, [rdi+0x2EB40], 1
    vmovdqu xmm12, [rdi+0x20280]
    vinserti128 ymm12, ymm12, [rdi+0x2C680], 1
    vmovdqu xmm13, [rdi+0x23380]
    vinserti128 ymm13, ymm13, [rdi+0x2F780], 1
    vmovdqu xmm14, [rdi+0x20EC0]
    vinserti128 ymm14, ymm14, [rdi+0x2D2C0], 1
    vmovdqu xmm15, [rdi+0x23FC0]
    vinserti128 ymm15, ymm15, [rdi+0x303C0], 1
    vmovdqu [r10], ymm15
    vpunpcklwd ymm15, ymm0, ymm1
    vpunpckhwd ymm0, ymm0, ymm1
    vpunpcklwd ymm1, ymm2, ymm3
    vpunpckhwd ymm2, ymm2, ymm3
    vpunpcklwd ymm3, ymm4, ymm5
    vpunpckhwd ymm4, ymm4, ymm5
    vpunpcklwd ymm5, ymm6, ymm7
    vpunpckhwd ymm6, ymm6, ymm7
    vpunpcklwd ymm7, ymm8, ymm9
    vpunpckhwd ymm8, ymm8, ymm9
    vpunpcklwd ymm9, ymm10, ymm11
    vpunpckhwd ymm10, ymm10, ymm11
    vpunpcklwd ymm11, ymm12, ymm13
    vpunpckhwd ymm12, ymm12, ymm13
    vmovdqu ymm13, [r10]
    vmovdqu [r10+0x40], ymm12
    vpunpcklwd ymm12, ymm14, ymm13
    vpunpckhwd ymm13, ymm14, ymm13
    vpunpcklbw ymm14, ymm15, ymm1
    vpunpckhbw ymm1, ymm15, ymm1
    vpunpcklbw ymm15, ymm0, ymm2
    vpunpckhbw ymm0, ymm0, ymm2
    vpunpcklbw ymm2, ymm3, ymm5
    vpunpckhbw ymm3, ymm3, ymm5
    vpunpcklbw ymm5, ymm4, ymm6
    vpunpckhbw ymm4, ymm4, ymm6
    vpunpcklbw ymm6, ymm7, ymm9
    vpunpckhbw ymm7, ymm7, ymm9
    vpunpcklbw ymm9, ymm8, ymm10
    vpunpckhbw ymm8, ymm8, ymm10
    vpunpcklbw ymm10, ymm11, ymm12
    vpunpckhbw ymm11, ymm11, ymm12
    vmovdqu ymm12, [r10+0x40]
    vmovdqu [r10], ymm8
    vpunpcklbw ymm8, ymm12, ymm13
    vpunpckhbw ymm12, ymm12, ymm13
    vpunpcklwd ymm13, ymm14, ymm2
    vpunpckhwd ymm2, ymm14, ymm2
    vpunpcklwd ymm14, ymm15, ymm5
    vpunpckhwd ymm5, ymm15, ymm5
    vpunpcklwd ymm15, ymm1, ymm3
    vpunpckhwd ymm1, ymm1, ymm3
    vpunpcklwd ymm3, ymm0, ymm4
    vpunpckhwd ymm0, ymm0, ymm4
    vpunpcklwd ymm4, ymm6, ymm10
    vpunpckhwd ymm6, ymm6, ymm10
    vpunpcklwd ymm10, ymm9, ymm8
    vpunpckhwd ymm8, ymm9, ymm8
    vpunpcklwd ymm9, ymm7, ymm11
    vpunpckhwd ymm7, ymm7, ymm11
    vmovdqu ymm11, [r10]
    vmovdqu [r10+0x40], ymm0
    vpunpcklwd ymm0, ymm11, ymm12
    vpunpckhwd ymm11, ymm11, ymm12
    vshufps ymm12, ymm13, ymm4, 0x88
    vshufps ymm4, ymm13, ymm4, 0xDD
    vshufps ymm13, ymm14, ymm10, 0x88
    vshufps ymm10, ymm14, ymm10, 0xDD
    vshufps ymm14, ymm15, ymm9, 0x88
    vshufps ymm9, ymm15, ymm9, 0xDD
    vshufps ymm15, ymm3, ymm0, 0x88
    vshufps ymm0, ymm3, ymm0, 0xDD
    vshufps ymm3, ymm2, ymm6, 0x88
    vshufps ymm2, ymm2, ymm6, 0xDD
    vshufps ymm6, ymm5, ymm8, 0x88
    vshufps ymm5, ymm5, ymm8, 0xDD
    vshufps ymm8, ymm1, ymm7, 0x88
    vshufps ymm1, ymm1, ymm7, 0xDD
    vmovdqu ymm7, [r10+0x40]
    vmovdqu [r10], ymm0
    vshufps ymm0, ymm7, ymm11, 0x88
    vshufps ymm7, ymm7, ymm11, 0xDD
    vmovdqu [rsi+0x20], ymm12
    vmovdqu [rsi+0x60], ymm4
    vmovdqu [rsi+0xA0], ymm3
    vmovdqu [rsi+0xE0], ymm2
    vmovdqu [rsi+0x120], ymm14
    vmovdqu [rsi+0x160], ymm9
    vmovdqu [rsi+0x1A0], ymm8
    vmovdqu [rsi+0x1E0], ymm1
    vmovdqu [rsi+0x220], ymm13
    vmovdqu [rsi+0x260], ymm10
    vmovdqu [rsi+0x2A0], ymm6
    vmovdqu [rsi+0x2E0], ymm5
    vmovdqu [rsi+0x320], ymm15
    vmovdqu ymm1, [r10]
    vmovdqu [rsi+0x360], ymm1
    vmovdqu [rsi+0x3A0], ymm0
    vmovdqu [rsi+0x3E0], ymm7
    add rdi, 0x10
    add rsi, 0x400
    dec rcx
    jne L5
    ret
; routines
L6:
    mov rcx, rax
    mul qword [r10+0x90]
    div qword [r10+0x98]
    mov r8, rax
    mov rax, [r10+0x90]
    inc rax
    mul rcx
    div qword [r10+0x98]
    mov rdx, rax
    mov rax, r8
    ret
; constants

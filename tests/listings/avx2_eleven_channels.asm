; spr:avx2 u8:nchw:1x11x8x8 nhwc
; 1280 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x1C0]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10+0x100], rdi
    mov [r10+0x108], rsi
    mov [r10+0x110], rdx
    mov [r10+0x118], rcx
; nest 1: move 64(s1,d11) 11(s64,d1), cut at step 1 by 1
    cmp qword [r10+0x118], 1
    jne L0
    mov edx, 2
    xor eax, eax
    jmp L1
L0:
    mov eax, 2
    call L6
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0x120], rax
    mov [r10+0x128], rdx
    mov rdi, [r10+0x100]
    mov rsi, [r10+0x108]
; loop 1 by 32
    mov [r10+0x130], rdi
    mov [r10+0x138], rsi
    cmp qword [r10+0x120], 0
    je L2
    mov rcx, [r10+0x120]
    imul rcx, 0x20
    add rdi, rcx
    mov rcx, [r10+0x120]
    imul rcx, 0x160
    add rsi, rcx
L2:
    mov rcx, [r10+0x128]
    mov rdx, [r10+0x120]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0x130]
    mov rsi, [r10+0x138]
; exit
L4:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 32 x 11
L5:
    vmovdqu ymm0, [rdi]
    vmovdqu ymm1, [rdi+0x100]
    vmovdqu ymm2, [rdi+0x40]
    vmovdqu ymm3, [rdi+0x140]
    vmovdqu ymm4, [rdi+0x80]
    vmovdqu ymm5, [rdi+0x180]
    vmovdqu ymm6, [rdi+0xC0]
    vmovdqu ymm7, [rdi+0x1C0]
    vmovdqu ymm8, [rdi+0x200]
    vmovdqu ymm9, [rdi+0x240]
    vmovdqu ymm10, [rdi+0x280]
    vpunpcklwd ymm11, ymm0, ymm1
    vpunpckhwd ymm0, ymm0, ymm1
    vpunpcklwd ymm1, ymm2, ymm3
    vpunpckhwd ymm2, ymm2, ymm3
    vpunpcklwd ymm3, ymm4, ymm5
    vpunpckhwd ymm4, ymm4, ymm5
    vpunpcklwd ymm5, ymm6, ymm7
    vpunpckhwd ymm6, ymm6, ymm7
    vpunpcklwd ymm7, ymm8, ymm8
    vpunpckhwd ymm8, ymm8, ymm8
    vpunpcklwd ymm12, ymm9, ymm9
    vpunpckhwd ymm9, ymm9, ymm9
    vpunpcklwd ymm13, ymm10, ymm10
    vpunpckhwd ymm10, ymm10, ymm10
    vpunpcklbw ymm14, ymm11, ymm1
    vpunpckhbw ymm1, ymm11, ymm1
    vpunpcklbw ymm11, ymm0, ymm2
    vpunpckhbw ymm0, ymm0, ymm2
    vpunpcklbw ymm2, ymm3, ymm5
    vpunpckhbw ymm3, ymm3, ymm5
    vpunpcklbw ymm5, ymm4, ymm6
    vpunpckhbw ymm4, ymm4, ymm6
    vpunpcklbw ymm6, ymm7, ymm12
    vpunpckhbw ymm7, ymm7, ymm12
    vpunpcklbw ymm12, ymm8, ymm9
    vpunpckhbw ymm8, ymm8, ymm9
    vpunpcklbw ymm9, ymm13, ymm13
    vpunpckhbw ymm13, ymm13, ymm13
    vmovdqu [r10], ymm8
    vpunpcklbw ymm8, ymm10, ymm10
    vpunpckhbw ymm10, ymm10, ymm10
    vmovdqu [r10+0x40], ymm10
    vpunpcklwd ymm10, ymm14, ymm2
    vpunpckhwd ymm2, ymm14, ymm2
    vpunpcklwd ymm14, ymm11, ymm5
    vpunpckhwd ymm5, ymm11, ymm5
    vpunpcklwd ymm11, ymm1, ymm3
    vpunpckhwd ymm1, ymm1, ymm3
    vpunpcklwd ymm3, ymm0, ymm4
    vpunpckhwd ymm0, ymm0, ymm4
    vpunpcklwd ymm4, ymm6, ymm9
    vpunpckhwd ymm6, ymm6, ymm9
    vpunpcklwd ymm9, ymm12, ymm8
    vpunpckhwd ymm8, ymm12, ymm8
    vpunpcklwd ymm12, ymm7, ymm13
    vpunpckhwd ymm7, ymm7, ymm13
    vmovdqu ymm13, [r10]
    vmovdqu [r10+0x80], ymm0
    vmovdqu ymm0, [r10+0x40]
    vmovdqu [r10+0xC0], ymm7
    vpunpcklwd ymm7, ymm13, ymm0
    vpunpckhwd ymm0, ymm13, ymm0
    vshufps ymm13, ymm10, ymm4, 0x88
    vshufps ymm4, ymm10, ymm4, 0xDD
    vshufps ymm10, ymm14, ymm9, 0x88
    vshufps ymm9, ymm14, ymm9, 0xDD
    vshufps ymm14, ymm11, ymm12, 0x88
    vshufps ymm11, ymm11, ymm12, 0xDD
    vshufps ymm12, ymm3, ymm7, 0x88
    vshufps ymm3, ymm3, ymm7, 0xDD
    vshufps ymm7, ymm2, ymm6, 0x88
    vshufps ymm2, ymm2, ymm6, 0xDD
    vshufps ymm6, ymm5, ymm8, 0x88
    vshufps ymm5, ymm5, ymm8, 0xDD
    vmovdqu ymm8, [r10+0xC0]
    vmovdqu [r10+0x40], ymm3
    vshufps ymm3, ymm1, ymm8, 0x88
    vshufps ymm1, ymm1, ymm8, 0xDD
    vmovdqu ymm8, [r10+0x80]
    vmovdqu [r10+0xC0], ymm12
    vshufps ymm12, ymm8, ymm0, 0x88
    vshufps ymm0, ymm8, ymm0, 0xDD
    vmovdqu [rsi], xmm13
    vextracti128 [rsi+0xB0], ymm13, 1
    vmovdqu [rsi+0xB], xmm4
    vextracti128 [rsi+0xBB], ymm4, 1
    vmovdqu [rsi+0x16], xmm7
    vextracti128 [rsi+0xC6], ymm7, 1
    vmovdqu [rsi+0x21], xmm2
    vextracti128 [rsi+0xD1], ymm2, 1
    vmovdqu [rsi+0x2C], xmm14
    vextracti128 [rsi+0xDC], ymm14, 1
    vmovdqu [rsi+0x37], xmm11
    vextracti128 [rsi+0xE7], ymm11, 1
    vmovdqu [rsi+0x42], xmm3
    vextracti128 [rsi+0xF2], ymm3, 1
    vmovdqu [rsi+0x4D], xmm1
    vextracti128 [rsi+0xFD], ymm1, 1
    vmovdqu [rsi+0x58], xmm10
    vextracti128 [rsi+0x108], ymm10, 1
    vmovdqu [rsi+0x63], xmm9
    vextracti128 [rsi+0x113], ymm9, 1
    vmovdqu [rsi+0x6E], xmm6
    vextracti128 [rsi+0x11E], ymm6, 1
    vmovdqu [rsi+0x79], xmm5
    vextracti128 [rsi+0x129], ymm5, 1
    vmovdqu ymm1, [r10+0xC0]
    vmovdqu [rsi+0x84], xmm1
    vextracti128 [rsi+0x134], ymm1, 1
    vmovdqu ymm1, [r10+0x40]
    vmovdqu [rsi+0x8F], xmm1
    vextracti128 [rsi+0x13F], ymm1, 1
    vmovdqu [rsi+0x9A], xmm12
    vextracti128 [rsi+0x14A], ymm12, 1
    vmovq [rsi+0xA5], xmm0
    vpextrw [rsi+0xAD], xmm0, 4
    vpextrb [rsi+0xAF], xmm0, 0xA
    vextracti128 xmm15, ymm0, 1
    vmovq [rsi+0x155], xmm15
    vpextrw [rsi+0x15D], xmm15, 4
    vpextrb [rsi+0x15F], xmm15, 0xA
    add rdi, 0x20
    add rsi, 0x160
    dec rcx
    jne L5
    ret
; routines
L6:
    mov rcx, rax
    mul qword [r10+0x110]
    div qword [r10+0x118]
    mov r8, rax
    mov rax, [r10+0x110]
    inc rax
    mul rcx
    div qword [r10+0x118]
    mov rdx, rax
    mov rax, r8
    ret
; constants

; haswell s8:ab:16x16 f32:ba
; 1568 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x1000]
    test [rsp], rsp
    lea rsp, [rbp-0xB80]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10+0xB00], rdi
    mov [r10+0xB08], rsi
    mov [r10+0xB10], rdx
    mov [r10+0xB18], rcx
; nest 1: move 16(s1,d64) 16(s16,d4)
    cmp qword [r10+0xB10], 0
    jne L0
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov ecx, 1
    call L1
; exit
L0:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 16 x 16
L1:
    vmovdqu ymm9, [r11]
L2:
    vmovdqu ymm0, [rdi]
    vmovdqu ymm1, [rdi+0x20]
    vmovdqu ymm2, [rdi+0x40]
    vmovdqu ymm3, [rdi+0x60]
    vmovdqu ymm4, [rdi+0x80]
    vmovdqu ymm5, [rdi+0xA0]
    vmovdqu ymm6, [rdi+0xC0]
    vmovdqu ymm7, [rdi+0xE0]
    vpunpckldq ymm8, ymm0, ymm1
    vpunpckhdq ymm0, ymm0, ymm1
    vpunpckldq ymm1, ymm2, ymm3
    vpunpckhdq ymm2, ymm2, ymm3
    vpunpckldq ymm3, ymm4, ymm5
    vpunpckhdq ymm4, ymm4, ymm5
    vpunpckldq ymm5, ymm6, ymm7
    vpunpckhdq ymm6, ymm6, ymm7
    vpunpcklwd ymm7, ymm8, ymm1
    vpunpckhwd ymm1, ymm8, ymm1
    vpunpcklwd ymm8, ymm0, ymm2
    vpunpckhwd ymm0, ymm0, ymm2
    vpunpcklwd ymm2, ymm3, ymm5
    vpunpckhwd ymm3, ymm3, ymm5
    vpunpcklwd ymm5, ymm4, ymm6
    vpunpckhwd ymm4, ymm4, ymm6
    vshufps ymm6, ymm7, ymm2, 0x88
    vshufps ymm2, ymm7, ymm2, 0xDD
    vshufps ymm7, ymm8, ymm5, 0x88
    vshufps ymm5, ymm8, ymm5, 0xDD
    vshufps ymm8, ymm1, ymm3, 0x88
    vshufps ymm1, ymm1, ymm3, 0xDD
    vshufps ymm3, ymm0, ymm4, 0x88
    vshufps ymm0, ymm0, ymm4, 0xDD
    vpshufb ymm4, ymm6, [r11+0x20]
    vpermd ymm4, ymm9, ymm4
    vpshufb ymm4, ymm4, [r11+0x40]
    vmovdqu [r10+0xC0], ymm4
    vpmovsxbd ymm15, [r10+0xC0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi], ymm15
    vpmovsxbd ymm15, [r10+0xC8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x20], ymm15
    vpmovsxbd ymm15, [r10+0xD0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x40], ymm15
    vpmovsxbd ymm15, [r10+0xD8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x60], ymm15
    vpshufb ymm4, ymm7, [r11+0x20]
    vpermd ymm4, ymm9, ymm4
    vpshufb ymm4, ymm4, [r11+0x40]
    vmovdqu [r10+0xC0], ymm4
    vpmovsxbd ymm15, [r10+0xC0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x200], ymm15
    vpmovsxbd ymm15, [r10+0xC8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x220], ymm15
    vpmovsxbd ymm15, [r10+0xD0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x240], ymm15
    vpmovsxbd ymm15, [r10+0xD8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x260], ymm15
    vpshufb ymm4, ymm8, [r11+0x20]
    vpermd ymm4, ymm9, ymm4
    vpshufb ymm4, ymm4, [r11+0x40]
    vmovdqu [r10+0xC0], ymm4
    vpmovsxbd ymm15, [r10+0xC0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x100], ymm15
    vpmovsxbd ymm15, [r10+0xC8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x120], ymm15
    vpmovsxbd ymm15, [r10+0xD0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x140], ymm15
    vpmovsxbd ymm15, [r10+0xD8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x160], ymm15
    vpshufb ymm3, ymm3, [r11+0x20]
    vpermd ymm3, ymm9, ymm3
    vpshufb ymm3, ymm3, [r11+0x40]
    vmovdqu [r10+0xC0], ymm3
    vpmovsxbd ymm15, [r10+0xC0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x300], ymm15
    vpmovsxbd ymm15, [r10+0xC8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x320], ymm15
    vpmovsxbd ymm15, [r10+0xD0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x340], ymm15
    vpmovsxbd ymm15, [r10+0xD8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x360], ymm15
    vpshufb ymm2, ymm2, [r11+0x20]
    vpermd ymm2, ymm9, ymm2
    vpshufb ymm2, ymm2, [r11+0x40]
    vmovdqu [r10+0xC0], ymm2
    vpmovsxbd ymm15, [r10+0xC0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x80], ymm15
    vpmovsxbd ymm15, [r10+0xC8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0xA0], ymm15
    vpmovsxbd ymm15, [r10+0xD0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0xC0], ymm15
    vpmovsxbd ymm15, [r10+0xD8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0xE0], ymm15
    vpshufb ymm2, ymm5, [r11+0x20]
    vpermd ymm2, ymm9, ymm2
    vpshufb ymm2, ymm2, [r11+0x40]
    vmovdqu [r10+0xC0], ymm2
    vpmovsxbd ymm15, [r10+0xC0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x280], ymm15
    vpmovsxbd ymm15, [r10+0xC8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x2A0], ymm15
    vpmovsxbd ymm15, [r10+0xD0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x2C0], ymm15
    vpmovsxbd ymm15, [r10+0xD8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x2E0], ymm15
    vpshufb ymm1, ymm1, [r11+0x20]
    vpermd ymm1, ymm9, ymm1
    vpshufb ymm1, ymm1, [r11+0x40]
    vmovdqu [r10+0xC0], ymm1
    vpmovsxbd ymm15, [r10+0xC0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x180], ymm15
    vpmovsxbd ymm15, [r10+0xC8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x1A0], ymm15
    vpmovsxbd ymm15, [r10+0xD0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x1C0], ymm15
    vpmovsxbd ymm15, [r10+0xD8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x1E0], ymm15
    vpshufb ymm0, ymm0, [r11+0x20]
    vpermd ymm0, ymm9, ymm0
    vpshufb ymm0, ymm0, [r11+0x40]
    vmovdqu [r10+0xC0], ymm0
    vpmovsxbd ymm15, [r10+0xC0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x380], ymm15
    vpmovsxbd ymm15, [r10+0xC8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x3A0], ymm15
    vpmovsxbd ymm15, [r10+0xD0]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x3C0], ymm15
    vpmovsxbd ymm15, [r10+0xD8]
    vcvtdq2ps ymm15, ymm15
    vmovdqu [rsi+0x3E0], ymm15
    dec rcx
    jne L2
    ret
; routines
    mov rcx, rax
    mul qword [r10+0xB10]
    div qword [r10+0xB18]
    mov r8, rax
    mov rax, [r10+0xB10]
    inc rax
    mul rcx
    div qword [r10+0xB18]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 00 00 00 00 04 00 00 00 02 00 00 00 06 00 00 00 01 00 00 00 05 00 00 00 03 00 00 00 07 00 00 00
    db 00 04 02 06 01 05 03 07 08 0c 0a 0e 09 0d 0b 0f 00 04 02 06 01 05 03 07 08 0c 0a 0e 09 0d 0b 0f
    db 00 04 01 05 02 06 03 07 08 0c 09 0d 0a 0e 0b 0f 00 04 01 05 02 06 03 07 08 0c 09 0d 0a 0e 0b 0f

; haswell f32:nchw:1x3x5x5 nhwc:lower=0,0,1,1:upper=0,0,1,1:fill=1
; 2180 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x80]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10], rdi
    mov [r10+8], rsi
    mov [r10+0x10], rdx
    mov [r10+0x18], rcx
; nest 1: move 5(s20,d84) 7(s4,d12)[1..6] 3(s100,d4), padding 0x3f800000, from s20,d84
    cmp qword [r10+0x10], 0
    jne L0
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 0x14
    add rsi, 0x54
    mov ecx, 1
    call L3
; nest 2: fill 0x3f800000 7(s4,d12) 3(s100,d4)
L0:
    cmp qword [r10+0x10], 0
    jne L1
    mov rdi, [r10]
    mov rsi, [r10+8]
    mov ecx, 1
    call L5
; nest 3: fill 0x3f800000 7(s4,d12) 3(s100,d4), from s120,d504
L1:
    cmp qword [r10+0x10], 0
    jne L2
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 0x78
    add rsi, 0x1F8
    mov ecx, 1
    call L5
; exit
L2:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 5 x 5 of 7 x 3
L3:
    vmovdqu ymm9, [r11]
    vmovdqu ymm10, [r11+0x20]
    vmovdqu ymm11, [r11+0x40]
    vmovdqu ymm12, [r11+0x60]
    vmovdqu ymm13, [r11+0x80]
    vmovdqu ymm14, [r11+0xA0]
L4:
    vmovdqu ymm0, [rdi+4]
    vpermd ymm1, ymm9, ymm0
    vmovdqu ymm2, [rdi+0x64]
    vpermd ymm3, ymm10, ymm2
    vpblendd ymm4, ymm1, ymm3, 0x90
    vmovdqu ymm5, [rdi+0xC4]
    vmovdqu ymm15, [r11+0xC0]
    vpermd ymm6, ymm15, ymm5
    vpblendd ymm4, ymm4, ymm6, 0x20
    vpand ymm15, ymm4, [r11+0xE0]
    vpor ymm15, ymm15, [r11+0x100]
    vmovdqu [rsi], ymm15
    vpblendd ymm1, ymm6, ymm1, 0x92
    vpblendd ymm1, ymm1, ymm3, 0x24
    vmovdqu [rsi+0x20], ymm1
    vpblendd ymm1, ymm3, ymm6, 2
    vpand ymm15, ymm1, [r11+0x120]
    vpor ymm15, ymm15, [r11+0x140]
    vmovdqu [rsi+0x40], ymm15
    vpermd ymm0, ymm11, ymm0
    vpermd ymm1, ymm12, ymm2
    vpblendd ymm0, ymm0, ymm1, 0x12
    vpblendd ymm0, ymm0, ymm6, 4
    vmovdqu ymm1, [rdi+0xE4]
    vpermd ymm2, ymm13, ymm1
    vpblendd ymm0, ymm0, ymm2, 0x20
    vmovdqu ymm4, [rdi+0x84]
    vmovdqu ymm15, [r11+0x160]
    vpermd ymm6, ymm15, ymm4
    vpblendd ymm0, ymm0, ymm6, 0x80
    vmovdqu [rsi+0x60], ymm0
    vmovdqu ymm0, [rdi+0x24]
    vmovdqu ymm15, [r11+0x180]
    vpermd ymm7, ymm15, ymm0
    vpblendd ymm8, ymm2, ymm7, 0x12
    vpblendd ymm8, ymm8, ymm6, 0x24
    vpand ymm15, ymm8, [r11+0x1A0]
    vpor ymm15, ymm15, [r11+0x1C0]
    vmovdqu [rsi+0x80], ymm15
    vpblendd ymm6, ymm7, ymm6, 0x40
    vpblendd ymm2, ymm6, ymm2, 0x80
    vpand ymm15, ymm2, [r11+0x1E0]
    vpor ymm15, ymm15, [r11+0x200]
    vmovdqu [rsi+0xA0], ymm15
    vmovdqu ymm15, [r11+0x220]
    vpermd ymm2, ymm15, ymm4
    vpblendd ymm4, ymm7, ymm2, 0x92
    vpermd ymm1, ymm14, ymm1
    vpblendd ymm4, ymm4, ymm1, 0x24
    vmovdqu [rsi+0xC0], ymm4
    vmovdqu ymm15, [r11+0x240]
    vpermd ymm0, ymm15, ymm0
    vpblendd ymm0, ymm1, ymm0, 2
    vpblendd ymm0, ymm0, ymm2, 4
    vmovdqu ymm1, [rdi+0x104]
    vpermd ymm2, ymm10, ymm1
    vpblendd ymm0, ymm0, ymm2, 8
    vpand ymm15, ymm0, [r11+0x260]
    vpor ymm15, ymm15, [r11+0x280]
    vmovdqu [rsi+0xE0], ymm15
    vmovdqu ymm0, [rdi+0xA4]
    vpermd ymm4, ymm9, ymm0
    vpblendd ymm6, ymm7, ymm4, 0x48
    vpblendd ymm6, ymm6, ymm2, 0x90
    vmovdqu ymm7, [rdi+0x44]
    vpermd ymm8, ymm13, ymm7
    vpblendd ymm6, ymm6, ymm8, 0x20
    vpand ymm15, ymm6, [r11+0x2A0]
    vpor ymm15, ymm15, [r11+0x2C0]
    vmovdqu [rsi+0x100], ymm15
    vpblendd ymm4, ymm8, ymm4, 0x92
    vpblendd ymm4, ymm4, ymm2, 0x24
    vmovdqu [rsi+0x120], ymm4
    vpblendd ymm2, ymm2, ymm8, 0x80
    vpand ymm15, ymm2, [r11+0x2E0]
    vpor ymm15, ymm15, [r11+0x300]
    vmovdqu [rsi+0x140], ymm15
    vpermd ymm0, ymm11, ymm0
    vpermd ymm1, ymm12, ymm1
    vpblendd ymm0, ymm0, ymm1, 0x12
    vpermd ymm1, ymm14, ymm7
    vpblendd ymm0, ymm0, ymm1, 0x24
    vmovdqu ymm2, [r11+0x320]
    vpmaskmovd ymm2, ymm2, [rdi+0x124]
    vmovdqu ymm15, [r11+0x340]
    vpermd ymm2, ymm15, ymm2
    vpblendd ymm0, ymm0, ymm2, 0x80
    vmovdqu [rsi+0x160], ymm0
    vmovdqu ymm15, [r11+0x360]
    vpermd ymm0, ymm15, ymm5
    vpblendd ymm0, ymm1, ymm0, 0x12
    vpblendd ymm0, ymm0, ymm2, 0x24
    vpblendd ymm0, ymm0, ymm3, 8
    vpand ymm15, ymm0, [r11+0x380]
    vpor ymm15, ymm15, [r11+0x3A0]
    vmovdqu [rsi+0x180], ymm15
    vpbroadcastd ymm15, [r11+0x3C0]
    vmovd [rsi+0x1A0], xmm15
    dec rcx
    jne L4
    ret
; tile 1 of nest 2: fill 0x3f800000 0 of 7 x 0 of 3
L5:
    vpbroadcastd ymm0, [r11+0x3C0]
L6:
    vmovdqu [rsi], ymm0
    vmovdqu [rsi+0x20], ymm0
    vmovdqu [rsi+0x40], xmm0
    vextracti128 xmm15, ymm0, 1
    vmovd [rsi+0x50], xmm15
    dec rcx
    jne L6
    ret
; routines
    mov rcx, rax
    cmp qword [r10+0x18], 1
    jne L7
    xor eax, eax
    mov rdx, rcx
    ret
L7:
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
    db 00 00 00 00 02 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00 05 00 00 00 01 00 00 00 04 00 00 00
    db 05 00 00 00 01 00 00 00 03 00 00 00 00 00 00 00 01 00 00 00 04 00 00 00 06 00 00 00 02 00 00 00
    db 05 00 00 00 01 00 00 00 02 00 00 00 06 00 00 00 04 00 00 00 05 00 00 00 07 00 00 00 07 00 00 00
    db 00 00 00 00 06 00 00 00 02 00 00 00 03 00 00 00 07 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00
    db 01 00 00 00 01 00 00 00 02 00 00 00 02 00 00 00 04 00 00 00 00 00 00 00 03 00 00 00 04 00 00 00
    db 07 00 00 00 01 00 00 00 05 00 00 00 03 00 00 00 04 00 00 00 06 00 00 00 06 00 00 00 07 00 00 00
    db 03 00 00 00 06 00 00 00 07 00 00 00 04 00 00 00 04 00 00 00 02 00 00 00 05 00 00 00 07 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff
    db 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f
    db 00 00 00 00 01 00 00 00 01 00 00 00 03 00 00 00 04 00 00 00 02 00 00 00 03 00 00 00 00 00 00 00
    db 03 00 00 00 00 00 00 00 07 00 00 00 04 00 00 00 01 00 00 00 02 00 00 00 05 00 00 00 07 00 00 00
    db ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff
    db 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 04 00 00 00 07 00 00 00 03 00 00 00 05 00 00 00 05 00 00 00 06 00 00 00 06 00 00 00
    db 00 00 00 00 06 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00
    db ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f
    db 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff
    db 00 00 80 3f 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff
    db 00 00 00 00 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 00 00
    db ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 01 00 00 00 01 00 00 00 03 00 00 00 04 00 00 00 02 00 00 00 06 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 02 00 00 00 03 00 00 00 01 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00
    db ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 3f
    db 00 00 80 3f

; haswell f32:nchw:1x3x5x5 nhwc:lower=0,0,1,1:upper=0,0,1,1:fill=1
; 1728 bytes
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
; nest 1: move 7(s20,d84)[1..6] 7(s4,d12)[1..6] 3(s100,d4), padding 0x3f800000
    cmp qword [r10+0x10], 0
    jne L0
    mov rdi, [r10]
    mov rsi, [r10+8]
    mov ecx, 1
    call L1
; exit
L0:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 5 of 7 x 5 of 7 x 3
L1:
    vpbroadcastd ymm10, [r11]
    vmovdqu ymm11, [r11+0x20]
    vmovdqu ymm12, [r11+0x40]
    vmovdqu ymm13, [r11+0x60]
    vmovdqu ymm14, [r11+0x80]
L2:
    vmovdqu [rsi], ymm10
    vmovdqu [rsi+0x20], ymm10
    vmovdqu [rsi+0x40], ymm10
    vmovdqu ymm0, [rdi+0x18]
    vpermd ymm1, ymm11, ymm0
    vmovdqu ymm2, [rdi+0x78]
    vpermd ymm3, ymm12, ymm2
    vpblendd ymm4, ymm1, ymm3, 0x92
    vmovdqu ymm5, [rdi+0xD8]
    vpermd ymm6, ymm14, ymm5
    vpblendd ymm4, ymm4, ymm6, 0x24
    vmovdqu [rsi+0x60], ymm4
    vpblendd ymm4, ymm6, ymm1, 0x12
    vpblendd ymm4, ymm4, ymm3, 0x24
    vpand ymm15, ymm4, [r11+0xA0]
    vpor ymm15, ymm15, [r11+0xC0]
    vmovdqu [rsi+0x80], ymm15
    vpblendd ymm1, ymm1, ymm3, 0x40
    vpblendd ymm1, ymm1, ymm6, 0x80
    vpand ymm15, ymm1, [r11+0xE0]
    vpor ymm15, ymm15, [r11+0x100]
    vmovdqu [rsi+0xA0], ymm15
    vpermq ymm0, ymm0, 0xEF
    vpermq ymm1, ymm2, 0xE7
    vpblendd ymm0, ymm0, ymm1, 2
    vmovdqu ymm1, [rdi+0xF8]
    vpermd ymm2, ymm13, ymm1
    vpblendd ymm0, ymm0, ymm2, 0x24
    vmovdqu ymm4, [rdi+0x98]
    vmovdqu ymm15, [r11+0x120]
    vpermd ymm7, ymm15, ymm4
    vpblendd ymm0, ymm0, ymm7, 0x90
    vmovdqu ymm8, [rdi+0x38]
    vmovdqu ymm15, [r11+0x140]
    vpermd ymm9, ymm15, ymm8
    vpblendd ymm0, ymm0, ymm9, 0x40
    vmovdqu [rsi+0xC0], ymm0
    vpblendd ymm0, ymm2, ymm9, 2
    vpblendd ymm0, ymm0, ymm7, 4
    vmovdqa xmm15, xmm0
    vpor ymm15, ymm15, [r11+0x160]
    vmovdqu [rsi+0xE0], ymm15
    vpblendd ymm0, ymm9, ymm7, 0x48
    vpblendd ymm0, ymm0, ymm2, 0x90
    vpand ymm15, ymm0, [r11+0x180]
    vpor ymm15, ymm15, [r11+0x1A0]
    vmovdqu [rsi+0x100], ymm15
    vpermq ymm0, ymm8, 0xEA
    vpermq ymm2, ymm4, 0xF6
    vpblendd ymm0, ymm0, ymm2, 0x92
    vpermq ymm1, ymm1, 0xFC
    vpblendd ymm0, ymm0, ymm1, 0x24
    vmovdqu [rsi+0x120], ymm0
    vmovdqu ymm0, [rdi+0x118]
    vpermd ymm1, ymm12, ymm0
    vpblendd ymm2, ymm1, ymm9, 0x80
    vpand ymm15, ymm2, [r11+0x1C0]
    vpor ymm15, ymm15, [r11+0x1E0]
    vmovdqu [rsi+0x140], ymm15
    vmovdqu ymm2, [rdi+0xB8]
    vpermd ymm4, ymm11, ymm2
    vpblendd ymm7, ymm4, ymm1, 0x92
    vmovdqu ymm8, [rdi+0x58]
    vpermd ymm9, ymm13, ymm8
    vpblendd ymm7, ymm7, ymm9, 0x24
    vmovdqu [rsi+0x160], ymm7
    vpblendd ymm7, ymm9, ymm4, 0x12
    vpblendd ymm7, ymm7, ymm1, 0x24
    vpand ymm15, ymm7, [r11+0x200]
    vpor ymm15, ymm15, [r11+0x220]
    vmovdqu [rsi+0x180], ymm15
    vpblendd ymm4, ymm9, ymm4, 0x20
    vpblendd ymm1, ymm4, ymm1, 0x40
    vpand ymm15, ymm1, [r11+0x240]
    vpor ymm15, ymm15, [r11+0x260]
    vmovdqu [rsi+0x1A0], ymm15
    vpermq ymm1, ymm2, 0xEF
    vpermq ymm0, ymm0, 0xE7
    vpblendd ymm0, ymm1, ymm0, 2
    vpermq ymm1, ymm8, 0xFC
    vpblendd ymm0, ymm0, ymm1, 0x24
    vmovdqu ymm1, [r11+0x280]
    vpmaskmovd ymm1, ymm1, [rdi+0x138]
    vpermq ymm1, ymm1, 4
    vpblendd ymm0, ymm0, ymm1, 0x90
    vpermq ymm2, ymm5, 0x24
    vpblendd ymm0, ymm0, ymm2, 0x40
    vmovdqu [rsi+0x1C0], ymm0
    vpblendd ymm0, ymm3, ymm6, 2
    vpblendd ymm0, ymm0, ymm1, 4
    vpand ymm15, ymm0, [r11+0x280]
    vpor ymm15, ymm15, [r11+0x2A0]
    vmovdqu [rsi+0x1E0], ymm15
    vmovdqu [rsi+0x200], ymm10
    vmovdqu [rsi+0x220], ymm10
    vmovq [rsi+0x240], xmm10
    vpextrd [rsi+0x248], xmm10, 2
    dec rcx
    jne L2
    ret
; routines
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
    db 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 03 00 00 00 02 00 00 00 01 00 00 00 04 00 00 00 05 00 00 00 02 00 00 00 07 00 00 00
    db 00 00 00 00 01 00 00 00 04 00 00 00 03 00 00 00 02 00 00 00 05 00 00 00 06 00 00 00 03 00 00 00
    db 02 00 00 00 01 00 00 00 00 00 00 00 03 00 00 00 04 00 00 00 01 00 00 00 06 00 00 00 05 00 00 00
    db 04 00 00 00 01 00 00 00 02 00 00 00 05 00 00 00 04 00 00 00 03 00 00 00 06 00 00 00 07 00 00 00
    db ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff
    db 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 00 00 00 00 05 00 00 00 04 00 00 00 01 00 00 00
    db 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 03 00 00 00 00 00 00 00 07 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f
    db 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff
    db 00 00 80 3f 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff
    db 00 00 00 00 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 00 00
    db ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 3f
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff
    db 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 80 3f

; zen4 s8:ab:16x16 f32:ba
; 1176 bytes
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
    vmovdqu64 zmm5, [r11]
    vmovdqu64 zmm6, [r11+0x40]
    vmovdqu64 zmm7, [r11+0x80]
    vmovdqu64 zmm8, [r11+0xC0]
    vmovdqu64 zmm9, [r11+0x100]
    vpbroadcastd zmm10, [r11+0x140]
    vpbroadcastd zmm11, [r11+0x144]
    vpbroadcastd zmm12, [r11+0x148]
    kmovq k1, [r11+0x150]
L2:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x40]
    vmovdqu64 zmm2, [rdi+0x80]
    vmovdqu64 zmm3, [rdi+0xC0]
    vpunpcklqdq zmm4, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vpunpcklqdq zmm1, zmm2, zmm3
    vpunpckhqdq zmm2, zmm2, zmm3
    vshufps zmm3, zmm4, zmm1, 0x88
    vshufps zmm1, zmm4, zmm1, 0xDD
    vshufps zmm4, zmm0, zmm2, 0x88
    vshufps zmm0, zmm0, zmm2, 0xDD
    vpermb zmm2, zmm5, zmm3
    vpxord zmm2, zmm2, zmm12
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm6, zmm2
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm7, zmm2
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x40], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm8, zmm2
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x80], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm9, zmm2
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0xC0], zmm27
    vpermb zmm2, zmm5, zmm4
    vpxord zmm2, zmm2, zmm12
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm6, zmm2
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x200], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm7, zmm2
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x240], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm8, zmm2
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x280], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm9, zmm2
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x2C0], zmm27
    vpermb zmm1, zmm5, zmm1
    vpxord zmm1, zmm1, zmm12
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm6, zmm1
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x100], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm7, zmm1
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x140], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm8, zmm1
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x180], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm9, zmm1
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x1C0], zmm27
    vpermb zmm0, zmm5, zmm0
    vpxord zmm0, zmm0, zmm12
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm6, zmm0
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x300], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm7, zmm0
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x340], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm8, zmm0
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x380], zmm27
    vmovdqa64 zmm27, zmm10
    vpermb zmm27{k1}, zmm9, zmm0
    vsubps zmm27, zmm27, zmm11
    vmovdqu64 [rsi+0x3C0], zmm27
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
    db 00 10 20 30 04 14 24 34 08 18 28 38 0c 1c 2c 3c 01 11 21 31 05 15 25 35 09 19 29 39 0d 1d 2d 3d
    db 02 12 22 32 06 16 26 36 0a 1a 2a 3a 0e 1e 2e 3e 03 13 23 33 07 17 27 37 0b 1b 2b 3b 0f 1f 2f 3f
    db 00 00 00 00 01 01 01 01 02 02 02 02 03 03 03 03 04 04 04 04 05 05 05 05 06 06 06 06 07 07 07 07
    db 08 08 08 08 09 09 09 09 0a 0a 0a 0a 0b 0b 0b 0b 0c 0c 0c 0c 0d 0d 0d 0d 0e 0e 0e 0e 0f 0f 0f 0f
    db 10 10 10 10 11 11 11 11 12 12 12 12 13 13 13 13 14 14 14 14 15 15 15 15 16 16 16 16 17 17 17 17
    db 18 18 18 18 19 19 19 19 1a 1a 1a 1a 1b 1b 1b 1b 1c 1c 1c 1c 1d 1d 1d 1d 1e 1e 1e 1e 1f 1f 1f 1f
    db 20 20 20 20 21 21 21 21 22 22 22 22 23 23 23 23 24 24 24 24 25 25 25 25 26 26 26 26 27 27 27 27
    db 28 28 28 28 29 29 29 29 2a 2a 2a 2a 2b 2b 2b 2b 2c 2c 2c 2c 2d 2d 2d 2d 2e 2e 2e 2e 2f 2f 2f 2f
    db 30 30 30 30 31 31 31 31 32 32 32 32 33 33 33 33 34 34 34 34 35 35 35 35 36 36 36 36 37 37 37 37
    db 38 38 38 38 39 39 39 39 3a 3a 3a 3a 3b 3b 3b 3b 3c 3c 3c 3c 3d 3d 3d 3d 3e 3e 3e 3e 3f 3f 3f 3f
    db 00 00 00 4b 80 00 00 4b 80 80 80 80 00 00 00 00 11 11 11 11 11 11 11 11

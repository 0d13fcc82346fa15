; spr bf16:ab:16x32 ba --sum=0.5
; 3712 bytes
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
; nest 1: move 32(s2,d32) 16(s64,d2)
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
; tile 1 of nest 1: move 32 x 16
L1:
    vmovdqu64 zmm20, [r11]
    vmovdqu64 zmm21, [r11+0x40]
    vpbroadcastd zmm22, [r11+0x80]
    vpbroadcastd zmm23, [r11+0x84]
    vpbroadcastd zmm24, [r11+0x88]
    kmovq k1, [r11+0x90]
L2:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x80]
    vpunpckldq zmm2, zmm0, zmm1
    vpunpckhdq zmm0, zmm0, zmm1
    vmovdqu64 zmm1, [rdi+0x40]
    vmovdqu64 zmm3, [rdi+0xC0]
    vpunpckldq zmm4, zmm1, zmm3
    vpunpcklwd zmm5, zmm2, zmm4
    vpunpckhwd zmm2, zmm2, zmm4
    vpunpckhdq zmm1, zmm1, zmm3
    vpunpcklwd zmm3, zmm0, zmm1
    vpunpckhwd zmm0, zmm0, zmm1
    vmovdqu64 zmm1, [rdi+0x100]
    vmovdqu64 zmm4, [rdi+0x180]
    vpunpckldq zmm6, zmm1, zmm4
    vpunpckhdq zmm1, zmm1, zmm4
    vmovdqu64 zmm4, [rdi+0x140]
    vmovdqu64 zmm7, [rdi+0x1C0]
    vpunpckldq zmm8, zmm4, zmm7
    vpunpcklwd zmm9, zmm6, zmm8
    vshufps zmm10, zmm5, zmm9, 0x88
    vshufps zmm5, zmm5, zmm9, 0xDD
    vpunpckhwd zmm6, zmm6, zmm8
    vshufps zmm8, zmm2, zmm6, 0x88
    vshufps zmm2, zmm2, zmm6, 0xDD
    vpunpckhdq zmm4, zmm4, zmm7
    vpunpcklwd zmm6, zmm1, zmm4
    vshufps zmm7, zmm3, zmm6, 0x88
    vshufps zmm3, zmm3, zmm6, 0xDD
    vpunpckhwd zmm1, zmm1, zmm4
    vshufps zmm4, zmm0, zmm1, 0x88
    vshufps zmm0, zmm0, zmm1, 0xDD
    vmovdqu64 zmm1, [rdi+0x200]
    vmovdqu64 zmm6, [rdi+0x280]
    vpunpckldq zmm9, zmm1, zmm6
    vpunpckhdq zmm1, zmm1, zmm6
    vmovdqu64 zmm6, [rdi+0x240]
    vmovdqu64 zmm11, [rdi+0x2C0]
    vpunpckldq zmm12, zmm6, zmm11
    vpunpcklwd zmm13, zmm9, zmm12
    vpunpckhwd zmm9, zmm9, zmm12
    vpunpckhdq zmm6, zmm6, zmm11
    vpunpcklwd zmm11, zmm1, zmm6
    vpunpckhwd zmm1, zmm1, zmm6
    vmovdqu64 zmm6, [rdi+0x300]
    vmovdqu64 zmm12, [rdi+0x380]
    vpunpckldq zmm14, zmm6, zmm12
    vpunpckhdq zmm6, zmm6, zmm12
    vmovdqu64 zmm12, [rdi+0x340]
    vmovdqu64 zmm15, [rdi+0x3C0]
    vpunpckldq zmm16, zmm12, zmm15
    vpunpcklwd zmm17, zmm14, zmm16
    vshufps zmm18, zmm13, zmm17, 0x88
    vshufi64x2 zmm19, zmm10, zmm18, 0x44
    vshufi64x2 zmm10, zmm10, zmm18, 0xEE
    vshufps zmm13, zmm13, zmm17, 0xDD
    vshufi64x2 zmm17, zmm5, zmm13, 0x44
    vshufi64x2 zmm18, zmm19, zmm17, 0x88
    vpermb zmm27{k1}{z}, zmm20, zmm18
    vpmovzxwd zmm31, [rsi]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm18
    vpmovzxwd zmm31, [rsi+0x20]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L19
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L3:
    vmovdqu64 [rsi], zmm27
    vshufi64x2 zmm17, zmm19, zmm17, 0xDD
    vpermb zmm27{k1}{z}, zmm20, zmm17
    vpmovzxwd zmm31, [rsi+0x100]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm17
    vpmovzxwd zmm31, [rsi+0x120]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L20
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L4:
    vmovdqu64 [rsi+0x100], zmm27
    vshufi64x2 zmm5, zmm5, zmm13, 0xEE
    vshufi64x2 zmm13, zmm10, zmm5, 0x88
    vpermb zmm27{k1}{z}, zmm20, zmm13
    vpmovzxwd zmm31, [rsi+0x200]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm13
    vpmovzxwd zmm31, [rsi+0x220]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L21
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L5:
    vmovdqu64 [rsi+0x200], zmm27
    vshufi64x2 zmm5, zmm10, zmm5, 0xDD
    vpermb zmm27{k1}{z}, zmm20, zmm5
    vpmovzxwd zmm31, [rsi+0x300]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm5
    vpmovzxwd zmm31, [rsi+0x320]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L22
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L6:
    vmovdqu64 [rsi+0x300], zmm27
    vpunpckhwd zmm5, zmm14, zmm16
    vshufps zmm10, zmm9, zmm5, 0x88
    vshufi64x2 zmm13, zmm8, zmm10, 0x44
    vshufi64x2 zmm8, zmm8, zmm10, 0xEE
    vshufps zmm5, zmm9, zmm5, 0xDD
    vshufi64x2 zmm9, zmm2, zmm5, 0x44
    vshufi64x2 zmm10, zmm13, zmm9, 0x88
    vpermb zmm27{k1}{z}, zmm20, zmm10
    vpmovzxwd zmm31, [rsi+0x40]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm10
    vpmovzxwd zmm31, [rsi+0x60]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L23
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L7:
    vmovdqu64 [rsi+0x40], zmm27
    vshufi64x2 zmm9, zmm13, zmm9, 0xDD
    vpermb zmm27{k1}{z}, zmm20, zmm9
    vpmovzxwd zmm31, [rsi+0x140]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm9
    vpmovzxwd zmm31, [rsi+0x160]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L24
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L8:
    vmovdqu64 [rsi+0x140], zmm27
    vshufi64x2 zmm2, zmm2, zmm5, 0xEE
    vshufi64x2 zmm5, zmm8, zmm2, 0x88
    vpermb zmm27{k1}{z}, zmm20, zmm5
    vpmovzxwd zmm31, [rsi+0x240]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm5
    vpmovzxwd zmm31, [rsi+0x260]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L25
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L9:
    vmovdqu64 [rsi+0x240], zmm27
    vshufi64x2 zmm2, zmm8, zmm2, 0xDD
    vpermb zmm27{k1}{z}, zmm20, zmm2
    vpmovzxwd zmm31, [rsi+0x340]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm2
    vpmovzxwd zmm31, [rsi+0x360]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L26
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L10:
    vmovdqu64 [rsi+0x340], zmm27
    vpunpckhdq zmm2, zmm12, zmm15
    vpunpcklwd zmm5, zmm6, zmm2
    vshufps zmm8, zmm11, zmm5, 0x88
    vshufi64x2 zmm9, zmm7, zmm8, 0x44
    vshufi64x2 zmm7, zmm7, zmm8, 0xEE
    vshufps zmm5, zmm11, zmm5, 0xDD
    vshufi64x2 zmm8, zmm3, zmm5, 0x44
    vshufi64x2 zmm10, zmm9, zmm8, 0x88
    vpermb zmm27{k1}{z}, zmm20, zmm10
    vpmovzxwd zmm31, [rsi+0x80]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm10
    vpmovzxwd zmm31, [rsi+0xA0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L27
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L11:
    vmovdqu64 [rsi+0x80], zmm27
    vshufi64x2 zmm8, zmm9, zmm8, 0xDD
    vpermb zmm27{k1}{z}, zmm20, zmm8
    vpmovzxwd zmm31, [rsi+0x180]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm8
    vpmovzxwd zmm31, [rsi+0x1A0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L28
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L12:
    vmovdqu64 [rsi+0x180], zmm27
    vshufi64x2 zmm3, zmm3, zmm5, 0xEE
    vshufi64x2 zmm5, zmm7, zmm3, 0x88
    vpermb zmm27{k1}{z}, zmm20, zmm5
    vpmovzxwd zmm31, [rsi+0x280]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm5
    vpmovzxwd zmm31, [rsi+0x2A0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L29
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L13:
    vmovdqu64 [rsi+0x280], zmm27
    vshufi64x2 zmm3, zmm7, zmm3, 0xDD
    vpermb zmm27{k1}{z}, zmm20, zmm3
    vpmovzxwd zmm31, [rsi+0x380]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm3
    vpmovzxwd zmm31, [rsi+0x3A0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L30
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L14:
    vmovdqu64 [rsi+0x380], zmm27
    vpunpckhwd zmm2, zmm6, zmm2
    vshufps zmm3, zmm1, zmm2, 0x88
    vshufi64x2 zmm5, zmm4, zmm3, 0x44
    vshufi64x2 zmm3, zmm4, zmm3, 0xEE
    vshufps zmm1, zmm1, zmm2, 0xDD
    vshufi64x2 zmm2, zmm0, zmm1, 0x44
    vshufi64x2 zmm4, zmm5, zmm2, 0x88
    vpermb zmm27{k1}{z}, zmm20, zmm4
    vpmovzxwd zmm31, [rsi+0xC0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm4
    vpmovzxwd zmm31, [rsi+0xE0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L31
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L15:
    vmovdqu64 [rsi+0xC0], zmm27
    vshufi64x2 zmm2, zmm5, zmm2, 0xDD
    vpermb zmm27{k1}{z}, zmm20, zmm2
    vpmovzxwd zmm31, [rsi+0x1C0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm2
    vpmovzxwd zmm31, [rsi+0x1E0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L32
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L16:
    vmovdqu64 [rsi+0x1C0], zmm27
    vshufi64x2 zmm0, zmm0, zmm1, 0xEE
    vshufi64x2 zmm1, zmm3, zmm0, 0x88
    vpermb zmm27{k1}{z}, zmm20, zmm1
    vpmovzxwd zmm31, [rsi+0x2C0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm1
    vpmovzxwd zmm31, [rsi+0x2E0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L33
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L17:
    vmovdqu64 [rsi+0x2C0], zmm27
    vshufi64x2 zmm0, zmm3, zmm0, 0xDD
    vpermb zmm27{k1}{z}, zmm20, zmm0
    vpmovzxwd zmm31, [rsi+0x3C0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm27, zmm22, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k1}{z}, zmm21, zmm0
    vpmovzxwd zmm31, [rsi+0x3E0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm24
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm23
    vfixupimmps zmm30, zmm28, zmm22, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L34
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L18:
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
L19:
    call L35
    jmp L3
L20:
    call L35
    jmp L4
L21:
    call L35
    jmp L5
L22:
    call L35
    jmp L6
L23:
    call L35
    jmp L7
L24:
    call L35
    jmp L8
L25:
    call L35
    jmp L9
L26:
    call L35
    jmp L10
L27:
    call L35
    jmp L11
L28:
    call L35
    jmp L12
L29:
    call L35
    jmp L13
L30:
    call L35
    jmp L14
L31:
    call L35
    jmp L15
L32:
    call L35
    jmp L16
L33:
    call L35
    jmp L17
L34:
    call L35
    jmp L18
L35:
    vpbroadcastd zmm30, [r11+0x84]
    vfixupimmps zmm30, zmm27, [r11+0x80]{1to16}, 0
    vmovdqa64 zmm27, zmm30
    vptestmd k6, zmm27, [r11+0x8C]{1to16}
    vpaddd zmm30, zmm27, [r11+0x98]{1to16}
    vpaddd zmm30{k6}, zmm27, [r11+0x9C]{1to16}
    vfixupimmps zmm30, zmm27, [r11+0xA0]{1to16}, 0
    vmovdqa64 zmm27, zmm30
    vpbroadcastd zmm30, [r11+0x84]
    vfixupimmps zmm30, zmm28, [r11+0x80]{1to16}, 0
    vmovdqa64 zmm28, zmm30
    vptestmd k6, zmm28, [r11+0x8C]{1to16}
    vpaddd zmm30, zmm28, [r11+0x98]{1to16}
    vpaddd zmm30{k6}, zmm28, [r11+0x9C]{1to16}
    vfixupimmps zmm30, zmm28, [r11+0xA0]{1to16}, 0
    vmovdqa64 zmm28, zmm30
    vpsrld zmm27, zmm27, 0x10
    vpternlogd zmm27, zmm28, [r11+0xA4]{1to16}, 0xF8
    vmovdqu64 zmm30, [r11+0xC0]
    vpermw zmm27, zmm30, zmm27
    ret
; constants
    db 00 01 00 01 02 03 02 03 04 05 04 05 06 07 06 07 08 09 08 09 0a 0b 0a 0b 0c 0d 0c 0d 0e 0f 0e 0f
    db 10 11 10 11 12 13 12 13 14 15 14 15 16 17 16 17 18 19 18 19 1a 1b 1a 1b 1c 1d 1c 1d 1e 1f 1e 1f
    db 20 21 20 21 22 23 22 23 24 25 24 25 26 27 26 27 28 29 28 29 2a 2b 2a 2b 2c 2d 2c 2d 2e 2f 2e 2f
    db 30 31 30 31 32 33 32 33 34 35 34 35 36 37 36 37 38 39 38 39 3a 3b 3a 3b 3c 3d 3c 3d 3e 3f 3e 3f
    db 00 11 11 11 00 00 c0 7f 00 00 00 3f 00 00 01 00 cc cc cc cc cc cc cc cc ff 7f 00 00 00 80 00 00
    db 22 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 02 00 04 00 06 00 08 00 0a 00 0c 00 0e 00 10 00 12 00 14 00 16 00 18 00 1a 00 1c 00 1e 00
    db 01 00 03 00 05 00 07 00 09 00 0b 00 0d 00 0f 00 11 00 13 00 15 00 17 00 19 00 1b 00 1d 00 1f 00

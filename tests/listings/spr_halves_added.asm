; spr bf16:ab:16x32 ba --sum=0.5
; 3904 bytes
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
    vmovdqu64 zmm6, [r11]
    vmovdqu64 zmm7, [r11+0x40]
    vmovdqu64 zmm8, [r11+0x80]
    vpbroadcastd zmm9, [r11+0xC0]
    vpbroadcastd zmm10, [r11+0xC4]
    vpbroadcastd zmm11, [r11+0xC8]
    kmovq k1, [r11+0xD0]
    kmovq k2, [r11+0xD8]
    kmovq k3, [r11+0xE0]
    kmovq k4, [r11+0xE8]
L2:
    vmovdqu64 xmm0, [rdi]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x200]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x40]
    vbroadcasti32x4 zmm0{k3}, [rdi+0x240]
    vmovdqu64 xmm1, [rdi+0x80]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x280]
    vbroadcasti32x4 zmm1{k2}, [rdi+0xC0]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x2C0]
    vpunpcklqdq zmm2, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vmovdqu64 xmm1, [rdi+0x100]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x300]
    vbroadcasti32x4 zmm1{k2}, [rdi+0x140]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x340]
    vmovdqu64 xmm3, [rdi+0x180]
    vbroadcasti32x4 zmm3{k1}, [rdi+0x380]
    vbroadcasti32x4 zmm3{k2}, [rdi+0x1C0]
    vbroadcasti32x4 zmm3{k3}, [rdi+0x3C0]
    vpunpcklqdq zmm4, zmm1, zmm3
    vshufps zmm5, zmm2, zmm4, 0x88
    vpermw zmm5, zmm6, zmm5
    vpermb zmm27{k4}{z}, zmm7, zmm5
    vpmovzxwd zmm31, [rsi]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm5
    vpmovzxwd zmm31, [rsi+0x20]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L19
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L3:
    vmovdqu64 [rsi], zmm27
    vshufps zmm2, zmm2, zmm4, 0xDD
    vpermw zmm2, zmm6, zmm2
    vpermb zmm27{k4}{z}, zmm7, zmm2
    vpmovzxwd zmm31, [rsi+0x40]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm2
    vpmovzxwd zmm31, [rsi+0x60]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L20
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L4:
    vmovdqu64 [rsi+0x40], zmm27
    vpunpckhqdq zmm1, zmm1, zmm3
    vshufps zmm2, zmm0, zmm1, 0x88
    vpermw zmm2, zmm6, zmm2
    vpermb zmm27{k4}{z}, zmm7, zmm2
    vpmovzxwd zmm31, [rsi+0x80]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm2
    vpmovzxwd zmm31, [rsi+0xA0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L21
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L5:
    vmovdqu64 [rsi+0x80], zmm27
    vshufps zmm0, zmm0, zmm1, 0xDD
    vpermw zmm0, zmm6, zmm0
    vpermb zmm27{k4}{z}, zmm7, zmm0
    vpmovzxwd zmm31, [rsi+0xC0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm0
    vpmovzxwd zmm31, [rsi+0xE0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L22
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L6:
    vmovdqu64 [rsi+0xC0], zmm27
    vmovdqu64 xmm0, [rdi+0x10]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x210]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x50]
    vbroadcasti32x4 zmm0{k3}, [rdi+0x250]
    vmovdqu64 xmm1, [rdi+0x90]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x290]
    vbroadcasti32x4 zmm1{k2}, [rdi+0xD0]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x2D0]
    vpunpcklqdq zmm2, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vmovdqu64 xmm1, [rdi+0x110]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x310]
    vbroadcasti32x4 zmm1{k2}, [rdi+0x150]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x350]
    vmovdqu64 xmm3, [rdi+0x190]
    vbroadcasti32x4 zmm3{k1}, [rdi+0x390]
    vbroadcasti32x4 zmm3{k2}, [rdi+0x1D0]
    vbroadcasti32x4 zmm3{k3}, [rdi+0x3D0]
    vpunpcklqdq zmm4, zmm1, zmm3
    vshufps zmm5, zmm2, zmm4, 0x88
    vpermw zmm5, zmm6, zmm5
    vpermb zmm27{k4}{z}, zmm7, zmm5
    vpmovzxwd zmm31, [rsi+0x100]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm5
    vpmovzxwd zmm31, [rsi+0x120]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L23
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L7:
    vmovdqu64 [rsi+0x100], zmm27
    vshufps zmm2, zmm2, zmm4, 0xDD
    vpermw zmm2, zmm6, zmm2
    vpermb zmm27{k4}{z}, zmm7, zmm2
    vpmovzxwd zmm31, [rsi+0x140]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm2
    vpmovzxwd zmm31, [rsi+0x160]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L24
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L8:
    vmovdqu64 [rsi+0x140], zmm27
    vpunpckhqdq zmm1, zmm1, zmm3
    vshufps zmm2, zmm0, zmm1, 0x88
    vpermw zmm2, zmm6, zmm2
    vpermb zmm27{k4}{z}, zmm7, zmm2
    vpmovzxwd zmm31, [rsi+0x180]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm2
    vpmovzxwd zmm31, [rsi+0x1A0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L25
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L9:
    vmovdqu64 [rsi+0x180], zmm27
    vshufps zmm0, zmm0, zmm1, 0xDD
    vpermw zmm0, zmm6, zmm0
    vpermb zmm27{k4}{z}, zmm7, zmm0
    vpmovzxwd zmm31, [rsi+0x1C0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm0
    vpmovzxwd zmm31, [rsi+0x1E0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L26
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L10:
    vmovdqu64 [rsi+0x1C0], zmm27
    vmovdqu64 xmm0, [rdi+0x20]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x220]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x60]
    vbroadcasti32x4 zmm0{k3}, [rdi+0x260]
    vmovdqu64 xmm1, [rdi+0xA0]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x2A0]
    vbroadcasti32x4 zmm1{k2}, [rdi+0xE0]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x2E0]
    vpunpcklqdq zmm2, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vmovdqu64 xmm1, [rdi+0x120]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x320]
    vbroadcasti32x4 zmm1{k2}, [rdi+0x160]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x360]
    vmovdqu64 xmm3, [rdi+0x1A0]
    vbroadcasti32x4 zmm3{k1}, [rdi+0x3A0]
    vbroadcasti32x4 zmm3{k2}, [rdi+0x1E0]
    vbroadcasti32x4 zmm3{k3}, [rdi+0x3E0]
    vpunpcklqdq zmm4, zmm1, zmm3
    vshufps zmm5, zmm2, zmm4, 0x88
    vpermw zmm5, zmm6, zmm5
    vpermb zmm27{k4}{z}, zmm7, zmm5
    vpmovzxwd zmm31, [rsi+0x200]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm5
    vpmovzxwd zmm31, [rsi+0x220]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L27
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L11:
    vmovdqu64 [rsi+0x200], zmm27
    vshufps zmm2, zmm2, zmm4, 0xDD
    vpermw zmm2, zmm6, zmm2
    vpermb zmm27{k4}{z}, zmm7, zmm2
    vpmovzxwd zmm31, [rsi+0x240]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm2
    vpmovzxwd zmm31, [rsi+0x260]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L28
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L12:
    vmovdqu64 [rsi+0x240], zmm27
    vpunpckhqdq zmm1, zmm1, zmm3
    vshufps zmm2, zmm0, zmm1, 0x88
    vpermw zmm2, zmm6, zmm2
    vpermb zmm27{k4}{z}, zmm7, zmm2
    vpmovzxwd zmm31, [rsi+0x280]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm2
    vpmovzxwd zmm31, [rsi+0x2A0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L29
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L13:
    vmovdqu64 [rsi+0x280], zmm27
    vshufps zmm0, zmm0, zmm1, 0xDD
    vpermw zmm0, zmm6, zmm0
    vpermb zmm27{k4}{z}, zmm7, zmm0
    vpmovzxwd zmm31, [rsi+0x2C0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm0
    vpmovzxwd zmm31, [rsi+0x2E0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L30
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L14:
    vmovdqu64 [rsi+0x2C0], zmm27
    vmovdqu64 xmm0, [rdi+0x30]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x230]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x70]
    vbroadcasti32x4 zmm0{k3}, [rdi+0x270]
    vmovdqu64 xmm1, [rdi+0xB0]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x2B0]
    vbroadcasti32x4 zmm1{k2}, [rdi+0xF0]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x2F0]
    vpunpcklqdq zmm2, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vmovdqu64 xmm1, [rdi+0x130]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x330]
    vbroadcasti32x4 zmm1{k2}, [rdi+0x170]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x370]
    vmovdqu64 xmm3, [rdi+0x1B0]
    vbroadcasti32x4 zmm3{k1}, [rdi+0x3B0]
    vbroadcasti32x4 zmm3{k2}, [rdi+0x1F0]
    vbroadcasti32x4 zmm3{k3}, [rdi+0x3F0]
    vpunpcklqdq zmm4, zmm1, zmm3
    vshufps zmm5, zmm2, zmm4, 0x88
    vpermw zmm5, zmm6, zmm5
    vpermb zmm27{k4}{z}, zmm7, zmm5
    vpmovzxwd zmm31, [rsi+0x300]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm5
    vpmovzxwd zmm31, [rsi+0x320]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L31
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L15:
    vmovdqu64 [rsi+0x300], zmm27
    vshufps zmm2, zmm2, zmm4, 0xDD
    vpermw zmm2, zmm6, zmm2
    vpermb zmm27{k4}{z}, zmm7, zmm2
    vpmovzxwd zmm31, [rsi+0x340]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm2
    vpmovzxwd zmm31, [rsi+0x360]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L32
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L16:
    vmovdqu64 [rsi+0x340], zmm27
    vpunpckhqdq zmm1, zmm1, zmm3
    vshufps zmm2, zmm0, zmm1, 0x88
    vpermw zmm2, zmm6, zmm2
    vpermb zmm27{k4}{z}, zmm7, zmm2
    vpmovzxwd zmm31, [rsi+0x380]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm2
    vpmovzxwd zmm31, [rsi+0x3A0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
    vmovdqa64 zmm28, zmm30
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L33
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
L17:
    vmovdqu64 [rsi+0x380], zmm27
    vshufps zmm0, zmm0, zmm1, 0xDD
    vpermw zmm0, zmm6, zmm0
    vpermb zmm27{k4}{z}, zmm7, zmm0
    vpmovzxwd zmm31, [rsi+0x3C0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm27, zmm27, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm27, zmm9, 0
    vmovdqa64 zmm27, zmm30
    vpermb zmm28{k4}{z}, zmm8, zmm0
    vpmovzxwd zmm31, [rsi+0x3E0]
    vpslld zmm31, zmm31, 0x10
    vmulps zmm31, zmm31, zmm11
    vaddps zmm28, zmm28, zmm31
    vmovdqa64 zmm30, zmm10
    vfixupimmps zmm30, zmm28, zmm9, 0
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
    vpbroadcastd zmm30, [r11+0xC4]
    vfixupimmps zmm30, zmm27, [r11+0xC0]{1to16}, 0
    vmovdqa64 zmm27, zmm30
    vptestmd k6, zmm27, [r11+0xCC]{1to16}
    vpaddd zmm30, zmm27, [r11+0xF0]{1to16}
    vpaddd zmm30{k6}, zmm27, [r11+0xF4]{1to16}
    vfixupimmps zmm30, zmm27, [r11+0xF8]{1to16}, 0
    vmovdqa64 zmm27, zmm30
    vpbroadcastd zmm30, [r11+0xC4]
    vfixupimmps zmm30, zmm28, [r11+0xC0]{1to16}, 0
    vmovdqa64 zmm28, zmm30
    vptestmd k6, zmm28, [r11+0xCC]{1to16}
    vpaddd zmm30, zmm28, [r11+0xF0]{1to16}
    vpaddd zmm30{k6}, zmm28, [r11+0xF4]{1to16}
    vfixupimmps zmm30, zmm28, [r11+0xF8]{1to16}, 0
    vmovdqa64 zmm28, zmm30
    vpsrld zmm27, zmm27, 0x10
    vpternlogd zmm27, zmm28, [r11+0xFC]{1to16}, 0xF8
    vmovdqu64 zmm30, [r11+0x100]
    vpermw zmm27, zmm30, zmm27
    ret
; constants
    db 00 00 10 00 02 00 12 00 04 00 14 00 06 00 16 00 08 00 18 00 0a 00 1a 00 0c 00 1c 00 0e 00 1e 00
    db 01 00 11 00 03 00 13 00 05 00 15 00 07 00 17 00 09 00 19 00 0b 00 1b 00 0d 00 1d 00 0f 00 1f 00
    db 00 01 00 01 02 03 02 03 04 05 04 05 06 07 06 07 08 09 08 09 0a 0b 0a 0b 0c 0d 0c 0d 0e 0f 0e 0f
    db 10 11 10 11 12 13 12 13 14 15 14 15 16 17 16 17 18 19 18 19 1a 1b 1a 1b 1c 1d 1c 1d 1e 1f 1e 1f
    db 20 21 20 21 22 23 22 23 24 25 24 25 26 27 26 27 28 29 28 29 2a 2b 2a 2b 2c 2d 2c 2d 2e 2f 2e 2f
    db 30 31 30 31 32 33 32 33 34 35 34 35 36 37 36 37 38 39 38 39 3a 3b 3a 3b 3c 3d 3c 3d 3e 3f 3e 3f
    db 00 11 11 11 00 00 c0 7f 00 00 00 3f 00 00 01 00 f0 00 00 00 00 00 00 00 00 0f 00 00 00 00 00 00
    db 00 f0 00 00 00 00 00 00 cc cc cc cc cc cc cc cc ff 7f 00 00 00 80 00 00 22 00 00 00 00 00 ff ff
    db 00 00 02 00 04 00 06 00 08 00 0a 00 0c 00 0e 00 10 00 12 00 14 00 16 00 18 00 1a 00 1c 00 1e 00
    db 01 00 03 00 05 00 07 00 09 00 0b 00 0d 00 0f 00 11 00 13 00 15 00 17 00 19 00 1b 00 1d 00 1f 00

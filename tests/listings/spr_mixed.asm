; spr f16:ab:16x16 s8:ba --dst-scale=common
; 1740 bytes
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
    mov [r10+0xB18], rdx
    mov [r10+0xB20], rcx
    mov [r10+0xB30], rbx
    mov rax, [r8+0x18]
    mov [r10+0xB10], rax
    xor eax, eax
    mov [r10+0xB28], rax
; nest 1: move 16(s2,d16) 16(s32,d1)
    cmp qword [r10+0xB18], 0
    jne L0
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov rbx, [r10+0xB10]
    mov ecx, 1
    call L1
; exit
L0:
    mov rbx, [r10+0xB30]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 16 x 16
L1:
    cmp qword [r10+0xB28], 0
    jne L4
    vpxord zmm26, zmm26, zmm26
    vmovdqu64 zmm6, [r11]
    vmovdqu64 zmm7, [r11+0x40]
    vpbroadcastd zmm8, [r11+0x80]
    vpbroadcastd zmm9, [rbx]
L2:
    vcvtph2ps zmm27, [rdi]
    vmulps zmm27, zmm27, zmm9
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x20]
    vmulps zmm28, zmm28, zmm9
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x40]
    vmulps zmm28, zmm28, zmm9
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x60]
    vmulps zmm29, zmm29, zmm9
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm6, zmm0
    vcvtph2ps zmm27, [rdi+0x80]
    vmulps zmm27, zmm27, zmm9
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xA0]
    vmulps zmm28, zmm28, zmm9
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0xC0]
    vmulps zmm28, zmm28, zmm9
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0xE0]
    vmulps zmm29, zmm29, zmm9
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm6, zmm1
    vpunpcklqdq zmm2, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vcvtph2ps zmm27, [rdi+0x100]
    vmulps zmm27, zmm27, zmm9
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x120]
    vmulps zmm28, zmm28, zmm9
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x140]
    vmulps zmm28, zmm28, zmm9
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x160]
    vmulps zmm29, zmm29, zmm9
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm6, zmm1
    vcvtph2ps zmm27, [rdi+0x180]
    vmulps zmm27, zmm27, zmm9
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x1A0]
    vmulps zmm28, zmm28, zmm9
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1C0]
    vmulps zmm28, zmm28, zmm9
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1E0]
    vmulps zmm29, zmm29, zmm9
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm3, zmm27, zmm28
    vpermd zmm3, zmm6, zmm3
    vpunpcklqdq zmm4, zmm1, zmm3
    vshufps zmm5, zmm2, zmm4, 0x88
    vpermb zmm5, zmm7, zmm5
    vmovdqu64 [rsi], zmm5
    vshufps zmm2, zmm2, zmm4, 0xDD
    vpermb zmm2, zmm7, zmm2
    vmovdqu64 [rsi+0x40], zmm2
    vpunpckhqdq zmm1, zmm1, zmm3
    vshufps zmm2, zmm0, zmm1, 0x88
    vpermb zmm2, zmm7, zmm2
    vmovdqu64 [rsi+0x80], zmm2
    vshufps zmm0, zmm0, zmm1, 0xDD
    vpermb zmm0, zmm7, zmm0
    vmovdqu64 [rsi+0xC0], zmm0
    vpcmpeqw k6, zmm26, zmm8
    kortestq k6, k6
    jne L3
    dec rcx
    jne L2
    ret
; the same, whatever there is
L3:
    mov qword [r10+0xB28], 1
L4:
    vmovdqu64 zmm6, [r11]
    vmovdqu64 zmm7, [r11+0x40]
    vpbroadcastd zmm8, [r11+0x84]
    vpbroadcastd zmm9, [r11+0x88]
    vpbroadcastd zmm10, [rbx]
L5:
    vcvtph2ps zmm27, [rdi]
    vmulps zmm27, zmm27, zmm10
    vfixupimmps zmm27, zmm27, zmm9, 0
    vminps zmm27, zmm27, zmm8
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x20]
    vmulps zmm28, zmm28, zmm10
    vfixupimmps zmm28, zmm28, zmm9, 0
    vminps zmm28, zmm28, zmm8
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x40]
    vmulps zmm28, zmm28, zmm10
    vfixupimmps zmm28, zmm28, zmm9, 0
    vminps zmm28, zmm28, zmm8
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x60]
    vmulps zmm29, zmm29, zmm10
    vfixupimmps zmm29, zmm29, zmm9, 0
    vminps zmm29, zmm29, zmm8
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm6, zmm0
    vcvtph2ps zmm27, [rdi+0x80]
    vmulps zmm27, zmm27, zmm10
    vfixupimmps zmm27, zmm27, zmm9, 0
    vminps zmm27, zmm27, zmm8
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xA0]
    vmulps zmm28, zmm28, zmm10
    vfixupimmps zmm28, zmm28, zmm9, 0
    vminps zmm28, zmm28, zmm8
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0xC0]
    vmulps zmm28, zmm28, zmm10
    vfixupimmps zmm28, zmm28, zmm9, 0
    vminps zmm28, zmm28, zmm8
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0xE0]
    vmulps zmm29, zmm29, zmm10
    vfixupimmps zmm29, zmm29, zmm9, 0
    vminps zmm29, zmm29, zmm8
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm6, zmm1
    vpunpcklqdq zmm2, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vcvtph2ps zmm27, [rdi+0x100]
    vmulps zmm27, zmm27, zmm10
    vfixupimmps zmm27, zmm27, zmm9, 0
    vminps zmm27, zmm27, zmm8
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x120]
    vmulps zmm28, zmm28, zmm10
    vfixupimmps zmm28, zmm28, zmm9, 0
    vminps zmm28, zmm28, zmm8
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x140]
    vmulps zmm28, zmm28, zmm10
    vfixupimmps zmm28, zmm28, zmm9, 0
    vminps zmm28, zmm28, zmm8
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x160]
    vmulps zmm29, zmm29, zmm10
    vfixupimmps zmm29, zmm29, zmm9, 0
    vminps zmm29, zmm29, zmm8
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm6, zmm1
    vcvtph2ps zmm27, [rdi+0x180]
    vmulps zmm27, zmm27, zmm10
    vfixupimmps zmm27, zmm27, zmm9, 0
    vminps zmm27, zmm27, zmm8
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x1A0]
    vmulps zmm28, zmm28, zmm10
    vfixupimmps zmm28, zmm28, zmm9, 0
    vminps zmm28, zmm28, zmm8
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1C0]
    vmulps zmm28, zmm28, zmm10
    vfixupimmps zmm28, zmm28, zmm9, 0
    vminps zmm28, zmm28, zmm8
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1E0]
    vmulps zmm29, zmm29, zmm10
    vfixupimmps zmm29, zmm29, zmm9, 0
    vminps zmm29, zmm29, zmm8
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm3, zmm27, zmm28
    vpermd zmm3, zmm6, zmm3
    vpunpcklqdq zmm4, zmm1, zmm3
    vshufps zmm5, zmm2, zmm4, 0x88
    vpermb zmm5, zmm7, zmm5
    vmovdqu64 [rsi], zmm5
    vshufps zmm2, zmm2, zmm4, 0xDD
    vpermb zmm2, zmm7, zmm2
    vmovdqu64 [rsi+0x40], zmm2
    vpunpckhqdq zmm1, zmm1, zmm3
    vshufps zmm2, zmm0, zmm1, 0x88
    vpermb zmm2, zmm7, zmm2
    vmovdqu64 [rsi+0x80], zmm2
    vshufps zmm0, zmm0, zmm1, 0xDD
    vpermb zmm0, zmm7, zmm0
    vmovdqu64 [rsi+0xC0], zmm0
    dec rcx
    jne L5
    ret
; routines
    mov rcx, rax
    mul qword [r10+0xB18]
    div qword [r10+0xB20]
    mov r8, rax
    mov rax, [r10+0xB18]
    inc rax
    mul rcx
    div qword [r10+0xB20]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 00 00 00 00 04 00 00 00 08 00 00 00 0c 00 00 00 01 00 00 00 05 00 00 00 09 00 00 00 0d 00 00 00
    db 02 00 00 00 06 00 00 00 0a 00 00 00 0e 00 00 00 03 00 00 00 07 00 00 00 0b 00 00 00 0f 00 00 00
    db 00 10 20 30 04 14 24 34 08 18 28 38 0c 1c 2c 3c 01 11 21 31 05 15 25 35 09 19 29 39 0d 1d 2d 3d
    db 02 12 22 32 06 16 26 36 0a 1a 2a 3a 0e 1e 2e 3e 03 13 23 33 07 17 27 37 0b 1b 2b 3b 0f 1f 2f 3f
    db 00 80 00 80 00 00 fe 42 88 00 00 00

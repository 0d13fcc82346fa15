; spr f16:nchw:1x64x8x8 s8:nhwc --dst-scale=common
; 6028 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x1000]
    test [rsp], rsp
    lea rsp, [rbp-0xBC0]
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
; nest 1: move 64(s2,d64) 64(s128,d1), cut at step 1 by 1
    cmp qword [r10+0xB20], 1
    jne L0
    mov edx, 4
    xor eax, eax
    jmp L1
L0:
    mov eax, 4
    call L10
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xB38], rax
    mov [r10+0xB40], rdx
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov rbx, [r10+0xB10]
; loop 1 by 16
    mov [r10+0xB48], rdi
    mov [r10+0xB50], rsi
    mov [r10+0xB58], rbx
    cmp qword [r10+0xB38], 0
    je L2
    mov rcx, [r10+0xB38]
    imul rcx, 0x20
    add rdi, rcx
    mov rcx, [r10+0xB38]
    imul rcx, 0x400
    add rsi, rcx
L2:
    mov rcx, [r10+0xB40]
    mov rdx, [r10+0xB38]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0xB48]
    mov rsi, [r10+0xB50]
    mov rbx, [r10+0xB58]
; exit
L4:
    mov rbx, [r10+0xB30]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 16 x 64
L5:
    cmp qword [r10+0xB28], 0
    jne L8
    vpxord zmm26, zmm26, zmm26
    vmovdqu64 zmm20, [r11]
    vpbroadcastd zmm21, [r11+0x40]
    vpbroadcastd zmm22, [rbx]
L6:
    vcvtph2ps zmm27, [rdi]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x800]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1000]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1800]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm20, zmm0
    vcvtph2ps zmm27, [rdi+0x200]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xA00]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1200]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1A00]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm20, zmm1
    vpunpcklwd zmm2, zmm0, zmm1
    vpunpckhwd zmm0, zmm0, zmm1
    vcvtph2ps zmm27, [rdi+0x80]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x880]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1080]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1880]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm20, zmm1
    vcvtph2ps zmm27, [rdi+0x280]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xA80]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1280]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1A80]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm3, zmm27, zmm28
    vpermd zmm3, zmm20, zmm3
    vpunpcklwd zmm4, zmm1, zmm3
    vpunpcklbw zmm5, zmm2, zmm4
    vpunpckhbw zmm2, zmm2, zmm4
    vpunpckhwd zmm1, zmm1, zmm3
    vpunpcklbw zmm3, zmm0, zmm1
    vpunpckhbw zmm0, zmm0, zmm1
    vcvtph2ps zmm27, [rdi+0x100]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x900]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1100]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1900]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm20, zmm1
    vcvtph2ps zmm27, [rdi+0x300]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xB00]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1300]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1B00]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm4, zmm27, zmm28
    vpermd zmm4, zmm20, zmm4
    vpunpcklwd zmm6, zmm1, zmm4
    vpunpckhwd zmm1, zmm1, zmm4
    vcvtph2ps zmm27, [rdi+0x180]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x980]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1180]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1980]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm4, zmm27, zmm28
    vpermd zmm4, zmm20, zmm4
    vcvtph2ps zmm27, [rdi+0x380]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xB80]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1380]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1B80]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm7, zmm27, zmm28
    vpermd zmm7, zmm20, zmm7
    vpunpcklwd zmm8, zmm4, zmm7
    vpunpcklbw zmm9, zmm6, zmm8
    vpunpcklwd zmm10, zmm5, zmm9
    vpunpckhwd zmm5, zmm5, zmm9
    vpunpckhbw zmm6, zmm6, zmm8
    vpunpcklwd zmm8, zmm2, zmm6
    vpunpckhwd zmm2, zmm2, zmm6
    vpunpckhwd zmm4, zmm4, zmm7
    vpunpcklbw zmm6, zmm1, zmm4
    vpunpcklwd zmm7, zmm3, zmm6
    vpunpckhwd zmm3, zmm3, zmm6
    vpunpckhbw zmm1, zmm1, zmm4
    vpunpcklwd zmm4, zmm0, zmm1
    vpunpckhwd zmm0, zmm0, zmm1
    vcvtph2ps zmm27, [rdi+0x400]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xC00]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1400]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1C00]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm20, zmm1
    vcvtph2ps zmm27, [rdi+0x600]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xE00]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1600]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1E00]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm6, zmm27, zmm28
    vpermd zmm6, zmm20, zmm6
    vpunpcklwd zmm9, zmm1, zmm6
    vpunpckhwd zmm1, zmm1, zmm6
    vcvtph2ps zmm27, [rdi+0x480]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xC80]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1480]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1C80]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm6, zmm27, zmm28
    vpermd zmm6, zmm20, zmm6
    vcvtph2ps zmm27, [rdi+0x680]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xE80]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1680]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1E80]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm11, zmm27, zmm28
    vpermd zmm11, zmm20, zmm11
    vpunpcklwd zmm12, zmm6, zmm11
    vpunpcklbw zmm13, zmm9, zmm12
    vpunpckhbw zmm9, zmm9, zmm12
    vpunpckhwd zmm6, zmm6, zmm11
    vpunpcklbw zmm11, zmm1, zmm6
    vpunpckhbw zmm1, zmm1, zmm6
    vcvtph2ps zmm27, [rdi+0x500]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xD00]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1500]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1D00]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm6, zmm27, zmm28
    vpermd zmm6, zmm20, zmm6
    vcvtph2ps zmm27, [rdi+0x700]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xF00]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1700]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1F00]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm12, zmm27, zmm28
    vpermd zmm12, zmm20, zmm12
    vpunpcklwd zmm14, zmm6, zmm12
    vpunpckhwd zmm6, zmm6, zmm12
    vcvtph2ps zmm27, [rdi+0x580]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xD80]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1580]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1D80]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm12, zmm27, zmm28
    vpermd zmm12, zmm20, zmm12
    vcvtph2ps zmm27, [rdi+0x780]
    vmulps zmm27, zmm27, zmm22
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xF80]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1780]
    vmulps zmm28, zmm28, zmm22
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1F80]
    vmulps zmm29, zmm29, zmm22
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpacksswb zmm15, zmm27, zmm28
    vpermd zmm15, zmm20, zmm15
    vpunpcklwd zmm16, zmm12, zmm15
    vpunpcklbw zmm17, zmm14, zmm16
    vpunpcklwd zmm18, zmm13, zmm17
    vshufps zmm19, zmm10, zmm18, 0x88
    vmovdqu64 [rsi], zmm19
    vshufps zmm10, zmm10, zmm18, 0xDD
    vmovdqu64 [rsi+0x40], zmm10
    vpunpckhwd zmm10, zmm13, zmm17
    vshufps zmm13, zmm5, zmm10, 0x88
    vmovdqu64 [rsi+0x80], zmm13
    vshufps zmm5, zmm5, zmm10, 0xDD
    vmovdqu64 [rsi+0xC0], zmm5
    vpunpckhbw zmm5, zmm14, zmm16
    vpunpcklwd zmm10, zmm9, zmm5
    vshufps zmm13, zmm8, zmm10, 0x88
    vmovdqu64 [rsi+0x100], zmm13
    vshufps zmm8, zmm8, zmm10, 0xDD
    vmovdqu64 [rsi+0x140], zmm8
    vpunpckhwd zmm5, zmm9, zmm5
    vshufps zmm8, zmm2, zmm5, 0x88
    vmovdqu64 [rsi+0x180], zmm8
    vshufps zmm2, zmm2, zmm5, 0xDD
    vmovdqu64 [rsi+0x1C0], zmm2
    vpunpckhwd zmm2, zmm12, zmm15
    vpunpcklbw zmm5, zmm6, zmm2
    vpunpcklwd zmm8, zmm11, zmm5
    vshufps zmm9, zmm7, zmm8, 0x88
    vmovdqu64 [rsi+0x200], zmm9
    vshufps zmm7, zmm7, zmm8, 0xDD
    vmovdqu64 [rsi+0x240], zmm7
    vpunpckhwd zmm5, zmm11, zmm5
    vshufps zmm7, zmm3, zmm5, 0x88
    vmovdqu64 [rsi+0x280], zmm7
    vshufps zmm3, zmm3, zmm5, 0xDD
    vmovdqu64 [rsi+0x2C0], zmm3
    vpunpckhbw zmm2, zmm6, zmm2
    vpunpcklwd zmm3, zmm1, zmm2
    vshufps zmm5, zmm4, zmm3, 0x88
    vmovdqu64 [rsi+0x300], zmm5
    vshufps zmm3, zmm4, zmm3, 0xDD
    vmovdqu64 [rsi+0x340], zmm3
    vpunpckhwd zmm1, zmm1, zmm2
    vshufps zmm2, zmm0, zmm1, 0x88
    vmovdqu64 [rsi+0x380], zmm2
    vshufps zmm0, zmm0, zmm1, 0xDD
    vmovdqu64 [rsi+0x3C0], zmm0
    vpcmpeqw k6, zmm26, zmm21
    kortestq k6, k6
    jne L7
    add rdi, 0x20
    add rsi, 0x400
    dec rcx
    jne L6
    ret
; the same, whatever there is
L7:
    mov qword [r10+0xB28], 1
L8:
    vmovdqu64 zmm20, [r11]
    vpbroadcastd zmm21, [r11+0x44]
    vpbroadcastd zmm22, [r11+0x48]
    vpbroadcastd zmm23, [rbx]
L9:
    vcvtph2ps zmm27, [rdi]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x800]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1000]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1800]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm20, zmm0
    vcvtph2ps zmm27, [rdi+0x200]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xA00]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1200]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1A00]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm20, zmm1
    vpunpcklwd zmm2, zmm0, zmm1
    vpunpckhwd zmm0, zmm0, zmm1
    vcvtph2ps zmm27, [rdi+0x80]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x880]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1080]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1880]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm20, zmm1
    vcvtph2ps zmm27, [rdi+0x280]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xA80]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1280]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1A80]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm3, zmm27, zmm28
    vpermd zmm3, zmm20, zmm3
    vpunpcklwd zmm4, zmm1, zmm3
    vpunpcklbw zmm5, zmm2, zmm4
    vpunpckhbw zmm2, zmm2, zmm4
    vpunpckhwd zmm1, zmm1, zmm3
    vpunpcklbw zmm3, zmm0, zmm1
    vpunpckhbw zmm0, zmm0, zmm1
    vcvtph2ps zmm27, [rdi+0x100]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x900]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1100]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1900]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm20, zmm1
    vcvtph2ps zmm27, [rdi+0x300]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xB00]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1300]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1B00]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm4, zmm27, zmm28
    vpermd zmm4, zmm20, zmm4
    vpunpcklwd zmm6, zmm1, zmm4
    vpunpckhwd zmm1, zmm1, zmm4
    vcvtph2ps zmm27, [rdi+0x180]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x980]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1180]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1980]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm4, zmm27, zmm28
    vpermd zmm4, zmm20, zmm4
    vcvtph2ps zmm27, [rdi+0x380]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xB80]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1380]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1B80]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm7, zmm27, zmm28
    vpermd zmm7, zmm20, zmm7
    vpunpcklwd zmm8, zmm4, zmm7
    vpunpcklbw zmm9, zmm6, zmm8
    vpunpcklwd zmm10, zmm5, zmm9
    vpunpckhwd zmm5, zmm5, zmm9
    vpunpckhbw zmm6, zmm6, zmm8
    vpunpcklwd zmm8, zmm2, zmm6
    vpunpckhwd zmm2, zmm2, zmm6
    vpunpckhwd zmm4, zmm4, zmm7
    vpunpcklbw zmm6, zmm1, zmm4
    vpunpcklwd zmm7, zmm3, zmm6
    vpunpckhwd zmm3, zmm3, zmm6
    vpunpckhbw zmm1, zmm1, zmm4
    vpunpcklwd zmm4, zmm0, zmm1
    vpunpckhwd zmm0, zmm0, zmm1
    vcvtph2ps zmm27, [rdi+0x400]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xC00]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1400]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1C00]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm1, zmm27, zmm28
    vpermd zmm1, zmm20, zmm1
    vcvtph2ps zmm27, [rdi+0x600]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xE00]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1600]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1E00]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm6, zmm27, zmm28
    vpermd zmm6, zmm20, zmm6
    vpunpcklwd zmm9, zmm1, zmm6
    vpunpckhwd zmm1, zmm1, zmm6
    vcvtph2ps zmm27, [rdi+0x480]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xC80]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1480]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1C80]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm6, zmm27, zmm28
    vpermd zmm6, zmm20, zmm6
    vcvtph2ps zmm27, [rdi+0x680]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xE80]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1680]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1E80]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm11, zmm27, zmm28
    vpermd zmm11, zmm20, zmm11
    vpunpcklwd zmm12, zmm6, zmm11
    vpunpcklbw zmm13, zmm9, zmm12
    vpunpckhbw zmm9, zmm9, zmm12
    vpunpckhwd zmm6, zmm6, zmm11
    vpunpcklbw zmm11, zmm1, zmm6
    vpunpckhbw zmm1, zmm1, zmm6
    vcvtph2ps zmm27, [rdi+0x500]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xD00]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1500]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1D00]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm6, zmm27, zmm28
    vpermd zmm6, zmm20, zmm6
    vcvtph2ps zmm27, [rdi+0x700]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xF00]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1700]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1F00]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm12, zmm27, zmm28
    vpermd zmm12, zmm20, zmm12
    vpunpcklwd zmm14, zmm6, zmm12
    vpunpckhwd zmm6, zmm6, zmm12
    vcvtph2ps zmm27, [rdi+0x580]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xD80]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1580]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1D80]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm12, zmm27, zmm28
    vpermd zmm12, zmm20, zmm12
    vcvtph2ps zmm27, [rdi+0x780]
    vmulps zmm27, zmm27, zmm23
    vfixupimmps zmm27, zmm27, zmm22, 0
    vminps zmm27, zmm27, zmm21
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xF80]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1780]
    vmulps zmm28, zmm28, zmm23
    vfixupimmps zmm28, zmm28, zmm22, 0
    vminps zmm28, zmm28, zmm21
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1F80]
    vmulps zmm29, zmm29, zmm23
    vfixupimmps zmm29, zmm29, zmm22, 0
    vminps zmm29, zmm29, zmm21
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm15, zmm27, zmm28
    vpermd zmm15, zmm20, zmm15
    vpunpcklwd zmm16, zmm12, zmm15
    vpunpcklbw zmm17, zmm14, zmm16
    vpunpcklwd zmm18, zmm13, zmm17
    vshufps zmm19, zmm10, zmm18, 0x88
    vmovdqu64 [rsi], zmm19
    vshufps zmm10, zmm10, zmm18, 0xDD
    vmovdqu64 [rsi+0x40], zmm10
    vpunpckhwd zmm10, zmm13, zmm17
    vshufps zmm13, zmm5, zmm10, 0x88
    vmovdqu64 [rsi+0x80], zmm13
    vshufps zmm5, zmm5, zmm10, 0xDD
    vmovdqu64 [rsi+0xC0], zmm5
    vpunpckhbw zmm5, zmm14, zmm16
    vpunpcklwd zmm10, zmm9, zmm5
    vshufps zmm13, zmm8, zmm10, 0x88
    vmovdqu64 [rsi+0x100], zmm13
    vshufps zmm8, zmm8, zmm10, 0xDD
    vmovdqu64 [rsi+0x140], zmm8
    vpunpckhwd zmm5, zmm9, zmm5
    vshufps zmm8, zmm2, zmm5, 0x88
    vmovdqu64 [rsi+0x180], zmm8
    vshufps zmm2, zmm2, zmm5, 0xDD
    vmovdqu64 [rsi+0x1C0], zmm2
    vpunpckhwd zmm2, zmm12, zmm15
    vpunpcklbw zmm5, zmm6, zmm2
    vpunpcklwd zmm8, zmm11, zmm5
    vshufps zmm9, zmm7, zmm8, 0x88
    vmovdqu64 [rsi+0x200], zmm9
    vshufps zmm7, zmm7, zmm8, 0xDD
    vmovdqu64 [rsi+0x240], zmm7
    vpunpckhwd zmm5, zmm11, zmm5
    vshufps zmm7, zmm3, zmm5, 0x88
    vmovdqu64 [rsi+0x280], zmm7
    vshufps zmm3, zmm3, zmm5, 0xDD
    vmovdqu64 [rsi+0x2C0], zmm3
    vpunpckhbw zmm2, zmm6, zmm2
    vpunpcklwd zmm3, zmm1, zmm2
    vshufps zmm5, zmm4, zmm3, 0x88
    vmovdqu64 [rsi+0x300], zmm5
    vshufps zmm3, zmm4, zmm3, 0xDD
    vmovdqu64 [rsi+0x340], zmm3
    vpunpckhwd zmm1, zmm1, zmm2
    vshufps zmm2, zmm0, zmm1, 0x88
    vmovdqu64 [rsi+0x380], zmm2
    vshufps zmm0, zmm0, zmm1, 0xDD
    vmovdqu64 [rsi+0x3C0], zmm0
    add rdi, 0x20
    add rsi, 0x400
    dec rcx
    jne L9
    ret
; routines
L10:
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
    db 00 80 00 80 00 00 fe 42 88 00 00 00

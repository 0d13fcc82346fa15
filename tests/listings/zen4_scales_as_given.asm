; zen4 f32:goihw:40x1x1x3x3 s8:Goihw16g --dst-scale=mask:3
; 4480 bytes
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
; nest 1: move 2(s576,d144,ds16) 9(s4,d16) 16(s36,d1,ds1), cut at step 1 by 1
    cmp qword [r10+0xB20], 1
    jne L0
    mov edx, 2
    xor eax, eax
    jmp L1
L0:
    mov eax, 2
    call L16
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xB38], rax
    mov [r10+0xB40], rdx
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov rbx, [r10+0xB10]
; loop 1 by 1
    mov [r10+0xB48], rdi
    mov [r10+0xB50], rsi
    mov [r10+0xB58], rbx
    cmp qword [r10+0xB38], 0
    je L2
    mov rcx, [r10+0xB38]
    imul rcx, 0x240
    add rdi, rcx
    mov rcx, [r10+0xB38]
    imul rcx, 0x90
    add rsi, rcx
    mov rcx, [r10+0xB38]
    imul rcx, 0x40
    add rbx, rcx
L2:
    mov rcx, [r10+0xB40]
    mov rdx, [r10+0xB38]
    sub rcx, rdx
    jle L3
    call L6
L3:
    mov rdi, [r10+0xB48]
    mov rsi, [r10+0xB50]
    mov rbx, [r10+0xB58]
; nest 2: move 9(s4,d16) 16(s36,d1,ds1)[0..8], from s1152,d288
L4:
    cmp qword [r10+0xB18], 0
    jne L5
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov rbx, [r10+0xB10]
    add rdi, 0x480
    add rsi, 0x120
    add rbx, 0x80
    mov ecx, 1
    call L11
; exit
L5:
    mov rbx, [r10+0xB30]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 9 x 16
L6:
    cmp qword [r10+0xB28], 0
    jne L9
    vpxord zmm25, zmm25, zmm25
    vmovdqu64 zmm4, [r11]
    vmovdqu64 zmm5, [r11+0x40]
    vmovdqu64 zmm6, [r11+0x80]
    vmovdqu64 zmm7, [r11+0xC0]
    vmovdqu64 zmm8, [r11+0x100]
    vmovdqu64 zmm9, [r11+0x140]
    vmovdqu64 zmm10, [r11+0x180]
    vmovdqu64 zmm11, [r11+0x1C0]
    vmovdqu64 zmm12, [r11+0x200]
    vpbroadcastd zmm13, [r11+0x240]
    kmovq k1, [r11+0x248]
    kmovq k2, [r11+0x250]
    kmovq k3, [r11+0x258]
    kmovq k4, [r11+0x260]
    kmovq k5, [r11+0x268]
    vmovdqu64 zmm14, [r11+0x280]
    vmovdqu64 zmm15, [r11+0x2C0]
    vmovdqu64 zmm16, [r11+0x300]
    vmovdqu64 zmm17, [r11+0x340]
    vmovdqu64 zmm18, [r11+0x380]
    vmovdqu64 zmm19, [r11+0x3C0]
    vmovdqu64 zmm20, [r11+0x400]
    vmovdqu64 zmm21, [r11+0x440]
    vmovdqu64 zmm22, [r11+0x480]
L7:
    vmovdqu64 zmm23, [rbx]
    vpbroadcastd zmm31, [r11+0x244]
    vdivps zmm23, zmm31, zmm23
    vmovdqu64 zmm27, [rdi]
    vpermd zmm30, zmm14, zmm23
    vmulps zmm27, zmm27, zmm30
    vcvtps2dq zmm27, zmm27
    vmovdqu64 zmm28, [rdi+0x40]
    vpermd zmm30, zmm15, zmm23
    vmulps zmm28, zmm28, zmm30
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm25, zmm25, zmm27
    vmovdqu64 zmm28, [rdi+0x80]
    vpermd zmm30, zmm16, zmm23
    vmulps zmm28, zmm28, zmm30
    vcvtps2dq zmm28, zmm28
    vmovdqu64 zmm29, [rdi+0xC0]
    vpermd zmm30, zmm17, zmm23
    vmulps zmm29, zmm29, zmm30
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm25, zmm25, zmm28
    vpacksswb zmm0, zmm27, zmm28
    vpermb zmm1, zmm5, zmm0
    vmovdqu64 zmm27, [rdi+0x100]
    vpermd zmm30, zmm18, zmm23
    vmulps zmm27, zmm27, zmm30
    vcvtps2dq zmm27, zmm27
    vmovdqu64 zmm28, [rdi+0x140]
    vpermd zmm30, zmm19, zmm23
    vmulps zmm28, zmm28, zmm30
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm25, zmm25, zmm27
    vmovdqu64 zmm28, [rdi+0x180]
    vpermd zmm30, zmm20, zmm23
    vmulps zmm28, zmm28, zmm30
    vcvtps2dq zmm28, zmm28
    vmovdqu64 zmm29, [rdi+0x1C0]
    vpermd zmm30, zmm21, zmm23
    vmulps zmm29, zmm29, zmm30
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm25, zmm25, zmm28
    vpacksswb zmm2, zmm27, zmm28
    vpermb zmm1{k1}, zmm6, zmm2
    vmovdqu64 zmm27, [rdi+0x200]
    vpermd zmm30, zmm22, zmm23
    vmulps zmm27, zmm27, zmm30
    vcvtps2dq zmm27, zmm27
    vpminsw zmm25, zmm25, zmm27
    vpmovsdb xmm3, zmm27
    vpermb zmm1{k2}, zmm7, zmm3
    vmovdqu64 [rsi], zmm1
    vpermb zmm1, zmm8, zmm0
    vpermb zmm1{k3}, zmm9, zmm2
    vpermb zmm1{k4}, zmm10, zmm3
    vmovdqu64 [rsi+0x40], zmm1
    vpermb zmm0, zmm11, zmm0
    vpermb zmm0{k5}, zmm12, zmm2
    vpshufb zmm26, zmm3, [r11+0x4C0]
    vpternlogd zmm0, zmm26, [r11+0x500], 0xD8
    vmovdqu64 [rsi+0x80], xmm0
    vpcmpeqw k6, zmm25, zmm13
    kortestq k6, k6
    jne L8
    add rdi, 0x240
    add rsi, 0x90
    add rbx, 0x40
    dec rcx
    jne L7
    ret
; the same, whatever there is
L8:
    mov qword [r10+0xB28], 1
L9:
    vmovdqu64 zmm4, [r11]
    vmovdqu64 zmm5, [r11+0x40]
    vmovdqu64 zmm6, [r11+0x80]
    vmovdqu64 zmm7, [r11+0xC0]
    vmovdqu64 zmm8, [r11+0x100]
    vmovdqu64 zmm9, [r11+0x140]
    vmovdqu64 zmm10, [r11+0x180]
    vmovdqu64 zmm11, [r11+0x1C0]
    vmovdqu64 zmm12, [r11+0x200]
    vpbroadcastd zmm13, [r11+0x270]
    vpbroadcastd zmm14, [r11+0x274]
    kmovq k1, [r11+0x248]
    kmovq k2, [r11+0x250]
    kmovq k3, [r11+0x258]
    kmovq k4, [r11+0x260]
    kmovq k5, [r11+0x268]
    vmovdqu64 zmm15, [r11+0x280]
    vmovdqu64 zmm16, [r11+0x2C0]
    vmovdqu64 zmm17, [r11+0x300]
    vmovdqu64 zmm18, [r11+0x340]
    vmovdqu64 zmm19, [r11+0x380]
    vmovdqu64 zmm20, [r11+0x3C0]
    vmovdqu64 zmm21, [r11+0x400]
    vmovdqu64 zmm22, [r11+0x440]
    vmovdqu64 zmm23, [r11+0x480]
L10:
    vmovdqu64 zmm24, [rbx]
    vpbroadcastd zmm31, [r11+0x244]
    vdivps zmm24, zmm31, zmm24
    vmovdqu64 zmm27, [rdi]
    vpermd zmm30, zmm15, zmm24
    vmulps zmm27, zmm27, zmm30
    vfixupimmps zmm27, zmm27, zmm14, 0
    vminps zmm27, zmm27, zmm13
    vcvtps2dq zmm27, zmm27
    vmovdqu64 zmm28, [rdi+0x40]
    vpermd zmm30, zmm16, zmm24
    vmulps zmm28, zmm28, zmm30
    vfixupimmps zmm28, zmm28, zmm14, 0
    vminps zmm28, zmm28, zmm13
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vmovdqu64 zmm28, [rdi+0x80]
    vpermd zmm30, zmm17, zmm24
    vmulps zmm28, zmm28, zmm30
    vfixupimmps zmm28, zmm28, zmm14, 0
    vminps zmm28, zmm28, zmm13
    vcvtps2dq zmm28, zmm28
    vmovdqu64 zmm29, [rdi+0xC0]
    vpermd zmm30, zmm18, zmm24
    vmulps zmm29, zmm29, zmm30
    vfixupimmps zmm29, zmm29, zmm14, 0
    vminps zmm29, zmm29, zmm13
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm0, zmm27, zmm28
    vpermb zmm1, zmm5, zmm0
    vmovdqu64 zmm27, [rdi+0x100]
    vpermd zmm30, zmm19, zmm24
    vmulps zmm27, zmm27, zmm30
    vfixupimmps zmm27, zmm27, zmm14, 0
    vminps zmm27, zmm27, zmm13
    vcvtps2dq zmm27, zmm27
    vmovdqu64 zmm28, [rdi+0x140]
    vpermd zmm30, zmm20, zmm24
    vmulps zmm28, zmm28, zmm30
    vfixupimmps zmm28, zmm28, zmm14, 0
    vminps zmm28, zmm28, zmm13
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vmovdqu64 zmm28, [rdi+0x180]
    vpermd zmm30, zmm21, zmm24
    vmulps zmm28, zmm28, zmm30
    vfixupimmps zmm28, zmm28, zmm14, 0
    vminps zmm28, zmm28, zmm13
    vcvtps2dq zmm28, zmm28
    vmovdqu64 zmm29, [rdi+0x1C0]
    vpermd zmm30, zmm22, zmm24
    vmulps zmm29, zmm29, zmm30
    vfixupimmps zmm29, zmm29, zmm14, 0
    vminps zmm29, zmm29, zmm13
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm2, zmm27, zmm28
    vpermb zmm1{k1}, zmm6, zmm2
    vmovdqu64 zmm27, [rdi+0x200]
    vpermd zmm30, zmm23, zmm24
    vmulps zmm27, zmm27, zmm30
    vfixupimmps zmm27, zmm27, zmm14, 0
    vminps zmm27, zmm27, zmm13
    vcvtps2dq zmm27, zmm27
    vpmovsdb xmm3, zmm27
    vpermb zmm1{k2}, zmm7, zmm3
    vmovdqu64 [rsi], zmm1
    vpermb zmm1, zmm8, zmm0
    vpermb zmm1{k3}, zmm9, zmm2
    vpermb zmm1{k4}, zmm10, zmm3
    vmovdqu64 [rsi+0x40], zmm1
    vpermb zmm0, zmm11, zmm0
    vpermb zmm0{k5}, zmm12, zmm2
    vpshufb zmm26, zmm3, [r11+0x4C0]
    vpternlogd zmm0, zmm26, [r11+0x500], 0xD8
    vmovdqu64 [rsi+0x80], xmm0
    add rdi, 0x240
    add rsi, 0x90
    add rbx, 0x40
    dec rcx
    jne L10
    ret
; tile 1 of nest 2: move 9 x 8 of 16
L11:
    cmp qword [r10+0xB28], 0
    jne L14
    vpxord zmm25, zmm25, zmm25
    vmovdqu64 zmm3, [r11]
    vpbroadcastb zmm4, [r11+0x278]
    vmovdqu64 zmm5, [r11+0x40]
    vmovdqu64 zmm6, [r11+0x540]
    vmovdqu64 zmm7, [r11+0x100]
    vmovdqu64 zmm8, [r11+0x580]
    vmovdqu64 zmm9, [r11+0x1C0]
    vpbroadcastd zmm10, [r11+0x240]
    kmovq k1, [r11+0x5C0]
    kmovq k2, [r11+0x5C8]
    kmovq k3, [r11+0x5D0]
    kmovq k4, [r11+0x5D8]
    kmovq k5, [r11+0x5E0]
    kmovq k7, [r11+0x5E8]
    vmovdqu32 zmm11{k7}{z}, [rbx]
    vpbroadcastd zmm31, [r11+0x244]
    vdivps zmm11, zmm31, zmm11
    vmovdqu64 zmm12, [r11+0x280]
    vpermd zmm12, zmm12, zmm11
    vmovdqu64 zmm13, [r11+0x2C0]
    vpermd zmm13, zmm13, zmm11
    vmovdqu64 zmm14, [r11+0x300]
    vpermd zmm14, zmm14, zmm11
    vmovdqu64 zmm15, [r11+0x340]
    vpermd zmm15, zmm15, zmm11
    vpbroadcastd zmm16, [rbx+0x1C]
    vpbroadcastd zmm31, [r11+0x244]
    vdivps zmm16, zmm31, zmm16
L12:
    vmovdqu64 zmm27, [rdi]
    vmulps zmm27, zmm27, zmm12
    vcvtps2dq zmm27, zmm27
    vmovdqu64 zmm28, [rdi+0x40]
    vmulps zmm28, zmm28, zmm13
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm25, zmm25, zmm27
    vmovdqu64 zmm28, [rdi+0x80]
    vmulps zmm28, zmm28, zmm14
    vcvtps2dq zmm28, zmm28
    vmovdqu64 zmm29, [rdi+0xC0]
    vmulps zmm29, zmm29, zmm15
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm25, zmm25, zmm28
    vpacksswb zmm0, zmm27, zmm28
    vpermb zmm1, zmm5, zmm0
    vmovdqu64 ymm27, [rdi+0x100]
    vmulps zmm27, zmm27, zmm16
    vcvtps2dq zmm27, zmm27
    vpminsw zmm25, zmm25, zmm27
    vpmovsdb xmm2, zmm27
    vpandd zmm2, zmm2, [r11+0x600]
    vpermb zmm1{k1}, zmm6, zmm2
    vmovdqu8 zmm26{k3}{z}, zmm1
    vmovdqu64 [rsi], zmm26
    vpermb zmm1, zmm7, zmm0
    vpermb zmm1{k2}, zmm8, zmm2
    vmovdqu8 zmm26{k3}{z}, zmm1
    vmovdqu64 [rsi+0x40], zmm26
    vpermb zmm0, zmm9, zmm0
    vpblendmb zmm0{k4}, zmm0, zmm2
    vmovdqu8 zmm26{k5}{z}, zmm0
    vmovdqu64 [rsi+0x80], xmm26
    vpcmpeqw k6, zmm25, zmm10
    kortestq k6, k6
    jne L13
    dec rcx
    jne L12
    ret
; the same, whatever there is
L13:
    mov qword [r10+0xB28], 1
L14:
    vmovdqu64 zmm3, [r11]
    vpbroadcastb zmm4, [r11+0x278]
    vmovdqu64 zmm5, [r11+0x40]
    vmovdqu64 zmm6, [r11+0x540]
    vmovdqu64 zmm7, [r11+0x100]
    vmovdqu64 zmm8, [r11+0x580]
    vmovdqu64 zmm9, [r11+0x1C0]
    vpbroadcastd zmm10, [r11+0x270]
    vpbroadcastd zmm11, [r11+0x274]
    kmovq k1, [r11+0x5C0]
    kmovq k2, [r11+0x5C8]
    kmovq k3, [r11+0x5D0]
    kmovq k4, [r11+0x5D8]
    kmovq k5, [r11+0x5E0]
    kmovq k7, [r11+0x5E8]
    vmovdqu32 zmm12{k7}{z}, [rbx]
    vpbroadcastd zmm31, [r11+0x244]
    vdivps zmm12, zmm31, zmm12
    vmovdqu64 zmm13, [r11+0x280]
    vpermd zmm13, zmm13, zmm12
    vmovdqu64 zmm14, [r11+0x2C0]
    vpermd zmm14, zmm14, zmm12
    vmovdqu64 zmm15, [r11+0x300]
    vpermd zmm15, zmm15, zmm12
    vmovdqu64 zmm16, [r11+0x340]
    vpermd zmm16, zmm16, zmm12
    vpbroadcastd zmm17, [rbx+0x1C]
    vpbroadcastd zmm31, [r11+0x244]
    vdivps zmm17, zmm31, zmm17
L15:
    vmovdqu64 zmm27, [rdi]
    vmulps zmm27, zmm27, zmm13
    vfixupimmps zmm27, zmm27, zmm11, 0
    vminps zmm27, zmm27, zmm10
    vcvtps2dq zmm27, zmm27
    vmovdqu64 zmm28, [rdi+0x40]
    vmulps zmm28, zmm28, zmm14
    vfixupimmps zmm28, zmm28, zmm11, 0
    vminps zmm28, zmm28, zmm10
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vmovdqu64 zmm28, [rdi+0x80]
    vmulps zmm28, zmm28, zmm15
    vfixupimmps zmm28, zmm28, zmm11, 0
    vminps zmm28, zmm28, zmm10
    vcvtps2dq zmm28, zmm28
    vmovdqu64 zmm29, [rdi+0xC0]
    vmulps zmm29, zmm29, zmm16
    vfixupimmps zmm29, zmm29, zmm11, 0
    vminps zmm29, zmm29, zmm10
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm0, zmm27, zmm28
    vpermb zmm1, zmm5, zmm0
    vmovdqu64 ymm27, [rdi+0x100]
    vmulps zmm27, zmm27, zmm17
    vfixupimmps zmm27, zmm27, zmm11, 0
    vminps zmm27, zmm27, zmm10
    vcvtps2dq zmm27, zmm27
    vpmovsdb xmm2, zmm27
    vpandd zmm2, zmm2, [r11+0x600]
    vpermb zmm1{k1}, zmm6, zmm2
    vmovdqu8 zmm26{k3}{z}, zmm1
    vmovdqu64 [rsi], zmm26
    vpermb zmm1, zmm7, zmm0
    vpermb zmm1{k2}, zmm8, zmm2
    vmovdqu8 zmm26{k3}{z}, zmm1
    vmovdqu64 [rsi+0x40], zmm26
    vpermb zmm0, zmm9, zmm0
    vpblendmb zmm0{k4}, zmm0, zmm2
    vmovdqu8 zmm26{k5}{z}, zmm0
    vmovdqu64 [rsi+0x80], xmm26
    dec rcx
    jne L15
    ret
; routines
L16:
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
    db 00 21 06 27 18 39 1e 3f 20 21 22 23 30 31 32 33 01 22 07 34 19 3a 1f 17 24 25 26 27 34 35 36 37
    db 02 23 14 35 1a 3b 2c 1b 28 29 2a 2b 38 39 3a 3b 03 30 15 36 1b 0c 2d 1f 2c 2d 2e 2f 3c 3d 3e 3f
    db 00 01 02 03 10 11 12 13 20 05 26 0b 38 1d 3e 33 04 05 06 07 14 15 16 00 21 06 27 18 39 1e 3f 37
    db 08 09 0a 0b 18 19 1a 01 22 07 34 19 3a 1f 3a 3b 0c 0d 0e 0f 1c 1d 1e 02 23 14 35 1a 3b 2c 3e 3f
    db 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 07 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 08
    db 20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 00 09 30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 01 0a
    db 10 31 16 37 28 0d 2e 13 20 21 22 23 30 31 32 33 11 32 17 08 29 0e 2f 17 24 25 26 27 34 35 36 37
    db 12 33 24 09 2a 0f 3c 1b 28 29 2a 2b 38 39 3a 3b 13 04 25 0a 2b 1c 3d 1f 2c 2d 2e 2f 3c 3d 3e 3f
    db 00 01 02 03 10 11 12 03 30 15 36 1b 0c 2d 32 33 04 05 06 07 14 15 16 10 31 16 37 28 0d 2e 36 37
    db 08 09 0a 0b 18 19 1a 11 32 17 08 29 0e 2f 3a 3b 0c 0d 0e 0f 1c 1d 1e 12 33 24 09 2a 0f 3c 3e 3f
    db 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 02 0b 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 03 0c
    db 20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 04 0d 30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 05 0e
    db 20 05 26 0b 38 1d 3e 13 20 21 22 23 30 31 32 33 04 05 06 07 14 15 16 17 24 25 26 27 34 35 36 37
    db 08 09 0a 0b 18 19 1a 1b 28 29 2a 2b 38 39 3a 3b 0c 0d 0e 0f 1c 1d 1e 1f 2c 2d 2e 2f 3c 3d 3e 3f
    db 00 01 02 03 10 11 12 13 04 25 0a 2b 1c 3d 32 33 04 05 06 07 14 15 16 17 24 25 26 27 34 35 36 37
    db 08 09 0a 0b 18 19 1a 1b 28 29 2a 2b 38 39 3a 3b 0c 0d 0e 0f 1c 1d 1e 1f 2c 2d 2e 2f 3c 3d 3e 3f
    db 00 80 00 80 00 00 80 3f 00 7f 80 7f 80 3f 80 3f 00 80 00 80 00 c0 00 c0 80 3f 80 3f 80 3f 80 3f
    db 00 c0 00 c0 00 c0 00 c0 80 3f 00 00 00 00 00 00 00 00 fe 42 88 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 01 00 00 00 01 00 00 00 01 00 00 00 01 00 00 00 01 00 00 00 01 00 00 00 01 00 00 00
    db 01 00 00 00 01 00 00 00 02 00 00 00 02 00 00 00 02 00 00 00 02 00 00 00 02 00 00 00 02 00 00 00
    db 02 00 00 00 02 00 00 00 02 00 00 00 03 00 00 00 03 00 00 00 03 00 00 00 03 00 00 00 03 00 00 00
    db 03 00 00 00 03 00 00 00 03 00 00 00 03 00 00 00 04 00 00 00 04 00 00 00 04 00 00 00 04 00 00 00
    db 04 00 00 00 04 00 00 00 04 00 00 00 04 00 00 00 04 00 00 00 05 00 00 00 05 00 00 00 05 00 00 00
    db 05 00 00 00 05 00 00 00 05 00 00 00 05 00 00 00 05 00 00 00 05 00 00 00 06 00 00 00 06 00 00 00
    db 06 00 00 00 06 00 00 00 06 00 00 00 06 00 00 00 06 00 00 00 06 00 00 00 06 00 00 00 07 00 00 00
    db 07 00 00 00 07 00 00 00 07 00 00 00 07 00 00 00 07 00 00 00 07 00 00 00 07 00 00 00 07 00 00 00
    db 08 00 00 00 08 00 00 00 08 00 00 00 08 00 00 00 08 00 00 00 08 00 00 00 08 00 00 00 08 00 00 00
    db 08 00 00 00 09 00 00 00 09 00 00 00 09 00 00 00 09 00 00 00 09 00 00 00 09 00 00 00 09 00 00 00
    db 09 00 00 00 09 00 00 00 0a 00 00 00 0a 00 00 00 0a 00 00 00 0a 00 00 00 0a 00 00 00 0a 00 00 00
    db 0a 00 00 00 0a 00 00 00 0a 00 00 00 0b 00 00 00 0b 00 00 00 0b 00 00 00 0b 00 00 00 0b 00 00 00
    db 0b 00 00 00 0b 00 00 00 0b 00 00 00 0b 00 00 00 0c 00 00 00 0c 00 00 00 0c 00 00 00 0c 00 00 00
    db 0c 00 00 00 0c 00 00 00 0c 00 00 00 0c 00 00 00 0c 00 00 00 0d 00 00 00 0d 00 00 00 0d 00 00 00
    db 0d 00 00 00 0d 00 00 00 0d 00 00 00 0d 00 00 00 0d 00 00 00 0d 00 00 00 0e 00 00 00 0e 00 00 00
    db 0e 00 00 00 0e 00 00 00 0e 00 00 00 0e 00 00 00 0e 00 00 00 0e 00 00 00 0e 00 00 00 0f 00 00 00
    db 0f 00 00 00 0f 00 00 00 0f 00 00 00 0f 00 00 00 0f 00 00 00 0f 00 00 00 0f 00 00 00 0f 00 00 00
    db 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 06 0f 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
    db 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 00 18 19 1a 1b 1c 1d 1e 1f
    db 20 21 22 23 24 25 26 01 28 29 2a 2b 2c 2d 2e 2f 30 31 32 33 34 35 36 02 38 39 3a 3b 3c 3d 3e 3f
    db 00 01 02 03 04 05 06 03 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 04 18 19 1a 1b 1c 1d 1e 1f
    db 20 21 22 23 24 25 26 05 28 29 2a 2b 2c 2d 2e 2f 30 31 32 33 34 35 36 06 38 39 3a 3b 3c 3d 3e 3f
    db 00 00 80 00 80 00 80 00 80 00 80 00 80 00 80 00 ff 00 ff 00 ff 00 ff 00 80 00 00 00 00 00 00 00
    db ff 00 ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00

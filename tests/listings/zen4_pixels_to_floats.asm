; zen4 u8:nhwc:1x3x16x16 f32:nchw --src-scale=mask:2 --src-zp=mask:2
; 2196 bytes
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
    mov [r10+0xB20], rdx
    mov [r10+0xB28], rcx
    mov [r10+0xB38], rbx
    mov [r10+0xB40], r12
    mov rax, [r8+0x10]
    mov [r10+0xB10], rax
    mov rax, [r8+0x20]
    mov [r10+0xB18], rax
    mov rax, [r8+0x40]
    mov [r10+0xB30], rax
; nest 1: move 3(s1,d1024,ss1,sz1) 256(s3,d4), cut at step 1 by 1
    cmp qword [r10+0xB28], 1
    jne L0
    mov edx, 4
    xor eax, eax
    jmp L1
L0:
    mov eax, 4
    call L9
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xB48], rax
    mov [r10+0xB50], rdx
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov rbx, [r10+0xB10]
    mov r12, [r10+0xB18]
; loop 2 by 64
    mov [r10+0xB58], rdi
    mov [r10+0xB60], rsi
    mov [r10+0xB68], rbx
    mov [r10+0xB70], r12
    cmp qword [r10+0xB48], 0
    je L2
    mov rcx, [r10+0xB48]
    imul rcx, 0xC0
    add rdi, rcx
    mov rcx, [r10+0xB48]
    imul rcx, 0x100
    add rsi, rcx
L2:
    mov rcx, [r10+0xB50]
    mov rdx, [r10+0xB48]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0xB58]
    mov rsi, [r10+0xB60]
    mov rbx, [r10+0xB68]
    mov r12, [r10+0xB70]
; exit
L4:
    mov rbx, [r10+0xB38]
    mov r12, [r10+0xB40]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 3 x 64
L5:
    cmp qword [r10+0xB30], 0
    jne L7
    vmovdqu64 zmm5, [r11]
    vmovdqu64 zmm6, [r11+0x40]
    vmovdqu64 zmm7, [r11+0x80]
    vmovdqu64 zmm8, [r11+0xC0]
    vmovdqu64 zmm9, [r11+0x100]
    vmovdqu64 zmm10, [r11+0x140]
    vpbroadcastd zmm11, [r11+0x180]
    kmovq k1, [r11+0x188]
    vpbroadcastd zmm12, [r12]
    vaddps zmm12, zmm12, zmm11
    vpbroadcastd zmm13, [r12+4]
    vaddps zmm13, zmm13, zmm11
    vpbroadcastd zmm14, [r12+8]
    vaddps zmm14, zmm14, zmm11
    vpbroadcastd zmm15, [rbx]
    vpbroadcastd zmm16, [rbx+4]
    vpbroadcastd zmm17, [rbx+8]
L6:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x30]
    vmovdqu64 zmm2, [rdi+0x60]
    vmovdqu64 zmm3, [rdi+0x80]
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm5, zmm0
    vsubps zmm27, zmm27, zmm12
    vmulps zmm27, zmm27, zmm15
    vmovdqu64 [rsi], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm5, zmm1
    vsubps zmm27, zmm27, zmm12
    vmulps zmm27, zmm27, zmm15
    vmovdqu64 [rsi+0x40], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm5, zmm2
    vsubps zmm27, zmm27, zmm12
    vmulps zmm27, zmm27, zmm15
    vmovdqu64 [rsi+0x80], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm6, zmm3
    vsubps zmm27, zmm27, zmm12
    vmulps zmm27, zmm27, zmm15
    vmovdqu64 [rsi+0xC0], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm7, zmm0
    vsubps zmm27, zmm27, zmm13
    vmulps zmm27, zmm27, zmm16
    vmovdqu64 [rsi+0x400], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm7, zmm1
    vsubps zmm27, zmm27, zmm13
    vmulps zmm27, zmm27, zmm16
    vmovdqu64 [rsi+0x440], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm7, zmm2
    vsubps zmm27, zmm27, zmm13
    vmulps zmm27, zmm27, zmm16
    vmovdqu64 [rsi+0x480], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm8, zmm3
    vsubps zmm27, zmm27, zmm13
    vmulps zmm27, zmm27, zmm16
    vmovdqu64 [rsi+0x4C0], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm9, zmm0
    vsubps zmm27, zmm27, zmm14
    vmulps zmm27, zmm27, zmm17
    vmovdqu64 [rsi+0x800], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm9, zmm1
    vsubps zmm27, zmm27, zmm14
    vmulps zmm27, zmm27, zmm17
    vmovdqu64 [rsi+0x840], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm9, zmm2
    vsubps zmm27, zmm27, zmm14
    vmulps zmm27, zmm27, zmm17
    vmovdqu64 [rsi+0x880], zmm27
    vmovdqa64 zmm27, zmm11
    vpermb zmm27{k1}, zmm10, zmm3
    vsubps zmm27, zmm27, zmm14
    vmulps zmm27, zmm27, zmm17
    vmovdqu64 [rsi+0x8C0], zmm27
    add rdi, 0xC0
    add rsi, 0x100
    dec rcx
    jne L6
    ret
; the same, whatever there is
L7:
    vmovdqu64 zmm5, [r11]
    vmovdqu64 zmm6, [r11+0x40]
    vmovdqu64 zmm7, [r11+0x80]
    vmovdqu64 zmm8, [r11+0xC0]
    vmovdqu64 zmm9, [r11+0x100]
    vmovdqu64 zmm10, [r11+0x140]
    vpbroadcastd zmm11, [r11+0x184]
    vpbroadcastd zmm12, [r11+0x190]
    kmovq k1, [r11+0x188]
    vpbroadcastd zmm13, [rbx]
    vpbroadcastd zmm14, [r12]
    vpbroadcastd zmm15, [rbx+4]
    vpbroadcastd zmm16, [r12+4]
    vpbroadcastd zmm17, [rbx+8]
    vpbroadcastd zmm18, [r12+8]
L8:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x30]
    vmovdqu64 zmm2, [rdi+0x60]
    vmovdqu64 zmm3, [rdi+0x80]
    vpermb zmm27{k1}{z}, zmm5, zmm0
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm14
    vmulps zmm27, zmm27, zmm13
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi], zmm27
    vpermb zmm27{k1}{z}, zmm5, zmm1
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm14
    vmulps zmm27, zmm27, zmm13
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x40], zmm27
    vpermb zmm27{k1}{z}, zmm5, zmm2
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm14
    vmulps zmm27, zmm27, zmm13
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x80], zmm27
    vpermb zmm27{k1}{z}, zmm6, zmm3
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm14
    vmulps zmm27, zmm27, zmm13
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0xC0], zmm27
    vpermb zmm27{k1}{z}, zmm7, zmm0
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm16
    vmulps zmm27, zmm27, zmm15
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x400], zmm27
    vpermb zmm27{k1}{z}, zmm7, zmm1
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm16
    vmulps zmm27, zmm27, zmm15
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x440], zmm27
    vpermb zmm27{k1}{z}, zmm7, zmm2
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm16
    vmulps zmm27, zmm27, zmm15
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x480], zmm27
    vpermb zmm27{k1}{z}, zmm8, zmm3
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm16
    vmulps zmm27, zmm27, zmm15
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x4C0], zmm27
    vpermb zmm27{k1}{z}, zmm9, zmm0
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm18
    vmulps zmm27, zmm27, zmm17
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x800], zmm27
    vpermb zmm27{k1}{z}, zmm9, zmm1
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm18
    vmulps zmm27, zmm27, zmm17
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x840], zmm27
    vpermb zmm27{k1}{z}, zmm9, zmm2
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm18
    vmulps zmm27, zmm27, zmm17
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x880], zmm27
    vpermb zmm27{k1}{z}, zmm10, zmm3
    vcvtdq2ps zmm27, zmm27
    vsubps zmm27, zmm27, zmm18
    vmulps zmm27, zmm27, zmm17
    vmovdqa64 zmm30, zmm12
    vfixupimmps zmm30, zmm27, zmm11, 0
    vmovdqa64 zmm27, zmm30
    vmovdqu64 [rsi+0x8C0], zmm27
    add rdi, 0xC0
    add rsi, 0x100
    dec rcx
    jne L8
    ret
; routines
L9:
    mov rcx, rax
    mul qword [r10+0xB20]
    div qword [r10+0xB28]
    mov r8, rax
    mov rax, [r10+0xB20]
    inc rax
    mul rcx
    div qword [r10+0xB28]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 00 00 00 00 03 03 03 03 06 06 06 06 09 09 09 09 0c 0c 0c 0c 0f 0f 0f 0f 12 12 12 12 15 15 15 15
    db 18 18 18 18 1b 1b 1b 1b 1e 1e 1e 1e 21 21 21 21 24 24 24 24 27 27 27 27 2a 2a 2a 2a 2d 2d 2d 2d
    db 10 10 10 10 13 13 13 13 16 16 16 16 19 19 19 19 1c 1c 1c 1c 1f 1f 1f 1f 22 22 22 22 25 25 25 25
    db 28 28 28 28 2b 2b 2b 2b 2e 2e 2e 2e 31 31 31 31 34 34 34 34 37 37 37 37 3a 3a 3a 3a 3d 3d 3d 3d
    db 01 01 01 01 04 04 04 04 07 07 07 07 0a 0a 0a 0a 0d 0d 0d 0d 10 10 10 10 13 13 13 13 16 16 16 16
    db 19 19 19 19 1c 1c 1c 1c 1f 1f 1f 1f 22 22 22 22 25 25 25 25 28 28 28 28 2b 2b 2b 2b 2e 2e 2e 2e
    db 11 11 11 11 14 14 14 14 17 17 17 17 1a 1a 1a 1a 1d 1d 1d 1d 20 20 20 20 23 23 23 23 26 26 26 26
    db 29 29 29 29 2c 2c 2c 2c 2f 2f 2f 2f 32 32 32 32 35 35 35 35 38 38 38 38 3b 3b 3b 3b 3e 3e 3e 3e
    db 02 02 02 02 05 05 05 05 08 08 08 08 0b 0b 0b 0b 0e 0e 0e 0e 11 11 11 11 14 14 14 14 17 17 17 17
    db 1a 1a 1a 1a 1d 1d 1d 1d 20 20 20 20 23 23 23 23 26 26 26 26 29 29 29 29 2c 2c 2c 2c 2f 2f 2f 2f
    db 12 12 12 12 15 15 15 15 18 18 18 18 1b 1b 1b 1b 1e 1e 1e 1e 21 21 21 21 24 24 24 24 27 27 27 27
    db 2a 2a 2a 2a 2d 2d 2d 2d 30 30 30 30 33 33 33 33 36 36 36 36 39 39 39 39 3c 3c 3c 3c 3f 3f 3f 3f
    db 00 00 00 4b 00 11 11 11 11 11 11 11 11 11 11 11 00 00 c0 7f

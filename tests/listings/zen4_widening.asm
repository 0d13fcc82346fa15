; zen4 s8:ab:16x16 f32:ba
; 840 bytes
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
    kmovq k1, [r11+0x40]
L2:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x40]
    vmovdqu64 zmm2, [rdi+0x80]
    vmovdqu64 zmm3, [rdi+0xC0]
    vshufpd zmm4, zmm0, zmm1, 0x55
    vpblendmd zmm0{k1}, zmm0, zmm4
    vpblendmd zmm1{k1}, zmm4, zmm1
    vshufpd zmm4, zmm2, zmm3, 0x55
    vpblendmd zmm2{k1}, zmm2, zmm4
    vpblendmd zmm3{k1}, zmm4, zmm3
    vshufps zmm4, zmm0, zmm2, 0x88
    vshufps zmm0, zmm0, zmm2, 0xDD
    vshufps zmm2, zmm1, zmm3, 0x88
    vshufps zmm1, zmm1, zmm3, 0xDD
    vpermb zmm3, zmm5, zmm4
    vpmovsxbd zmm27, xmm3
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi], zmm27
    vextracti32x4 xmm27, zmm3, 1
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x40], zmm27
    vextracti32x4 xmm27, zmm3, 2
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x80], zmm27
    vextracti32x4 xmm27, zmm3, 3
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0xC0], zmm27
    vpermb zmm2, zmm5, zmm2
    vpmovsxbd zmm27, xmm2
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x200], zmm27
    vextracti32x4 xmm27, zmm2, 1
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x240], zmm27
    vextracti32x4 xmm27, zmm2, 2
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x280], zmm27
    vextracti32x4 xmm27, zmm2, 3
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x2C0], zmm27
    vpermb zmm0, zmm5, zmm0
    vpmovsxbd zmm27, xmm0
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x100], zmm27
    vextracti32x4 xmm27, zmm0, 1
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x140], zmm27
    vextracti32x4 xmm27, zmm0, 2
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x180], zmm27
    vextracti32x4 xmm27, zmm0, 3
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x1C0], zmm27
    vpermb zmm0, zmm5, zmm1
    vpmovsxbd zmm27, xmm0
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x300], zmm27
    vextracti32x4 xmm27, zmm0, 1
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x340], zmm27
    vextracti32x4 xmm27, zmm0, 2
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x380], zmm27
    vextracti32x4 xmm27, zmm0, 3
    vpmovsxbd zmm27, xmm27
    vcvtdq2ps zmm27, zmm27
    vmovdqu64 [rsi+0x3C0], zmm27
    dec rcx
    jne L2
    ret
; routines
    mov rcx, rax
    cmp qword [r10+0xB18], 1
    jne L3
    xor eax, eax
    mov rdx, rcx
    ret
L3:
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
    db cc cc 00 00 00 00 00 00

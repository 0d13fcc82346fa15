; zen5 f32:nchw:1x17x13x13 nChw16c
; 2444 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0xC0]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10], rdi
    mov [r10+8], rsi
    mov [r10+0x10], rdx
    mov [r10+0x18], rcx
; nest 1: move 169(s4,d64) 16(s676,d4), cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0xB
    xor eax, eax
    jmp L1
L0:
    mov eax, 0xB
    call L19
    cmp rax, rdx
    jge L5
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x400
    add rsi, rcx
L2:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 0xA
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L3
    call L12
L3:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 0xB
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 0xA
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L4
    call L13
L4:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; nest 2: move 169(s4,d64) 16(s676,d4)[0..1], from s10816,d10816, cut at step 1 by 1
L5:
    cmp qword [r10+0x18], 1
    jne L6
    mov edx, 0xB
    xor eax, eax
    jmp L7
L6:
    mov eax, 0xB
    call L19
    cmp rax, rdx
    jge L11
L7:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 0x2A40
    add rsi, 0x2A40
; loop 1 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L8
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x400
    add rsi, rcx
L8:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 0xA
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L9
    call L15
L9:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 0xB
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 0xA
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L10
    call L17
L10:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L11:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 16 x 16
L12:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x2A4]
    vmovdqu64 zmm2, [rdi+0x548]
    vmovdqu64 zmm3, [rdi+0x7EC]
    vmovdqu64 zmm4, [rdi+0xA90]
    vmovdqu64 zmm5, [rdi+0xD34]
    vmovdqu64 zmm6, [rdi+0xFD8]
    vmovdqu64 zmm7, [rdi+0x127C]
    vmovdqu64 zmm8, [rdi+0x1520]
    vmovdqu64 zmm9, [rdi+0x17C4]
    vmovdqu64 zmm10, [rdi+0x1A68]
    vmovdqu64 zmm11, [rdi+0x1D0C]
    vmovdqu64 zmm12, [rdi+0x1FB0]
    vmovdqu64 zmm13, [rdi+0x2254]
    vmovdqu64 zmm14, [rdi+0x24F8]
    vmovdqu64 zmm15, [rdi+0x279C]
    vpunpcklqdq zmm16, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vpunpcklqdq zmm1, zmm2, zmm3
    vpunpckhqdq zmm2, zmm2, zmm3
    vpunpcklqdq zmm3, zmm4, zmm5
    vpunpckhqdq zmm4, zmm4, zmm5
    vpunpcklqdq zmm5, zmm6, zmm7
    vpunpckhqdq zmm6, zmm6, zmm7
    vpunpcklqdq zmm7, zmm8, zmm9
    vpunpckhqdq zmm8, zmm8, zmm9
    vpunpcklqdq zmm9, zmm10, zmm11
    vpunpckhqdq zmm10, zmm10, zmm11
    vpunpcklqdq zmm11, zmm12, zmm13
    vpunpckhqdq zmm12, zmm12, zmm13
    vpunpcklqdq zmm13, zmm14, zmm15
    vpunpckhqdq zmm14, zmm14, zmm15
    vshufps zmm15, zmm16, zmm1, 0x88
    vshufps zmm1, zmm16, zmm1, 0xDD
    vshufps zmm16, zmm0, zmm2, 0x88
    vshufps zmm0, zmm0, zmm2, 0xDD
    vshufps zmm2, zmm3, zmm5, 0x88
    vshufps zmm3, zmm3, zmm5, 0xDD
    vshufps zmm5, zmm4, zmm6, 0x88
    vshufps zmm4, zmm4, zmm6, 0xDD
    vshufps zmm6, zmm7, zmm9, 0x88
    vshufps zmm7, zmm7, zmm9, 0xDD
    vshufps zmm9, zmm8, zmm10, 0x88
    vshufps zmm8, zmm8, zmm10, 0xDD
    vshufps zmm10, zmm11, zmm13, 0x88
    vshufps zmm11, zmm11, zmm13, 0xDD
    vshufps zmm13, zmm12, zmm14, 0x88
    vshufps zmm12, zmm12, zmm14, 0xDD
    vshufi64x2 zmm14, zmm15, zmm2, 0x44
    vshufi64x2 zmm2, zmm15, zmm2, 0xEE
    vshufi64x2 zmm15, zmm16, zmm5, 0x44
    vshufi64x2 zmm5, zmm16, zmm5, 0xEE
    vshufi64x2 zmm16, zmm1, zmm3, 0x44
    vshufi64x2 zmm1, zmm1, zmm3, 0xEE
    vshufi64x2 zmm3, zmm0, zmm4, 0x44
    vshufi64x2 zmm0, zmm0, zmm4, 0xEE
    vshufi64x2 zmm4, zmm6, zmm10, 0x44
    vshufi64x2 zmm6, zmm6, zmm10, 0xEE
    vshufi64x2 zmm10, zmm9, zmm13, 0x44
    vshufi64x2 zmm9, zmm9, zmm13, 0xEE
    vshufi64x2 zmm13, zmm7, zmm11, 0x44
    vshufi64x2 zmm7, zmm7, zmm11, 0xEE
    vshufi64x2 zmm11, zmm8, zmm12, 0x44
    vshufi64x2 zmm8, zmm8, zmm12, 0xEE
    vshufi64x2 zmm12, zmm14, zmm4, 0x88
    vshufi64x2 zmm4, zmm14, zmm4, 0xDD
    vshufi64x2 zmm14, zmm15, zmm10, 0x88
    vshufi64x2 zmm10, zmm15, zmm10, 0xDD
    vshufi64x2 zmm15, zmm16, zmm13, 0x88
    vshufi64x2 zmm13, zmm16, zmm13, 0xDD
    vshufi64x2 zmm16, zmm3, zmm11, 0x88
    vshufi64x2 zmm3, zmm3, zmm11, 0xDD
    vshufi64x2 zmm11, zmm2, zmm6, 0x88
    vshufi64x2 zmm2, zmm2, zmm6, 0xDD
    vshufi64x2 zmm6, zmm5, zmm9, 0x88
    vshufi64x2 zmm5, zmm5, zmm9, 0xDD
    vshufi64x2 zmm9, zmm1, zmm7, 0x88
    vshufi64x2 zmm1, zmm1, zmm7, 0xDD
    vshufi64x2 zmm7, zmm0, zmm8, 0x88
    vshufi64x2 zmm0, zmm0, zmm8, 0xDD
    vmovdqu64 [rsi], zmm12
    vmovdqu64 [rsi+0x40], zmm15
    vmovdqu64 [rsi+0x80], zmm14
    vmovdqu64 [rsi+0xC0], zmm16
    vmovdqu64 [rsi+0x100], zmm4
    vmovdqu64 [rsi+0x140], zmm13
    vmovdqu64 [rsi+0x180], zmm10
    vmovdqu64 [rsi+0x1C0], zmm3
    vmovdqu64 [rsi+0x200], zmm11
    vmovdqu64 [rsi+0x240], zmm9
    vmovdqu64 [rsi+0x280], zmm6
    vmovdqu64 [rsi+0x2C0], zmm7
    vmovdqu64 [rsi+0x300], zmm2
    vmovdqu64 [rsi+0x340], zmm1
    vmovdqu64 [rsi+0x380], zmm5
    vmovdqu64 [rsi+0x3C0], zmm0
    add rdi, 0x40
    add rsi, 0x400
    dec rcx
    jne L12
    ret
; tile 2 of nest 1: move 9 x 16
L13:
    kmovq k1, [r11]
L14:
    vmovdqu32 zmm0{k1}{z}, [rdi]
    vmovdqu32 zmm1{k1}{z}, [rdi+0x2A4]
    vmovdqu32 zmm2{k1}{z}, [rdi+0x548]
    vmovdqu32 zmm3{k1}{z}, [rdi+0x7EC]
    vmovdqu32 zmm4{k1}{z}, [rdi+0xA90]
    vmovdqu32 zmm5{k1}{z}, [rdi+0xD34]
    vmovdqu32 zmm6{k1}{z}, [rdi+0xFD8]
    vmovdqu32 zmm7{k1}{z}, [rdi+0x127C]
    vmovdqu32 zmm8{k1}{z}, [rdi+0x1520]
    vmovdqu32 zmm9{k1}{z}, [rdi+0x17C4]
    vmovdqu32 zmm10{k1}{z}, [rdi+0x1A68]
    vmovdqu32 zmm11{k1}{z}, [rdi+0x1D0C]
    vmovdqu32 zmm12{k1}{z}, [rdi+0x1FB0]
    vmovdqu32 zmm13{k1}{z}, [rdi+0x2254]
    vmovdqu32 zmm14{k1}{z}, [rdi+0x24F8]
    vmovdqu32 zmm15{k1}{z}, [rdi+0x279C]
    vpunpcklqdq zmm16, zmm0, zmm1
    vpunpckhqdq zmm0, zmm0, zmm1
    vpunpcklqdq zmm1, zmm2, zmm3
    vpunpckhqdq zmm2, zmm2, zmm3
    vpunpcklqdq zmm3, zmm4, zmm5
    vpunpckhqdq zmm4, zmm4, zmm5
    vpunpcklqdq zmm5, zmm6, zmm7
    vpunpckhqdq zmm6, zmm6, zmm7
    vpunpcklqdq zmm7, zmm8, zmm9
    vpunpckhqdq zmm8, zmm8, zmm9
    vpunpcklqdq zmm9, zmm10, zmm11
    vpunpckhqdq zmm10, zmm10, zmm11
    vpunpcklqdq zmm11, zmm12, zmm13
    vpunpckhqdq zmm12, zmm12, zmm13
    vpunpcklqdq zmm13, zmm14, zmm15
    vpunpckhqdq zmm14, zmm14, zmm15
    vshufps zmm15, zmm16, zmm1, 0x88
    vshufps zmm1, zmm16, zmm1, 0xDD
    vshufps zmm16, zmm0, zmm2, 0x88
    vshufps zmm0, zmm0, zmm2, 0xDD
    vshufps zmm2, zmm3, zmm5, 0x88
    vshufps zmm3, zmm3, zmm5, 0xDD
    vshufps zmm5, zmm4, zmm6, 0x88
    vshufps zmm4, zmm4, zmm6, 0xDD
    vshufps zmm6, zmm7, zmm9, 0x88
    vshufps zmm7, zmm7, zmm9, 0xDD
    vshufps zmm9, zmm8, zmm10, 0x88
    vshufps zmm8, zmm8, zmm10, 0xDD
    vshufps zmm10, zmm11, zmm13, 0x88
    vshufps zmm11, zmm11, zmm13, 0xDD
    vshufps zmm13, zmm12, zmm14, 0x88
    vshufps zmm12, zmm12, zmm14, 0xDD
    vshufi64x2 zmm14, zmm15, zmm2, 0x44
    vshufi64x2 zmm2, zmm15, zmm2, 0xEE
    vshufi64x2 zmm5, zmm16, zmm5, 0x44
    vshufi64x2 zmm1, zmm1, zmm3, 0x44
    vshufi64x2 zmm0, zmm0, zmm4, 0x44
    vshufi64x2 zmm3, zmm6, zmm10, 0x44
    vshufi64x2 zmm4, zmm6, zmm10, 0xEE
    vshufi64x2 zmm6, zmm9, zmm13, 0x44
    vshufi64x2 zmm7, zmm7, zmm11, 0x44
    vshufi64x2 zmm8, zmm8, zmm12, 0x44
    vshufi64x2 zmm9, zmm14, zmm3, 0x88
    vshufi64x2 zmm3, zmm14, zmm3, 0xDD
    vshufi64x2 zmm10, zmm5, zmm6, 0x88
    vshufi64x2 zmm5, zmm5, zmm6, 0xDD
    vshufi64x2 zmm6, zmm1, zmm7, 0x88
    vshufi64x2 zmm1, zmm1, zmm7, 0xDD
    vshufi64x2 zmm7, zmm0, zmm8, 0x88
    vshufi64x2 zmm0, zmm0, zmm8, 0xDD
    vshufi64x2 zmm2, zmm2, zmm4, 0x88
    vmovdqu64 [rsi], zmm9
    vmovdqu64 [rsi+0x40], zmm6
    vmovdqu64 [rsi+0x80], zmm10
    vmovdqu64 [rsi+0xC0], zmm7
    vmovdqu64 [rsi+0x100], zmm3
    vmovdqu64 [rsi+0x140], zmm1
    vmovdqu64 [rsi+0x180], zmm5
    vmovdqu64 [rsi+0x1C0], zmm0
    vmovdqu64 [rsi+0x200], zmm2
    add rdi, 0x40
    add rsi, 0x400
    dec rcx
    jne L14
    ret
; tile 1 of nest 2: move 16 x 1 of 16
L15:
    vpbroadcastd zmm1, [r11+8]
L16:
    vmovd xmm0, [rdi]
    vmovdqu64 [rsi], zmm0
    vmovd xmm0, [rdi+4]
    vmovdqu64 [rsi+0x40], zmm0
    vmovd xmm0, [rdi+8]
    vmovdqu64 [rsi+0x80], zmm0
    vmovd xmm0, [rdi+0xC]
    vmovdqu64 [rsi+0xC0], zmm0
    vmovd xmm0, [rdi+0x10]
    vmovdqu64 [rsi+0x100], zmm0
    vmovd xmm0, [rdi+0x14]
    vmovdqu64 [rsi+0x140], zmm0
    vmovd xmm0, [rdi+0x18]
    vmovdqu64 [rsi+0x180], zmm0
    vmovd xmm0, [rdi+0x1C]
    vmovdqu64 [rsi+0x1C0], zmm0
    vmovd xmm0, [rdi+0x20]
    vmovdqu64 [rsi+0x200], zmm0
    vmovd xmm0, [rdi+0x24]
    vmovdqu64 [rsi+0x240], zmm0
    vmovd xmm0, [rdi+0x28]
    vmovdqu64 [rsi+0x280], zmm0
    vmovd xmm0, [rdi+0x2C]
    vmovdqu64 [rsi+0x2C0], zmm0
    vmovd xmm0, [rdi+0x30]
    vmovdqu64 [rsi+0x300], zmm0
    vmovd xmm0, [rdi+0x34]
    vmovdqu64 [rsi+0x340], zmm0
    vmovd xmm0, [rdi+0x38]
    vmovdqu64 [rsi+0x380], zmm0
    vmovd xmm0, [rdi+0x3C]
    vmovdqu64 [rsi+0x3C0], zmm0
    add rdi, 0x40
    add rsi, 0x400
    dec rcx
    jne L16
    ret
; tile 2 of nest 2: move 9 x 1 of 16
L17:
    vpbroadcastd zmm1, [r11+8]
L18:
    vmovd xmm0, [rdi]
    vmovdqu64 [rsi], zmm0
    vmovd xmm0, [rdi+4]
    vmovdqu64 [rsi+0x40], zmm0
    vmovd xmm0, [rdi+8]
    vmovdqu64 [rsi+0x80], zmm0
    vmovd xmm0, [rdi+0xC]
    vmovdqu64 [rsi+0xC0], zmm0
    vmovd xmm0, [rdi+0x10]
    vmovdqu64 [rsi+0x100], zmm0
    vmovd xmm0, [rdi+0x14]
    vmovdqu64 [rsi+0x140], zmm0
    vmovd xmm0, [rdi+0x18]
    vmovdqu64 [rsi+0x180], zmm0
    vmovd xmm0, [rdi+0x1C]
    vmovdqu64 [rsi+0x1C0], zmm0
    vmovd xmm0, [rdi+0x20]
    vmovdqu64 [rsi+0x200], zmm0
    add rdi, 0x40
    add rsi, 0x400
    dec rcx
    jne L18
    ret
; routines
L19:
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
    db ff 01 00 00 00 00 00 00 00 00 00 00

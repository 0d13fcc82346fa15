; zen5 f32:nchw:1x17x13x13 nChw16c
; 2524 bytes
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
    mov eax, 0xB
    call L14
    cmp rax, rdx
    jge L2
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x400
    add rsi, rcx
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 0xA
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L0
    call L6
L0:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 0xB
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 0xA
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L1
    call L8
L1:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; nest 2: move 169(s4,d64) 16(s676,d4)[0..1], from s10816,d10816, cut at step 1 by 1
L2:
    mov eax, 0xB
    call L14
    cmp rax, rdx
    jge L5
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 0x2A40
    add rsi, 0x2A40
; loop 1 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x400
    add rsi, rcx
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
    call L10
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
    call L12
L4:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L5:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 16 x 16
L6:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
L7:
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0xA90]
    vmovdqu64 ymm1, [rdi+0x2A4]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xD34]
    vmovdqu64 ymm2, [rdi+0x548]
    vbroadcasti64x4 zmm2{k1}, [rdi+0xFD8]
    vmovdqu64 ymm3, [rdi+0x7EC]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x127C]
    vmovdqu64 ymm4, [rdi+0x1520]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x1FB0]
    vmovdqu64 ymm5, [rdi+0x17C4]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x2254]
    vmovdqu64 ymm6, [rdi+0x1A68]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x24F8]
    vmovdqu64 ymm7, [rdi+0x1D0C]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x279C]
    vshufpd zmm8, zmm0, zmm1, 0x55
    vpblendmd zmm0{k2}, zmm0, zmm8
    vpblendmd zmm1{k2}, zmm8, zmm1
    vshufpd zmm8, zmm2, zmm3, 0x55
    vpblendmd zmm2{k2}, zmm2, zmm8
    vpblendmd zmm3{k2}, zmm8, zmm3
    vshufpd zmm8, zmm4, zmm5, 0x55
    vpblendmd zmm4{k2}, zmm4, zmm8
    vpblendmd zmm5{k2}, zmm8, zmm5
    vshufpd zmm8, zmm6, zmm7, 0x55
    vpblendmd zmm6{k2}, zmm6, zmm8
    vpblendmd zmm7{k2}, zmm8, zmm7
    vshufps zmm8, zmm0, zmm2, 0x88
    vshufps zmm0, zmm0, zmm2, 0xDD
    vshufps zmm2, zmm1, zmm3, 0x88
    vshufps zmm1, zmm1, zmm3, 0xDD
    vshufps zmm3, zmm4, zmm6, 0x88
    vshufps zmm4, zmm4, zmm6, 0xDD
    vshufps zmm6, zmm5, zmm7, 0x88
    vshufps zmm5, zmm5, zmm7, 0xDD
    vshufi64x2 zmm7, zmm8, zmm3, 0x88
    vshufi64x2 zmm3, zmm8, zmm3, 0xDD
    vshufi64x2 zmm8, zmm2, zmm6, 0x88
    vshufi64x2 zmm2, zmm2, zmm6, 0xDD
    vshufi64x2 zmm6, zmm0, zmm4, 0x88
    vshufi64x2 zmm0, zmm0, zmm4, 0xDD
    vshufi64x2 zmm4, zmm1, zmm5, 0x88
    vshufi64x2 zmm1, zmm1, zmm5, 0xDD
    vmovdqu64 [rsi], zmm7
    vmovdqu64 [rsi+0x40], zmm6
    vmovdqu64 [rsi+0x80], zmm8
    vmovdqu64 [rsi+0xC0], zmm4
    vmovdqu64 [rsi+0x100], zmm3
    vmovdqu64 [rsi+0x140], zmm0
    vmovdqu64 [rsi+0x180], zmm2
    vmovdqu64 [rsi+0x1C0], zmm1
    vmovdqu64 ymm0, [rdi+0x20]
    vbroadcasti64x4 zmm0{k1}, [rdi+0xAB0]
    vmovdqu64 ymm1, [rdi+0x2C4]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xD54]
    vmovdqu64 ymm2, [rdi+0x568]
    vbroadcasti64x4 zmm2{k1}, [rdi+0xFF8]
    vmovdqu64 ymm3, [rdi+0x80C]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x129C]
    vmovdqu64 ymm4, [rdi+0x1540]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x1FD0]
    vmovdqu64 ymm5, [rdi+0x17E4]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x2274]
    vmovdqu64 ymm6, [rdi+0x1A88]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x2518]
    vmovdqu64 ymm7, [rdi+0x1D2C]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x27BC]
    vshufpd zmm8, zmm0, zmm1, 0x55
    vpblendmd zmm0{k2}, zmm0, zmm8
    vpblendmd zmm1{k2}, zmm8, zmm1
    vshufpd zmm8, zmm2, zmm3, 0x55
    vpblendmd zmm2{k2}, zmm2, zmm8
    vpblendmd zmm3{k2}, zmm8, zmm3
    vshufpd zmm8, zmm4, zmm5, 0x55
    vpblendmd zmm4{k2}, zmm4, zmm8
    vpblendmd zmm5{k2}, zmm8, zmm5
    vshufpd zmm8, zmm6, zmm7, 0x55
    vpblendmd zmm6{k2}, zmm6, zmm8
    vpblendmd zmm7{k2}, zmm8, zmm7
    vshufps zmm8, zmm0, zmm2, 0x88
    vshufps zmm0, zmm0, zmm2, 0xDD
    vshufps zmm2, zmm1, zmm3, 0x88
    vshufps zmm1, zmm1, zmm3, 0xDD
    vshufps zmm3, zmm4, zmm6, 0x88
    vshufps zmm4, zmm4, zmm6, 0xDD
    vshufps zmm6, zmm5, zmm7, 0x88
    vshufps zmm5, zmm5, zmm7, 0xDD
    vshufi64x2 zmm7, zmm8, zmm3, 0x88
    vshufi64x2 zmm3, zmm8, zmm3, 0xDD
    vshufi64x2 zmm8, zmm2, zmm6, 0x88
    vshufi64x2 zmm2, zmm2, zmm6, 0xDD
    vshufi64x2 zmm6, zmm0, zmm4, 0x88
    vshufi64x2 zmm0, zmm0, zmm4, 0xDD
    vshufi64x2 zmm4, zmm1, zmm5, 0x88
    vshufi64x2 zmm1, zmm1, zmm5, 0xDD
    vmovdqu64 [rsi+0x200], zmm7
    vmovdqu64 [rsi+0x240], zmm6
    vmovdqu64 [rsi+0x280], zmm8
    vmovdqu64 [rsi+0x2C0], zmm4
    vmovdqu64 [rsi+0x300], zmm3
    vmovdqu64 [rsi+0x340], zmm0
    vmovdqu64 [rsi+0x380], zmm2
    vmovdqu64 [rsi+0x3C0], zmm1
    add rdi, 0x40
    add rsi, 0x400
    dec rcx
    jne L7
    ret
; tile 2 of nest 1: move 9 x 16
L8:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
    kmovq k3, [r11+0x10]
L9:
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0xA90]
    vmovdqu64 ymm1, [rdi+0x2A4]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xD34]
    vmovdqu64 ymm2, [rdi+0x548]
    vbroadcasti64x4 zmm2{k1}, [rdi+0xFD8]
    vmovdqu64 ymm3, [rdi+0x7EC]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x127C]
    vmovdqu64 ymm4, [rdi+0x1520]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x1FB0]
    vmovdqu64 ymm5, [rdi+0x17C4]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x2254]
    vmovdqu64 ymm6, [rdi+0x1A68]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x24F8]
    vmovdqu64 ymm7, [rdi+0x1D0C]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x279C]
    vshufpd zmm8, zmm0, zmm1, 0x55
    vpblendmd zmm0{k2}, zmm0, zmm8
    vpblendmd zmm1{k2}, zmm8, zmm1
    vshufpd zmm8, zmm2, zmm3, 0x55
    vpblendmd zmm2{k2}, zmm2, zmm8
    vpblendmd zmm3{k2}, zmm8, zmm3
    vshufpd zmm8, zmm4, zmm5, 0x55
    vpblendmd zmm4{k2}, zmm4, zmm8
    vpblendmd zmm5{k2}, zmm8, zmm5
    vshufpd zmm8, zmm6, zmm7, 0x55
    vpblendmd zmm6{k2}, zmm6, zmm8
    vpblendmd zmm7{k2}, zmm8, zmm7
    vshufps zmm8, zmm0, zmm2, 0x88
    vshufps zmm0, zmm0, zmm2, 0xDD
    vshufps zmm2, zmm1, zmm3, 0x88
    vshufps zmm1, zmm1, zmm3, 0xDD
    vshufps zmm3, zmm4, zmm6, 0x88
    vshufps zmm4, zmm4, zmm6, 0xDD
    vshufps zmm6, zmm5, zmm7, 0x88
    vshufps zmm5, zmm5, zmm7, 0xDD
    vshufi64x2 zmm7, zmm8, zmm3, 0x88
    vshufi64x2 zmm3, zmm8, zmm3, 0xDD
    vshufi64x2 zmm8, zmm2, zmm6, 0x88
    vshufi64x2 zmm2, zmm2, zmm6, 0xDD
    vshufi64x2 zmm6, zmm0, zmm4, 0x88
    vshufi64x2 zmm0, zmm0, zmm4, 0xDD
    vshufi64x2 zmm4, zmm1, zmm5, 0x88
    vshufi64x2 zmm1, zmm1, zmm5, 0xDD
    vmovdqu64 [rsi], zmm7
    vmovdqu64 [rsi+0x40], zmm6
    vmovdqu64 [rsi+0x80], zmm8
    vmovdqu64 [rsi+0xC0], zmm4
    vmovdqu64 [rsi+0x100], zmm3
    vmovdqu64 [rsi+0x140], zmm0
    vmovdqu64 [rsi+0x180], zmm2
    vmovdqu64 [rsi+0x1C0], zmm1
    vmovd xmm0, [rdi+0x20]
    vpbroadcastd zmm0{k3}, [rdi+0xAB0]
    vmovd xmm1, [rdi+0x2C4]
    vpbroadcastd zmm1{k3}, [rdi+0xD54]
    vmovd xmm2, [rdi+0x568]
    vpbroadcastd zmm2{k3}, [rdi+0xFF8]
    vmovd xmm3, [rdi+0x80C]
    vpbroadcastd zmm3{k3}, [rdi+0x129C]
    vmovd xmm4, [rdi+0x1540]
    vpbroadcastd zmm4{k3}, [rdi+0x1FD0]
    vmovd xmm5, [rdi+0x17E4]
    vpbroadcastd zmm5{k3}, [rdi+0x2274]
    vmovd xmm6, [rdi+0x1A88]
    vpbroadcastd zmm6{k3}, [rdi+0x2518]
    vmovd xmm7, [rdi+0x1D2C]
    vpbroadcastd zmm7{k3}, [rdi+0x27BC]
    vpunpcklqdq zmm0, zmm0, zmm1
    vpunpcklqdq zmm1, zmm2, zmm3
    vpunpcklqdq zmm2, zmm4, zmm5
    vpunpcklqdq zmm3, zmm6, zmm7
    vshufps zmm0, zmm0, zmm1, 0x88
    vshufps zmm1, zmm2, zmm3, 0x88
    vshufi64x2 zmm0, zmm0, zmm1, 0x88
    vmovdqu64 [rsi+0x200], zmm0
    add rdi, 0x40
    add rsi, 0x400
    dec rcx
    jne L9
    ret
; tile 1 of nest 2: move 16 x 1 of 16
L10:
    vpbroadcastd zmm1, [r11+0x18]
L11:
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
    jne L11
    ret
; tile 2 of nest 2: move 9 x 1 of 16
L12:
    vpbroadcastd zmm1, [r11+0x18]
L13:
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
    jne L13
    ret
; routines
L14:
    mov rcx, rax
    cmp qword [r10+0x18], 1
    jne L15
    xor eax, eax
    mov rdx, rcx
    ret
L15:
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
    db f0 00 00 00 00 00 00 00 cc cc 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00

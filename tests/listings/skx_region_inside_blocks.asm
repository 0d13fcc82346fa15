; skx f32:nChw16c:1x31x7x7:in=1x48x7x7:at=0,17,0,0 nchw
; 2848 bytes
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
; nest 1: move 15(s4,d196) 49(s64,d4), from s4,d196, cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 4
    xor eax, eax
    jmp L1
L0:
    mov eax, 4
    call L18
    cmp rax, rdx
    jge L5
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 4
    add rsi, 0xC4
; loop 2 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x400
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rsi, rcx
L2:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 3
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
    mov eax, 4
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 3
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L4
    call L14
L4:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; nest 2: move 16(s4,d196) 49(s64,d4), from s3136,d3136, cut at step 1 by 1
L5:
    cmp qword [r10+0x18], 1
    jne L6
    mov edx, 4
    xor eax, eax
    jmp L7
L6:
    mov eax, 4
    call L18
    cmp rax, rdx
    jge L11
L7:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 0xC40
    add rsi, 0xC40
; loop 2 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L8
    mov rcx, [r10+0x20]
    imul rcx, 0x400
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rsi, rcx
L8:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 3
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
    mov eax, 4
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 3
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
; tile 1 of nest 1: move 15 x 16
L12:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
    kmovq k3, [r11+0x10]
    kmovq k4, [r11+0x18]
L13:
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x100]
    vmovdqu64 ymm1, [rdi+0x40]
    vbroadcasti64x4 zmm1{k1}, [rdi+0x140]
    vmovdqu64 ymm2, [rdi+0x80]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x180]
    vmovdqu64 ymm3, [rdi+0xC0]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1C0]
    vmovdqu64 ymm4, [rdi+0x200]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x300]
    vmovdqu64 ymm5, [rdi+0x240]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x340]
    vmovdqu64 ymm6, [rdi+0x280]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x380]
    vmovdqu64 ymm7, [rdi+0x2C0]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x3C0]
    vshufpd zmm8, zmm0, zmm1, 0x55
    vpblendmd zmm0{k4}, zmm0, zmm8
    vpblendmd zmm1{k4}, zmm8, zmm1
    vshufpd zmm8, zmm2, zmm3, 0x55
    vpblendmd zmm2{k4}, zmm2, zmm8
    vpblendmd zmm3{k4}, zmm8, zmm3
    vshufpd zmm8, zmm4, zmm5, 0x55
    vpblendmd zmm4{k4}, zmm4, zmm8
    vpblendmd zmm5{k4}, zmm8, zmm5
    vshufpd zmm8, zmm6, zmm7, 0x55
    vpblendmd zmm6{k4}, zmm6, zmm8
    vpblendmd zmm7{k4}, zmm8, zmm7
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
    vmovdqu64 [rsi+0xC4], zmm6
    vmovdqu64 [rsi+0x188], zmm8
    vmovdqu64 [rsi+0x24C], zmm4
    vmovdqu64 [rsi+0x310], zmm3
    vmovdqu64 [rsi+0x3D4], zmm0
    vmovdqu64 [rsi+0x498], zmm2
    vmovdqu64 [rsi+0x55C], zmm1
    vmovdqu32 ymm0{k2}{z}, [rdi+0x20]
    vmovdqu32 zmm0{k3}, [rdi+0x100]
    vmovdqu32 ymm1{k2}{z}, [rdi+0x60]
    vmovdqu32 zmm1{k3}, [rdi+0x140]
    vmovdqu32 ymm2{k2}{z}, [rdi+0xA0]
    vmovdqu32 zmm2{k3}, [rdi+0x180]
    vmovdqu32 ymm3{k2}{z}, [rdi+0xE0]
    vmovdqu32 zmm3{k3}, [rdi+0x1C0]
    vmovdqu32 ymm4{k2}{z}, [rdi+0x220]
    vmovdqu32 zmm4{k3}, [rdi+0x300]
    vmovdqu32 ymm5{k2}{z}, [rdi+0x260]
    vmovdqu32 zmm5{k3}, [rdi+0x340]
    vmovdqu32 ymm6{k2}{z}, [rdi+0x2A0]
    vmovdqu32 zmm6{k3}, [rdi+0x380]
    vmovdqu32 ymm7{k2}{z}, [rdi+0x2E0]
    vmovdqu32 zmm7{k3}, [rdi+0x3C0]
    vshufpd zmm8, zmm0, zmm1, 0x55
    vpblendmd zmm0{k4}, zmm0, zmm8
    vpblendmd zmm1{k4}, zmm8, zmm1
    vshufpd zmm8, zmm2, zmm3, 0x55
    vpblendmd zmm2{k4}, zmm2, zmm8
    vpblendmd zmm3{k4}, zmm8, zmm3
    vshufpd zmm8, zmm4, zmm5, 0x55
    vpblendmd zmm4{k4}, zmm4, zmm8
    vpblendmd zmm5{k4}, zmm8, zmm5
    vshufpd zmm8, zmm6, zmm7, 0x55
    vpblendmd zmm6{k4}, zmm6, zmm8
    vpblendmd zmm7{k4}, zmm8, zmm7
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
    vshufi64x2 zmm1, zmm1, zmm5, 0x88
    vmovdqu64 [rsi+0x620], zmm7
    vmovdqu64 [rsi+0x6E4], zmm6
    vmovdqu64 [rsi+0x7A8], zmm8
    vmovdqu64 [rsi+0x86C], zmm1
    vmovdqu64 [rsi+0x930], zmm3
    vmovdqu64 [rsi+0x9F4], zmm0
    vmovdqu64 [rsi+0xAB8], zmm2
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L13
    ret
; tile 2 of nest 1: move 15 x 1
L14:
    vmovd xmm0, [rdi]
    vmovd [rsi], xmm0
    vmovd xmm0, [rdi+4]
    vmovd [rsi+0xC4], xmm0
    vmovd xmm0, [rdi+8]
    vmovd [rsi+0x188], xmm0
    vmovd xmm0, [rdi+0xC]
    vmovd [rsi+0x24C], xmm0
    vmovd xmm0, [rdi+0x10]
    vmovd [rsi+0x310], xmm0
    vmovd xmm0, [rdi+0x14]
    vmovd [rsi+0x3D4], xmm0
    vmovd xmm0, [rdi+0x18]
    vmovd [rsi+0x498], xmm0
    vmovd xmm0, [rdi+0x1C]
    vmovd [rsi+0x55C], xmm0
    vmovd xmm0, [rdi+0x20]
    vmovd [rsi+0x620], xmm0
    vmovd xmm0, [rdi+0x24]
    vmovd [rsi+0x6E4], xmm0
    vmovd xmm0, [rdi+0x28]
    vmovd [rsi+0x7A8], xmm0
    vmovd xmm0, [rdi+0x2C]
    vmovd [rsi+0x86C], xmm0
    vmovd xmm0, [rdi+0x30]
    vmovd [rsi+0x930], xmm0
    vmovd xmm0, [rdi+0x34]
    vmovd [rsi+0x9F4], xmm0
    vmovd xmm0, [rdi+0x38]
    vmovd [rsi+0xAB8], xmm0
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L14
    ret
; tile 1 of nest 2: move 16 x 16
L15:
    kmovq k1, [r11]
    kmovq k2, [r11+0x18]
L16:
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x100]
    vmovdqu64 ymm1, [rdi+0x40]
    vbroadcasti64x4 zmm1{k1}, [rdi+0x140]
    vmovdqu64 ymm2, [rdi+0x80]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x180]
    vmovdqu64 ymm3, [rdi+0xC0]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1C0]
    vmovdqu64 ymm4, [rdi+0x200]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x300]
    vmovdqu64 ymm5, [rdi+0x240]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x340]
    vmovdqu64 ymm6, [rdi+0x280]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x380]
    vmovdqu64 ymm7, [rdi+0x2C0]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x3C0]
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
    vmovdqu64 [rsi+0xC4], zmm6
    vmovdqu64 [rsi+0x188], zmm8
    vmovdqu64 [rsi+0x24C], zmm4
    vmovdqu64 [rsi+0x310], zmm3
    vmovdqu64 [rsi+0x3D4], zmm0
    vmovdqu64 [rsi+0x498], zmm2
    vmovdqu64 [rsi+0x55C], zmm1
    vmovdqu64 ymm0, [rdi+0x20]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x120]
    vmovdqu64 ymm1, [rdi+0x60]
    vbroadcasti64x4 zmm1{k1}, [rdi+0x160]
    vmovdqu64 ymm2, [rdi+0xA0]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x1A0]
    vmovdqu64 ymm3, [rdi+0xE0]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1E0]
    vmovdqu64 ymm4, [rdi+0x220]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x320]
    vmovdqu64 ymm5, [rdi+0x260]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x360]
    vmovdqu64 ymm6, [rdi+0x2A0]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x3A0]
    vmovdqu64 ymm7, [rdi+0x2E0]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x3E0]
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
    vmovdqu64 [rsi+0x620], zmm7
    vmovdqu64 [rsi+0x6E4], zmm6
    vmovdqu64 [rsi+0x7A8], zmm8
    vmovdqu64 [rsi+0x86C], zmm4
    vmovdqu64 [rsi+0x930], zmm3
    vmovdqu64 [rsi+0x9F4], zmm0
    vmovdqu64 [rsi+0xAB8], zmm2
    vmovdqu64 [rsi+0xB7C], zmm1
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L16
    ret
; tile 2 of nest 2: move 16 x 1
L17:
    vmovd xmm0, [rdi]
    vmovd [rsi], xmm0
    vmovd xmm0, [rdi+4]
    vmovd [rsi+0xC4], xmm0
    vmovd xmm0, [rdi+8]
    vmovd [rsi+0x188], xmm0
    vmovd xmm0, [rdi+0xC]
    vmovd [rsi+0x24C], xmm0
    vmovd xmm0, [rdi+0x10]
    vmovd [rsi+0x310], xmm0
    vmovd xmm0, [rdi+0x14]
    vmovd [rsi+0x3D4], xmm0
    vmovd xmm0, [rdi+0x18]
    vmovd [rsi+0x498], xmm0
    vmovd xmm0, [rdi+0x1C]
    vmovd [rsi+0x55C], xmm0
    vmovd xmm0, [rdi+0x20]
    vmovd [rsi+0x620], xmm0
    vmovd xmm0, [rdi+0x24]
    vmovd [rsi+0x6E4], xmm0
    vmovd xmm0, [rdi+0x28]
    vmovd [rsi+0x7A8], xmm0
    vmovd xmm0, [rdi+0x2C]
    vmovd [rsi+0x86C], xmm0
    vmovd xmm0, [rdi+0x30]
    vmovd [rsi+0x930], xmm0
    vmovd xmm0, [rdi+0x34]
    vmovd [rsi+0x9F4], xmm0
    vmovd xmm0, [rdi+0x38]
    vmovd [rsi+0xAB8], xmm0
    vmovd xmm0, [rdi+0x3C]
    vmovd [rsi+0xB7C], xmm0
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L17
    ret
; routines
L18:
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
    db f0 00 00 00 00 00 00 00 7f 00 00 00 00 00 00 00 00 7f 00 00 00 00 00 00 cc cc 00 00 00 00 00 00

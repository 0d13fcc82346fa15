; spr f32:nChw16c:8x256x64x64 nchw
; 2256 bytes
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
; nest 1: move 128(s262144,d262144) 16(s4,d16384) 4096(s64,d4), cut at step 1 by 1
    mov eax, 0x80
    call L10
    cmp rax, rdx
    jge L5
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    lea rax, [rsi]
    test eax, 0x3F
    jne L2
; nest 1, past the caches: move 128(s262144,d262144) 16(s4,d16384) 4096(s64,d4), cut at step 1 by 1
; loop 1 by 1
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x40000
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40000
    add rsi, rcx
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L1
    mov [r10+0x40], rcx
; loop 3 by 16
L0:
    mov ecx, 0x100
    call L6
    add rsi, 0x3C000
    dec qword [r10+0x40]
    jne L0
L1:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
    sfence
    jmp L5
; loop 1 by 1
L2:
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x40000
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40000
    add rsi, rcx
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L4
    mov [r10+0x40], rcx
; loop 3 by 16
L3:
    mov ecx, 0x100
    call L8
    add rsi, 0x3C000
    dec qword [r10+0x40]
    jne L3
L4:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L5:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 1 x 16 x 16
L6:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
L7:
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
    vmovntdq [rsi], zmm7
    vmovntdq [rsi+0x8000], zmm8
    vmovntdq [rsi+0x4000], zmm6
    vmovntdq [rsi+0xC000], zmm4
    vmovntdq [rsi+0x10000], zmm3
    vmovntdq [rsi+0x18000], zmm2
    vmovntdq [rsi+0x14000], zmm0
    vmovntdq [rsi+0x1C000], zmm1
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
    vmovntdq [rsi+0x20000], zmm7
    vmovntdq [rsi+0x28000], zmm8
    vmovntdq [rsi+0x24000], zmm6
    vmovntdq [rsi+0x2C000], zmm4
    vmovntdq [rsi+0x30000], zmm3
    vmovntdq [rsi+0x38000], zmm2
    vmovntdq [rsi+0x34000], zmm0
    vmovntdq [rsi+0x3C000], zmm1
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L7
    ret
; tile 1 of nest 1: move 1 x 16 x 16
L8:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
L9:
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
    prefetchw [rsi+0x80]
    vmovdqu64 [rsi+0x8000], zmm8
    prefetchw [rsi+0x8080]
    vmovdqu64 [rsi+0x4000], zmm6
    prefetchw [rsi+0x4080]
    vmovdqu64 [rsi+0xC000], zmm4
    prefetchw [rsi+0xC080]
    vmovdqu64 [rsi+0x10000], zmm3
    prefetchw [rsi+0x10080]
    vmovdqu64 [rsi+0x18000], zmm2
    prefetchw [rsi+0x18080]
    vmovdqu64 [rsi+0x14000], zmm0
    prefetchw [rsi+0x14080]
    vmovdqu64 [rsi+0x1C000], zmm1
    prefetchw [rsi+0x1C080]
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
    vmovdqu64 [rsi+0x20000], zmm7
    prefetchw [rsi+0x20080]
    vmovdqu64 [rsi+0x28000], zmm8
    prefetchw [rsi+0x28080]
    vmovdqu64 [rsi+0x24000], zmm6
    prefetchw [rsi+0x24080]
    vmovdqu64 [rsi+0x2C000], zmm4
    prefetchw [rsi+0x2C080]
    vmovdqu64 [rsi+0x30000], zmm3
    prefetchw [rsi+0x30080]
    vmovdqu64 [rsi+0x38000], zmm2
    prefetchw [rsi+0x38080]
    vmovdqu64 [rsi+0x34000], zmm0
    prefetchw [rsi+0x34080]
    vmovdqu64 [rsi+0x3C000], zmm1
    prefetchw [rsi+0x3C080]
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L9
    ret
; routines
L10:
    mov rcx, rax
    cmp qword [r10+0x18], 1
    jne L11
    xor eax, eax
    mov rdx, rcx
    ret
L11:
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
    db f0 00 00 00 00 00 00 00 cc cc 00 00 00 00 00 00

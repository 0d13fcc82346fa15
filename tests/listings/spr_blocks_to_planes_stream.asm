; spr f32:nChw16c:8x256x64x64 nchw
; 1808 bytes
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
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x80
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x80
    call L18
    cmp rax, rdx
    jge L13
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    lea rax, [rsi]
    test eax, 0x3F
    jne L7
; nest 1, past the caches: move 128(s262144,d262144) 16(s4,d16384) 4096(s64,d4), cut at step 1 by 1
; loop 1 by 1
    mov [r10+0x38], rdi
    mov [r10+0x40], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x40000
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40000
    add rsi, rcx
L2:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L6
    mov [r10+0x48], rcx
L3:
    mov rdx, rdi
    add rdx, 0x40000
    mov [r10+0x30], rdx
; loop 3 by 64
    mov eax, 0x40
    mov [r10+0x50], rax
; loop 2 by 8
L4:
    mov eax, 2
    mov [r10+0x58], rax
; loop 3 by 16
L5:
    mov ecx, 4
    call L14
    add rdi, 0xFFFFFFFFFFFFF020
    add rsi, 0x1FF00
    dec qword [r10+0x58]
    jne L5
    add rdi, 0xFC0
    add rsi, 0xFFFFFFFFFFFC0100
    dec qword [r10+0x50]
    jne L4
    add rsi, 0x3C000
    dec qword [r10+0x48]
    jne L3
L6:
    mov rdi, [r10+0x38]
    mov rsi, [r10+0x40]
    sfence
    jmp L13
; loop 1 by 1
L7:
    mov [r10+0x38], rdi
    mov [r10+0x40], rsi
    cmp qword [r10+0x20], 0
    je L8
    mov rcx, [r10+0x20]
    imul rcx, 0x40000
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40000
    add rsi, rcx
L8:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L12
    mov [r10+0x48], rcx
L9:
    mov rdx, rdi
    add rdx, 0x40000
    mov [r10+0x30], rdx
; loop 3 by 64
    mov eax, 0x40
    mov [r10+0x50], rax
; loop 2 by 8
L10:
    mov eax, 2
    mov [r10+0x58], rax
; loop 3 by 16
L11:
    mov ecx, 4
    call L16
    add rdi, 0xFFFFFFFFFFFFF020
    add rsi, 0x1FF00
    dec qword [r10+0x58]
    jne L11
    add rdi, 0xFC0
    add rsi, 0xFFFFFFFFFFFC0100
    dec qword [r10+0x50]
    jne L10
    add rsi, 0x3C000
    dec qword [r10+0x48]
    jne L9
L12:
    mov rdi, [r10+0x38]
    mov rsi, [r10+0x40]
; exit
L13:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 1 x 8 x 16
L14:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
L15:
    mov rdx, [r10+0x30]
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x100]
    prefetcht1 [rdx]
    vmovdqu64 ymm1, [rdi+0x40]
    vbroadcasti64x4 zmm1{k1}, [rdi+0x140]
    prefetcht1 [rdx+0x40]
    vmovdqu64 ymm2, [rdi+0x80]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x180]
    prefetcht1 [rdx+0x80]
    vmovdqu64 ymm3, [rdi+0xC0]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1C0]
    prefetcht1 [rdx+0xC0]
    vmovdqu64 ymm4, [rdi+0x200]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x300]
    prefetcht1 [rdx+0x100]
    vmovdqu64 ymm5, [rdi+0x240]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x340]
    prefetcht1 [rdx+0x140]
    vmovdqu64 ymm6, [rdi+0x280]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x380]
    prefetcht1 [rdx+0x180]
    vmovdqu64 ymm7, [rdi+0x2C0]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x3C0]
    prefetcht1 [rdx+0x1C0]
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
    vmovntdq [rsi+0x4000], zmm6
    vmovntdq [rsi+0x8000], zmm8
    vmovntdq [rsi+0xC000], zmm4
    vmovntdq [rsi+0x10000], zmm3
    vmovntdq [rsi+0x14000], zmm0
    vmovntdq [rsi+0x18000], zmm2
    vmovntdq [rsi+0x1C000], zmm1
    add rdx, 0x200
    mov [r10+0x30], rdx
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L15
    ret
; tile 1 of nest 1: move 1 x 8 x 16
L16:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
L17:
    mov rdx, [r10+0x30]
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x100]
    prefetcht1 [rdx]
    vmovdqu64 ymm1, [rdi+0x40]
    vbroadcasti64x4 zmm1{k1}, [rdi+0x140]
    prefetcht1 [rdx+0x40]
    vmovdqu64 ymm2, [rdi+0x80]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x180]
    prefetcht1 [rdx+0x80]
    vmovdqu64 ymm3, [rdi+0xC0]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1C0]
    prefetcht1 [rdx+0xC0]
    vmovdqu64 ymm4, [rdi+0x200]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x300]
    prefetcht1 [rdx+0x100]
    vmovdqu64 ymm5, [rdi+0x240]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x340]
    prefetcht1 [rdx+0x140]
    vmovdqu64 ymm6, [rdi+0x280]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x380]
    prefetcht1 [rdx+0x180]
    vmovdqu64 ymm7, [rdi+0x2C0]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x3C0]
    prefetcht1 [rdx+0x1C0]
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
    vmovdqu64 [rsi+0x4000], zmm6
    prefetchw [rsi+0x4080]
    vmovdqu64 [rsi+0x8000], zmm8
    prefetchw [rsi+0x8080]
    vmovdqu64 [rsi+0xC000], zmm4
    prefetchw [rsi+0xC080]
    vmovdqu64 [rsi+0x10000], zmm3
    prefetchw [rsi+0x10080]
    vmovdqu64 [rsi+0x14000], zmm0
    prefetchw [rsi+0x14080]
    vmovdqu64 [rsi+0x18000], zmm2
    prefetchw [rsi+0x18080]
    vmovdqu64 [rsi+0x1C000], zmm1
    prefetchw [rsi+0x1C080]
    add rdx, 0x200
    mov [r10+0x30], rdx
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
    db f0 00 00 00 00 00 00 00 cc cc 00 00 00 00 00 00

; spr f32:nChw16c:8x256x64x64 nchw
; 3216 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x1000]
    test [rsp], rsp
    lea rsp, [rbp-0x2000]
    test [rsp], rsp
    lea rsp, [rbp-0x1900]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10+0x1800], rdi
    mov [r10+0x1808], rsi
    mov [r10+0x1810], rdx
    mov [r10+0x1818], rcx
    mov eax, [r10+0x1808]
    add eax, 0
    test eax, 0x3F
    jne L8
; nest 1: move 128(s262144,d262144) 16(s4,d16384) 4096(s64,d4), cut at step 1 by 1
    cmp qword [r10+0x1818], 1
    jne L0
    mov edx, 0x80
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x80
    call L32
    cmp rax, rdx
    jge L7
L1:
    mov [r10+0x1820], rax
    mov [r10+0x1828], rdx
    mov rdi, [r10+0x1800]
    mov rsi, [r10+0x1808]
; nest 1, past the caches: move 128(s262144,d262144) 16(s4,d16384) 4096(s64,d4), cut at step 1 by 1
; loop 1 by 1
    mov [r10+0x1838], rdi
    mov [r10+0x1840], rsi
    cmp qword [r10+0x1820], 0
    je L2
    mov rcx, [r10+0x1820]
    imul rcx, 0x40000
    add rdi, rcx
    mov rcx, [r10+0x1820]
    imul rcx, 0x40000
    add rsi, rcx
L2:
    mov rcx, [r10+0x1828]
    mov rdx, [r10+0x1820]
    sub rcx, rdx
    jle L6
    mov [r10+0x1848], rcx
L3:
    mov rdx, rdi
    add rdx, 0x40000
    mov [r10+0x1830], rdx
; loop 3 by 64
    mov eax, 0x40
    mov [r10+0x1850], rax
; loop 2 by 8
L4:
    mov eax, 2
    mov [r10+0x1858], rax
; loop 3 by 16
L5:
    mov ecx, 4
    call L17
    add rdi, 0xFFFFFFFFFFFFF020
    add rsi, 0x1FF00
    dec qword [r10+0x1858]
    jne L5
    add rdi, 0xFC0
    add rsi, 0xFFFFFFFFFFFC0100
    dec qword [r10+0x1850]
    jne L4
    add rsi, 0x3C000
    dec qword [r10+0x1848]
    jne L3
L6:
    mov rdi, [r10+0x1838]
    mov rsi, [r10+0x1840]
    sfence
L7:
    jmp L16
; nest 2: move 128(s262144,d262144) 16(s4,d16384) 4096(s64,d4), cut at step 1 by 1
L8:
    cmp qword [r10+0x1818], 1
    jne L9
    mov edx, 0x80
    xor eax, eax
    jmp L10
L9:
    mov eax, 0x80
    call L32
    cmp rax, rdx
    jge L16
L10:
    mov [r10+0x1820], rax
    mov [r10+0x1828], rdx
    mov rdi, [r10+0x1800]
    mov rsi, [r10+0x1808]
; nest 2, past the caches: move 128(s262144,d262144) 16(s4,d16384) 4096(s64,d4), cut at step 1 by 1
; loop 1 by 1
    mov [r10+0x1888], rdi
    mov [r10+0x1890], rsi
    cmp qword [r10+0x1820], 0
    je L11
    mov rcx, [r10+0x1820]
    imul rcx, 0x40000
    add rdi, rcx
    mov rcx, [r10+0x1820]
    imul rcx, 0x40000
    add rsi, rcx
L11:
    mov rcx, [r10+0x1828]
    mov rdx, [r10+0x1820]
    sub rcx, rdx
    jle L15
    mov [r10+0x1898], rcx
L12:
    mov rdx, rdi
    add rdx, 0x40000
    mov [r10+0x1830], rdx
; loop 3 by 64
    mov qword [r10+0x1848], 1
    mov eax, 0x40
    mov [r10+0x18A0], rax
L13:
    mov [r10+0x1840], rsi
    mov [r10+0x1838], rsi
    mov eax, esi
    and eax, 0x3F
    lea rsi, [r10+rax]
; loop 3 by 16
    mov ecx, 4
    call L19
    mov rsi, [r10+0x1838]
    mov r8d, 0x100
    xor ecx, ecx
    lea r9, [r11]
    lea rdx, [r11+0x100]
    call L21
    add qword [r10+0x1840], 0x100
    mov qword [r10+0x1848], 0
    add rsi, 0x100
    dec qword [r10+0x18A0]
    jne L13
    add rdi, 0xFFFFFFFFFFFC0000
    add rsi, 0xFFFFFFFFFFFFC000
    cmp qword [r10+0x1848], 0
    jne L14
    mov [r10+0x1880], rsi
    mov rsi, [r10+0x1840]
    mov [r10+0x1838], rsi
    xor r8d, r8d
    mov ecx, 1
    lea r9, [r11]
    lea rdx, [r11+0x100]
    call L21
    mov rsi, [r10+0x1880]
L14:
    add rdi, 0x40000
    add rsi, 0x40000
    dec qword [r10+0x1898]
    jne L12
L15:
    mov rdi, [r10+0x1888]
    mov rsi, [r10+0x1890]
    sfence
; exit
L16:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 1 x 8 x 16
L17:
    kmovq k1, [r11+0x100]
    kmovq k2, [r11+0x108]
L18:
    mov rdx, [r10+0x1830]
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
    mov [r10+0x1830], rdx
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L18
    ret
; tile 1 of nest 2: move 1 x 16 x 16
L19:
    kmovq k1, [r11+0x100]
    kmovq k2, [r11+0x108]
L20:
    mov rdx, [r10+0x1830]
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
    vmovdqu64 [rsi+0x180], zmm6
    vmovdqu64 [rsi+0x300], zmm8
    vmovdqu64 [rsi+0x480], zmm4
    vmovdqu64 [rsi+0x600], zmm3
    vmovdqu64 [rsi+0x780], zmm0
    vmovdqu64 [rsi+0x900], zmm2
    vmovdqu64 [rsi+0xA80], zmm1
    vmovdqu64 ymm0, [rdi+0x20]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x120]
    prefetcht1 [rdx+0x200]
    vmovdqu64 ymm1, [rdi+0x60]
    vbroadcasti64x4 zmm1{k1}, [rdi+0x160]
    prefetcht1 [rdx+0x240]
    vmovdqu64 ymm2, [rdi+0xA0]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x1A0]
    prefetcht1 [rdx+0x280]
    vmovdqu64 ymm3, [rdi+0xE0]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1E0]
    prefetcht1 [rdx+0x2C0]
    vmovdqu64 ymm4, [rdi+0x220]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x320]
    prefetcht1 [rdx+0x300]
    vmovdqu64 ymm5, [rdi+0x260]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x360]
    prefetcht1 [rdx+0x340]
    vmovdqu64 ymm6, [rdi+0x2A0]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x3A0]
    prefetcht1 [rdx+0x380]
    vmovdqu64 ymm7, [rdi+0x2E0]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x3E0]
    prefetcht1 [rdx+0x3C0]
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
    vmovdqu64 [rsi+0xC00], zmm7
    vmovdqu64 [rsi+0xD80], zmm6
    vmovdqu64 [rsi+0xF00], zmm8
    vmovdqu64 [rsi+0x1080], zmm4
    vmovdqu64 [rsi+0x1200], zmm3
    vmovdqu64 [rsi+0x1380], zmm0
    vmovdqu64 [rsi+0x1500], zmm2
    vmovdqu64 [rsi+0x1680], zmm1
    add rdx, 0x400
    mov [r10+0x1830], rdx
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L20
    ret
; routines
L21:
    mov [r10+0x1870], rdi
    mov [r10+0x1878], rsi
    mov [r10+0x1868], rdx
    cmp r8, 0x100
    jne L23
    test rcx, rcx
    jne L23
    cmp qword [r10+0x1848], 0
    jne L23
    mov esi, [r10+0x1838]
    and esi, 0x3F
    lea rsi, [r10+rsi]
L22:
    mov rax, [r9]
    add rax, [r10+0x1838]
    mov rdx, [r9+8]
    add rdx, rsi
    mov ecx, eax
    and ecx, 0x3F
    sub rax, rcx
    sub rdx, rcx
    vmovdqu64 zmm0, [rdx]
    vmovntdq [rax], zmm0
    vmovdqu64 zmm0, [rdx+0x40]
    vmovntdq [rax+0x40], zmm0
    vmovdqu64 zmm0, [rdx+0x80]
    vmovntdq [rax+0x80], zmm0
    vmovdqu64 zmm0, [rdx+0xC0]
    vmovntdq [rax+0xC0], zmm0
    vmovdqu64 zmm0, [rdx+0x100]
    vmovdqu64 [rdx], zmm0
    add r9, 0x10
    cmp r9, [r10+0x1868]
    jne L22
    jmp L31
L23:
    mov [r10+0x1858], r8
    mov [r10+0x1860], rcx
L24:
    mov rsi, [r10+0x1838]
    mov rdi, rsi
    add rdi, [r9]
    and esi, 0x3F
    lea rsi, [r10+rsi]
    add rsi, [r9+8]
    mov ecx, edi
    and ecx, 0x3F
    sub rdi, rcx
    sub rsi, rcx
    mov r8, rsi
    mov rdx, [r10+0x1858]
    add rdx, rcx
    test ecx, ecx
    je L26
    cmp qword [r10+0x1848], 0
    je L26
    mov rax, 0xFFFFFFFFFFFFFFFF
    shl rax, cl
    cmp rdx, 0x40
    jae L25
    bzhi rax, rax, rdx
L25:
    kmovq k1, rax
    vmovdqu64 zmm0, [rsi]
    vmovdqu8 [rdi]{k1}, zmm0
    add rdi, 0x40
    add rsi, 0x40
    sub rdx, 0x40
    jle L30
    jmp L26
L26:
    sub rdx, 0x40
    jl L28
L27:
    vmovdqu64 zmm0, [rsi]
    vmovntdq [rdi], zmm0
    add rdi, 0x40
    add rsi, 0x40
    sub rdx, 0x40
    jge L27
L28:
    add rdx, 0x40
    je L30
    cmp qword [r10+0x1860], 0
    jne L29
    mov rdi, r8
    vmovdqu64 zmm0, [rsi]
    vmovdqu64 [rdi], zmm0
    jmp L30
L29:
    mov rax, 0xFFFFFFFFFFFFFFFF
    bzhi rax, rax, rdx
    kmovq k1, rax
    vmovdqu64 zmm0, [rsi]
    vmovdqu8 [rdi]{k1}, zmm0
L30:
    add r9, 0x10
    add r8, 0x40
    cmp r9, [r10+0x1868]
    jne L24
L31:
    mov rdi, [r10+0x1870]
    mov rsi, [r10+0x1878]
    ret
L32:
    mov rcx, rax
    mul qword [r10+0x1810]
    div qword [r10+0x1818]
    mov r8, rax
    mov rax, [r10+0x1810]
    inc rax
    mul rcx
    div qword [r10+0x1818]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 40 00 00 00 00 00 00 80 01 00 00 00 00 00 00
    db 00 80 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 c0 00 00 00 00 00 00 80 04 00 00 00 00 00 00
    db 00 00 01 00 00 00 00 00 00 06 00 00 00 00 00 00 00 40 01 00 00 00 00 00 80 07 00 00 00 00 00 00
    db 00 80 01 00 00 00 00 00 00 09 00 00 00 00 00 00 00 c0 01 00 00 00 00 00 80 0a 00 00 00 00 00 00
    db 00 00 02 00 00 00 00 00 00 0c 00 00 00 00 00 00 00 40 02 00 00 00 00 00 80 0d 00 00 00 00 00 00
    db 00 80 02 00 00 00 00 00 00 0f 00 00 00 00 00 00 00 c0 02 00 00 00 00 00 80 10 00 00 00 00 00 00
    db 00 00 03 00 00 00 00 00 00 12 00 00 00 00 00 00 00 40 03 00 00 00 00 00 80 13 00 00 00 00 00 00
    db 00 80 03 00 00 00 00 00 00 15 00 00 00 00 00 00 00 c0 03 00 00 00 00 00 80 16 00 00 00 00 00 00
    db f0 00 00 00 00 00 00 00 cc cc 00 00 00 00 00 00

; zen5 bf16:ab:160x192 ba
; 2320 bytes
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
; nest 1: move 192(s2,d320) 160(s384,d2), cut at steps 1 and 2 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x1E
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x1E
    call L13
    cmp rax, rdx
    jge L10
L1:
    mov [r10+0x40], rax
    mov [r10+0x48], rdx
L2:
    mov rax, [r10+0x40]
    mov r8, [r10+0x48]
    sub r8, rax
    mov ecx, 0x1E
    cmp r8, rcx
    jne L3
    mov [r10+0x40], r8
    mov eax, 6
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 5
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L4
L3:
    mov ecx, 5
    xor edx, edx
    div rcx
    mov [r10+0x30], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x40], rcx
    add rdx, rcx
    mov [r10+0x38], rdx
    mov ecx, 6
    xor edx, edx
    div rcx
    mov [r10+0x20], rdx
    inc rdx
    mov [r10+0x28], rdx
L4:
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 32
    mov [r10+0x50], rdi
    mov [r10+0x58], rsi
    cmp qword [r10+0x20], 0
    je L5
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x2800
    add rsi, rcx
L5:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L9
    mov [r10+0x60], rcx
; loop 2 by 32
L6:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L7
    mov rcx, [r10+0x30]
    imul rcx, 0x3000
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x40
    add rsi, rcx
L7:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    sub rcx, rdx
    jle L8
    call L11
L8:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
    add rdi, 0x40
    add rsi, 0x2800
    dec qword [r10+0x60]
    jne L6
L9:
    mov rdi, [r10+0x50]
    mov rsi, [r10+0x58]
    mov rax, [r10+0x40]
    cmp rax, [r10+0x48]
    jl L2
; exit
L10:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 32 x 32
L11:
    kmovq k5, [r11]
    kmovq k1, [r11+8]
L12:
    vmovdqu64 ymm0{k5}{z}, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0xC00]
    vmovdqu64 ymm1{k5}{z}, [rdi+0x300]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xF00]
    vmovdqu64 ymm2{k5}{z}, [rdi+0x180]
    vbroadcasti64x4 zmm2{k1}, [rdi+0xD80]
    vmovdqu64 ymm3{k5}{z}, [rdi+0x480]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1080]
    vmovdqu64 ymm4{k5}{z}, [rdi+0x600]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x1200]
    vmovdqu64 ymm5{k5}{z}, [rdi+0x900]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x1500]
    vmovdqu64 ymm6{k5}{z}, [rdi+0x780]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x1380]
    vmovdqu64 ymm7{k5}{z}, [rdi+0xA80]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x1680]
    vmovdqu64 ymm8{k5}{z}, [rdi+0x1800]
    vbroadcasti64x4 zmm8{k1}, [rdi+0x2400]
    vmovdqu64 ymm9{k5}{z}, [rdi+0x1B00]
    vbroadcasti64x4 zmm9{k1}, [rdi+0x2700]
    vmovdqu64 ymm10{k5}{z}, [rdi+0x1980]
    vbroadcasti64x4 zmm10{k1}, [rdi+0x2580]
    vmovdqu64 ymm11{k5}{z}, [rdi+0x1C80]
    vbroadcasti64x4 zmm11{k1}, [rdi+0x2880]
    vmovdqu64 ymm12{k5}{z}, [rdi+0x1E00]
    vbroadcasti64x4 zmm12{k1}, [rdi+0x2A00]
    vmovdqu64 ymm13{k5}{z}, [rdi+0x2100]
    vbroadcasti64x4 zmm13{k1}, [rdi+0x2D00]
    vmovdqu64 ymm14{k5}{z}, [rdi+0x1F80]
    vbroadcasti64x4 zmm14{k1}, [rdi+0x2B80]
    vmovdqu64 ymm15{k5}{z}, [rdi+0x2280]
    vbroadcasti64x4 zmm15{k1}, [rdi+0x2E80]
    vpunpckldq zmm16, zmm0, zmm1
    vpunpckhdq zmm0, zmm0, zmm1
    vpunpckldq zmm1, zmm2, zmm3
    vpunpckhdq zmm2, zmm2, zmm3
    vpunpckldq zmm3, zmm4, zmm5
    vpunpckhdq zmm4, zmm4, zmm5
    vpunpckldq zmm5, zmm6, zmm7
    vpunpckhdq zmm6, zmm6, zmm7
    vpunpckldq zmm7, zmm8, zmm9
    vpunpckhdq zmm8, zmm8, zmm9
    vpunpckldq zmm9, zmm10, zmm11
    vpunpckhdq zmm10, zmm10, zmm11
    vpunpckldq zmm11, zmm12, zmm13
    vpunpckhdq zmm12, zmm12, zmm13
    vpunpckldq zmm13, zmm14, zmm15
    vpunpckhdq zmm14, zmm14, zmm15
    vpunpcklwd zmm15, zmm16, zmm1
    vpunpckhwd zmm1, zmm16, zmm1
    vpunpcklwd zmm16, zmm0, zmm2
    vpunpckhwd zmm0, zmm0, zmm2
    vpunpcklwd zmm2, zmm3, zmm5
    vpunpckhwd zmm3, zmm3, zmm5
    vpunpcklwd zmm5, zmm4, zmm6
    vpunpckhwd zmm4, zmm4, zmm6
    vpunpcklwd zmm6, zmm7, zmm9
    vpunpckhwd zmm7, zmm7, zmm9
    vpunpcklwd zmm9, zmm8, zmm10
    vpunpckhwd zmm8, zmm8, zmm10
    vpunpcklwd zmm10, zmm11, zmm13
    vpunpckhwd zmm11, zmm11, zmm13
    vpunpcklwd zmm13, zmm12, zmm14
    vpunpckhwd zmm12, zmm12, zmm14
    vshufps zmm14, zmm15, zmm2, 0x88
    vshufps zmm2, zmm15, zmm2, 0xDD
    vshufps zmm15, zmm16, zmm5, 0x88
    vshufps zmm5, zmm16, zmm5, 0xDD
    vshufps zmm16, zmm1, zmm3, 0x88
    vshufps zmm1, zmm1, zmm3, 0xDD
    vshufps zmm3, zmm0, zmm4, 0x88
    vshufps zmm0, zmm0, zmm4, 0xDD
    vshufps zmm4, zmm6, zmm10, 0x88
    vshufps zmm6, zmm6, zmm10, 0xDD
    vshufps zmm10, zmm9, zmm13, 0x88
    vshufps zmm9, zmm9, zmm13, 0xDD
    vshufps zmm13, zmm7, zmm11, 0x88
    vshufps zmm7, zmm7, zmm11, 0xDD
    vshufps zmm11, zmm8, zmm12, 0x88
    vshufps zmm8, zmm8, zmm12, 0xDD
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
    vmovdqu64 [rsi]{k5}, zmm12
    vmovdqu64 [rsi+0x140]{k5}, zmm11
    vmovdqu64 [rsi+0x280]{k5}, zmm15
    vmovdqu64 [rsi+0x3C0]{k5}, zmm9
    vmovdqu64 [rsi+0x500]{k5}, zmm14
    vmovdqu64 [rsi+0x640]{k5}, zmm6
    vmovdqu64 [rsi+0x780]{k5}, zmm16
    vmovdqu64 [rsi+0x8C0]{k5}, zmm7
    vmovdqu64 [rsi+0xA00]{k5}, zmm4
    vmovdqu64 [rsi+0xB40]{k5}, zmm2
    vmovdqu64 [rsi+0xC80]{k5}, zmm13
    vmovdqu64 [rsi+0xDC0]{k5}, zmm1
    vmovdqu64 [rsi+0xF00]{k5}, zmm10
    vmovdqu64 [rsi+0x1040]{k5}, zmm5
    vmovdqu64 [rsi+0x1180]{k5}, zmm3
    vmovdqu64 [rsi+0x12C0]{k5}, zmm0
    vmovdqu64 ymm0{k5}{z}, [rdi+0x20]
    vbroadcasti64x4 zmm0{k1}, [rdi+0xC20]
    vmovdqu64 ymm1{k5}{z}, [rdi+0x320]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xF20]
    vmovdqu64 ymm2{k5}{z}, [rdi+0x1A0]
    vbroadcasti64x4 zmm2{k1}, [rdi+0xDA0]
    vmovdqu64 ymm3{k5}{z}, [rdi+0x4A0]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x10A0]
    vmovdqu64 ymm4{k5}{z}, [rdi+0x620]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x1220]
    vmovdqu64 ymm5{k5}{z}, [rdi+0x920]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x1520]
    vmovdqu64 ymm6{k5}{z}, [rdi+0x7A0]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x13A0]
    vmovdqu64 ymm7{k5}{z}, [rdi+0xAA0]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x16A0]
    vmovdqu64 ymm8{k5}{z}, [rdi+0x1820]
    vbroadcasti64x4 zmm8{k1}, [rdi+0x2420]
    vmovdqu64 ymm9{k5}{z}, [rdi+0x1B20]
    vbroadcasti64x4 zmm9{k1}, [rdi+0x2720]
    vmovdqu64 ymm10{k5}{z}, [rdi+0x19A0]
    vbroadcasti64x4 zmm10{k1}, [rdi+0x25A0]
    vmovdqu64 ymm11{k5}{z}, [rdi+0x1CA0]
    vbroadcasti64x4 zmm11{k1}, [rdi+0x28A0]
    vmovdqu64 ymm12{k5}{z}, [rdi+0x1E20]
    vbroadcasti64x4 zmm12{k1}, [rdi+0x2A20]
    vmovdqu64 ymm13{k5}{z}, [rdi+0x2120]
    vbroadcasti64x4 zmm13{k1}, [rdi+0x2D20]
    vmovdqu64 ymm14{k5}{z}, [rdi+0x1FA0]
    vbroadcasti64x4 zmm14{k1}, [rdi+0x2BA0]
    vmovdqu64 ymm15{k5}{z}, [rdi+0x22A0]
    vbroadcasti64x4 zmm15{k1}, [rdi+0x2EA0]
    vpunpckldq zmm16, zmm0, zmm1
    vpunpckhdq zmm0, zmm0, zmm1
    vpunpckldq zmm1, zmm2, zmm3
    vpunpckhdq zmm2, zmm2, zmm3
    vpunpckldq zmm3, zmm4, zmm5
    vpunpckhdq zmm4, zmm4, zmm5
    vpunpckldq zmm5, zmm6, zmm7
    vpunpckhdq zmm6, zmm6, zmm7
    vpunpckldq zmm7, zmm8, zmm9
    vpunpckhdq zmm8, zmm8, zmm9
    vpunpckldq zmm9, zmm10, zmm11
    vpunpckhdq zmm10, zmm10, zmm11
    vpunpckldq zmm11, zmm12, zmm13
    vpunpckhdq zmm12, zmm12, zmm13
    vpunpckldq zmm13, zmm14, zmm15
    vpunpckhdq zmm14, zmm14, zmm15
    vpunpcklwd zmm15, zmm16, zmm1
    vpunpckhwd zmm1, zmm16, zmm1
    vpunpcklwd zmm16, zmm0, zmm2
    vpunpckhwd zmm0, zmm0, zmm2
    vpunpcklwd zmm2, zmm3, zmm5
    vpunpckhwd zmm3, zmm3, zmm5
    vpunpcklwd zmm5, zmm4, zmm6
    vpunpckhwd zmm4, zmm4, zmm6
    vpunpcklwd zmm6, zmm7, zmm9
    vpunpckhwd zmm7, zmm7, zmm9
    vpunpcklwd zmm9, zmm8, zmm10
    vpunpckhwd zmm8, zmm8, zmm10
    vpunpcklwd zmm10, zmm11, zmm13
    vpunpckhwd zmm11, zmm11, zmm13
    vpunpcklwd zmm13, zmm12, zmm14
    vpunpckhwd zmm12, zmm12, zmm14
    vshufps zmm14, zmm15, zmm2, 0x88
    vshufps zmm2, zmm15, zmm2, 0xDD
    vshufps zmm15, zmm16, zmm5, 0x88
    vshufps zmm5, zmm16, zmm5, 0xDD
    vshufps zmm16, zmm1, zmm3, 0x88
    vshufps zmm1, zmm1, zmm3, 0xDD
    vshufps zmm3, zmm0, zmm4, 0x88
    vshufps zmm0, zmm0, zmm4, 0xDD
    vshufps zmm4, zmm6, zmm10, 0x88
    vshufps zmm6, zmm6, zmm10, 0xDD
    vshufps zmm10, zmm9, zmm13, 0x88
    vshufps zmm9, zmm9, zmm13, 0xDD
    vshufps zmm13, zmm7, zmm11, 0x88
    vshufps zmm7, zmm7, zmm11, 0xDD
    vshufps zmm11, zmm8, zmm12, 0x88
    vshufps zmm8, zmm8, zmm12, 0xDD
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
    vmovdqu64 [rsi+0x1400]{k5}, zmm12
    vmovdqu64 [rsi+0x1540]{k5}, zmm11
    vmovdqu64 [rsi+0x1680]{k5}, zmm15
    vmovdqu64 [rsi+0x17C0]{k5}, zmm9
    vmovdqu64 [rsi+0x1900]{k5}, zmm14
    vmovdqu64 [rsi+0x1A40]{k5}, zmm6
    vmovdqu64 [rsi+0x1B80]{k5}, zmm16
    vmovdqu64 [rsi+0x1CC0]{k5}, zmm7
    vmovdqu64 [rsi+0x1E00]{k5}, zmm4
    vmovdqu64 [rsi+0x1F40]{k5}, zmm2
    vmovdqu64 [rsi+0x2080]{k5}, zmm13
    vmovdqu64 [rsi+0x21C0]{k5}, zmm1
    vmovdqu64 [rsi+0x2300]{k5}, zmm10
    vmovdqu64 [rsi+0x2440]{k5}, zmm5
    vmovdqu64 [rsi+0x2580]{k5}, zmm3
    vmovdqu64 [rsi+0x26C0]{k5}, zmm0
    add rdi, 0x3000
    add rsi, 0x40
    dec rcx
    jne L12
    ret
; routines
L13:
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
    db ff ff ff ff ff ff ff ff f0 00 00 00 00 00 00 00

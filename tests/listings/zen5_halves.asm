; zen5 f16:ab:33x65 ba
; 3592 bytes
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
; nest 1: move 65(s2,d66) 33(s130,d2), cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 3
    xor eax, eax
    jmp L1
L0:
    mov eax, 3
    call L16
    cmp rax, rdx
    jge L7
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 32
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x840
    add rsi, rcx
L2:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 2
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L4
    mov [r10+0x40], rcx
; loop 2 by 32
L3:
    mov ecx, 1
    call L8
    mov ecx, 1
    call L10
    add rdi, 0xFFFFFFFFFFFFDFC0
    add rsi, 0x7C0
    dec qword [r10+0x40]
    jne L3
L4:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    mov eax, 3
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 2
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L6
    mov [r10+0x40], rcx
; loop 2 by 32
L5:
    mov ecx, 1
    call L12
    mov ecx, 1
    call L14
    add rdi, 0xFFFFFFFFFFFFDFC0
    add rsi, 0x7C0
    dec qword [r10+0x40]
    jne L5
L6:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L7:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 32 x 32
L8:
    kmovq k1, [r11]
L9:
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x410]
    vmovdqu64 ymm1, [rdi+0x104]
    vbroadcasti64x4 zmm1{k1}, [rdi+0x514]
    vmovdqu64 ymm2, [rdi+0x82]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x492]
    vmovdqu64 ymm3, [rdi+0x186]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x596]
    vmovdqu64 ymm4, [rdi+0x208]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x618]
    vmovdqu64 ymm5, [rdi+0x30C]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x71C]
    vmovdqu64 ymm6, [rdi+0x28A]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x69A]
    vmovdqu64 ymm7, [rdi+0x38E]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x79E]
    vmovdqu64 ymm8, [rdi+0x820]
    vbroadcasti64x4 zmm8{k1}, [rdi+0xC30]
    vmovdqu64 ymm9, [rdi+0x924]
    vbroadcasti64x4 zmm9{k1}, [rdi+0xD34]
    vmovdqu64 ymm10, [rdi+0x8A2]
    vbroadcasti64x4 zmm10{k1}, [rdi+0xCB2]
    vmovdqu64 ymm11, [rdi+0x9A6]
    vbroadcasti64x4 zmm11{k1}, [rdi+0xDB6]
    vmovdqu64 ymm12, [rdi+0xA28]
    vbroadcasti64x4 zmm12{k1}, [rdi+0xE38]
    vmovdqu64 ymm13, [rdi+0xB2C]
    vbroadcasti64x4 zmm13{k1}, [rdi+0xF3C]
    vmovdqu64 ymm14, [rdi+0xAAA]
    vbroadcasti64x4 zmm14{k1}, [rdi+0xEBA]
    vmovdqu64 ymm15, [rdi+0xBAE]
    vbroadcasti64x4 zmm15{k1}, [rdi+0xFBE]
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
    vmovdqu64 [rsi], zmm12
    vmovdqu64 [rsi+0x42], zmm11
    vmovdqu64 [rsi+0x84], zmm15
    vmovdqu64 [rsi+0xC6], zmm9
    vmovdqu64 [rsi+0x108], zmm14
    vmovdqu64 [rsi+0x14A], zmm6
    vmovdqu64 [rsi+0x18C], zmm16
    vmovdqu64 [rsi+0x1CE], zmm7
    vmovdqu64 [rsi+0x210], zmm4
    vmovdqu64 [rsi+0x252], zmm2
    vmovdqu64 [rsi+0x294], zmm13
    vmovdqu64 [rsi+0x2D6], zmm1
    vmovdqu64 [rsi+0x318], zmm10
    vmovdqu64 [rsi+0x35A], zmm5
    vmovdqu64 [rsi+0x39C], zmm3
    vmovdqu64 [rsi+0x3DE], zmm0
    vmovdqu64 ymm0, [rdi+0x20]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x430]
    vmovdqu64 ymm1, [rdi+0x124]
    vbroadcasti64x4 zmm1{k1}, [rdi+0x534]
    vmovdqu64 ymm2, [rdi+0xA2]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x4B2]
    vmovdqu64 ymm3, [rdi+0x1A6]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x5B6]
    vmovdqu64 ymm4, [rdi+0x228]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x638]
    vmovdqu64 ymm5, [rdi+0x32C]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x73C]
    vmovdqu64 ymm6, [rdi+0x2AA]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x6BA]
    vmovdqu64 ymm7, [rdi+0x3AE]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x7BE]
    vmovdqu64 ymm8, [rdi+0x840]
    vbroadcasti64x4 zmm8{k1}, [rdi+0xC50]
    vmovdqu64 ymm9, [rdi+0x944]
    vbroadcasti64x4 zmm9{k1}, [rdi+0xD54]
    vmovdqu64 ymm10, [rdi+0x8C2]
    vbroadcasti64x4 zmm10{k1}, [rdi+0xCD2]
    vmovdqu64 ymm11, [rdi+0x9C6]
    vbroadcasti64x4 zmm11{k1}, [rdi+0xDD6]
    vmovdqu64 ymm12, [rdi+0xA48]
    vbroadcasti64x4 zmm12{k1}, [rdi+0xE58]
    vmovdqu64 ymm13, [rdi+0xB4C]
    vbroadcasti64x4 zmm13{k1}, [rdi+0xF5C]
    vmovdqu64 ymm14, [rdi+0xACA]
    vbroadcasti64x4 zmm14{k1}, [rdi+0xEDA]
    vmovdqu64 ymm15, [rdi+0xBCE]
    vbroadcasti64x4 zmm15{k1}, [rdi+0xFDE]
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
    vmovdqu64 [rsi+0x420], zmm12
    vmovdqu64 [rsi+0x462], zmm11
    vmovdqu64 [rsi+0x4A4], zmm15
    vmovdqu64 [rsi+0x4E6], zmm9
    vmovdqu64 [rsi+0x528], zmm14
    vmovdqu64 [rsi+0x56A], zmm6
    vmovdqu64 [rsi+0x5AC], zmm16
    vmovdqu64 [rsi+0x5EE], zmm7
    vmovdqu64 [rsi+0x630], zmm4
    vmovdqu64 [rsi+0x672], zmm2
    vmovdqu64 [rsi+0x6B4], zmm13
    vmovdqu64 [rsi+0x6F6], zmm1
    vmovdqu64 [rsi+0x738], zmm10
    vmovdqu64 [rsi+0x77A], zmm5
    vmovdqu64 [rsi+0x7BC], zmm3
    vmovdqu64 [rsi+0x7FE], zmm0
    add rdi, 0x1040
    add rsi, 0x40
    dec rcx
    jne L9
    ret
; tile 3 of nest 1: move 32 x 1
L10:
    kmovq k1, [r11+8]
    kmovq k2, [r11+0x10]
    kmovq k3, [r11+0x18]
    kmovq k4, [r11+0x20]
    kmovq k5, [r11+0x28]
    kmovq k6, [r11+0x30]
L11:
    vmovdqu64 zmm0, [rdi]
    vmovdqu16 [rsi]{k1}, xmm0
    vmovdqu16 [rsi+0x40]{k2}, xmm0
    vmovdqu16 [rsi+0x80]{k3}, xmm0
    vmovdqu16 [rsi+0xC0]{k4}, xmm0
    vmovdqu16 [rsi+0x100]{k5}, xmm0
    vmovdqu16 [rsi+0x140]{k6}, xmm0
    kmovq k7, [r11+0x38]
    vmovdqu16 [rsi+0x180]{k7}, xmm0
    kmovq k7, [r11+0x40]
    vmovdqu16 [rsi+0x1C0]{k7}, xmm0
    kmovq k7, [r11+0x48]
    vmovdqu16 [rsi+0x200]{k7}, ymm0
    kmovq k7, [r11+0x50]
    vmovdqu16 [rsi+0x240]{k7}, ymm0
    kmovq k7, [r11+0x58]
    vmovdqu16 [rsi+0x280]{k7}, ymm0
    kmovq k7, [r11+0x60]
    vmovdqu16 [rsi+0x2C0]{k7}, ymm0
    kmovq k7, [r11+0x68]
    vmovdqu16 [rsi+0x300]{k7}, ymm0
    kmovq k7, [r11+0x70]
    vmovdqu16 [rsi+0x340]{k7}, ymm0
    kmovq k7, [r11+0x78]
    vmovdqu16 [rsi+0x380]{k7}, ymm0
    kmovq k7, [r11+0x80]
    vmovdqu16 [rsi+0x3C0]{k7}, ymm0
    kmovq k7, [r11+0x88]
    vmovdqu16 [rsi+0x400]{k7}, zmm0
    kmovq k7, [r11+0x90]
    vmovdqu16 [rsi+0x440]{k7}, zmm0
    kmovq k7, [r11+0x98]
    vmovdqu16 [rsi+0x480]{k7}, zmm0
    kmovq k7, [r11+0xA0]
    vmovdqu16 [rsi+0x4C0]{k7}, zmm0
    kmovq k7, [r11+0xA8]
    vmovdqu16 [rsi+0x500]{k7}, zmm0
    kmovq k7, [r11+0xB0]
    vmovdqu16 [rsi+0x540]{k7}, zmm0
    kmovq k7, [r11+0xB8]
    vmovdqu16 [rsi+0x580]{k7}, zmm0
    kmovq k7, [r11+0xC0]
    vmovdqu16 [rsi+0x5C0]{k7}, zmm0
    kmovq k7, [r11+0xC8]
    vmovdqu16 [rsi+0x600]{k7}, zmm0
    kmovq k7, [r11+0xD0]
    vmovdqu16 [rsi+0x640]{k7}, zmm0
    kmovq k7, [r11+0xD8]
    vmovdqu16 [rsi+0x680]{k7}, zmm0
    kmovq k7, [r11+0xE0]
    vmovdqu16 [rsi+0x6C0]{k7}, zmm0
    kmovq k7, [r11+0xE8]
    vmovdqu16 [rsi+0x700]{k7}, zmm0
    kmovq k7, [r11+0xF0]
    vmovdqu16 [rsi+0x740]{k7}, zmm0
    kmovq k7, [r11+0xF8]
    vmovdqu16 [rsi+0x780]{k7}, zmm0
    kmovq k7, [r11+0x100]
    vmovdqu16 [rsi+0x7C0]{k7}, zmm0
    add rdi, 0x1040
    add rsi, 0x40
    dec rcx
    jne L11
    ret
; tile 2 of nest 1: move 1 x 32
L12:
    kmovq k1, [r11+8]
    kmovq k2, [r11+0x10]
    kmovq k3, [r11+0x18]
    kmovq k4, [r11+0x20]
    kmovq k5, [r11+0x28]
    kmovq k6, [r11+0x30]
L13:
    vmovdqu16 xmm0{k1}{z}, [rdi]
    vmovdqu16 xmm0{k2}, [rdi+0x80]
    vmovdqu16 xmm0{k3}, [rdi+0x100]
    vmovdqu16 xmm0{k4}, [rdi+0x180]
    vmovdqu16 xmm0{k5}, [rdi+0x200]
    vmovdqu16 xmm0{k6}, [rdi+0x280]
    kmovq k7, [r11+0x38]
    vmovdqu16 xmm0{k7}, [rdi+0x300]
    kmovq k7, [r11+0x40]
    vmovdqu16 xmm0{k7}, [rdi+0x380]
    kmovq k7, [r11+0x48]
    vmovdqu16 ymm0{k7}, [rdi+0x400]
    kmovq k7, [r11+0x50]
    vmovdqu16 ymm0{k7}, [rdi+0x480]
    kmovq k7, [r11+0x58]
    vmovdqu16 ymm0{k7}, [rdi+0x500]
    kmovq k7, [r11+0x60]
    vmovdqu16 ymm0{k7}, [rdi+0x580]
    kmovq k7, [r11+0x68]
    vmovdqu16 ymm0{k7}, [rdi+0x600]
    kmovq k7, [r11+0x70]
    vmovdqu16 ymm0{k7}, [rdi+0x680]
    kmovq k7, [r11+0x78]
    vmovdqu16 ymm0{k7}, [rdi+0x700]
    kmovq k7, [r11+0x80]
    vmovdqu16 ymm0{k7}, [rdi+0x780]
    kmovq k7, [r11+0x88]
    vmovdqu16 zmm0{k7}, [rdi+0x800]
    kmovq k7, [r11+0x90]
    vmovdqu16 zmm0{k7}, [rdi+0x880]
    kmovq k7, [r11+0x98]
    vmovdqu16 zmm0{k7}, [rdi+0x900]
    kmovq k7, [r11+0xA0]
    vmovdqu16 zmm0{k7}, [rdi+0x980]
    kmovq k7, [r11+0xA8]
    vmovdqu16 zmm0{k7}, [rdi+0xA00]
    kmovq k7, [r11+0xB0]
    vmovdqu16 zmm0{k7}, [rdi+0xA80]
    kmovq k7, [r11+0xB8]
    vmovdqu16 zmm0{k7}, [rdi+0xB00]
    kmovq k7, [r11+0xC0]
    vmovdqu16 zmm0{k7}, [rdi+0xB80]
    kmovq k7, [r11+0xC8]
    vmovdqu16 zmm0{k7}, [rdi+0xC00]
    kmovq k7, [r11+0xD0]
    vmovdqu16 zmm0{k7}, [rdi+0xC80]
    kmovq k7, [r11+0xD8]
    vmovdqu16 zmm0{k7}, [rdi+0xD00]
    kmovq k7, [r11+0xE0]
    vmovdqu16 zmm0{k7}, [rdi+0xD80]
    kmovq k7, [r11+0xE8]
    vmovdqu16 zmm0{k7}, [rdi+0xE00]
    kmovq k7, [r11+0xF0]
    vmovdqu16 zmm0{k7}, [rdi+0xE80]
    kmovq k7, [r11+0xF8]
    vmovdqu16 zmm0{k7}, [rdi+0xF00]
    kmovq k7, [r11+0x100]
    vmovdqu16 zmm0{k7}, [rdi+0xF80]
    vmovdqu64 [rsi], zmm0
    add rdi, 0x1040
    add rsi, 0x40
    dec rcx
    jne L13
    ret
; tile 4 of nest 1: move 1 x 1
L14:
    kmovq k1, [r11+8]
L15:
    vmovdqu16 xmm0{k1}{z}, [rdi]
    vmovdqu16 [rsi]{k1}, xmm0
    add rdi, 0x1040
    add rsi, 0x40
    dec rcx
    jne L15
    ret
; routines
L16:
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
    db f0 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00
    db 08 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 20 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00
    db 80 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 00 00 00
    db 00 08 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 20 00 00 00 00 00 00 00 40 00 00 00 00 00 00
    db 00 80 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 00 00
    db 00 00 08 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 20 00 00 00 00 00 00 00 40 00 00 00 00 00
    db 00 00 80 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 00
    db 00 00 00 08 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 20 00 00 00 00 00 00 00 40 00 00 00 00
    db 00 00 00 80 00 00 00 00

; zen4 s8:ab:64x64 s8:BA16b64a4b --comp=s8s8:2
; 2240 bytes
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
    mov [r10+0xB18], rdx
    mov [r10+0xB20], rcx
    mov [r10+0xB28], rbx
    mov rax, [r8+0x30]
    mov [r10+0xB10], rax
; nest 1: move 16(s4,d256,cs16) 64(s64,d4) 4(s1,d1,cs4), shared from step 0
    cmp qword [r10+0xB20], 1
    jne L0
    mov eax, 1
    mov qword [r10+0xB30], 0
    mov [r10+0xB38], rax
    jmp L1
L0:
    mov eax, 1
    call L8
    mov ecx, 0x10
    imul rax, rcx
    imul rdx, rcx
    xor ecx, ecx
    xor r8d, r8d
    sub rax, rcx
    cmovl rax, r8
    sub rdx, rcx
    mov ecx, 0x10
    cmp rdx, rcx
    cmovg rdx, rcx
    cmp rax, rdx
    jge L5
    mov [r10+0xB38], rdx
    mov ecx, 0x10
    xor edx, edx
    div rcx
    mov r8, rax
    mov rax, [r10+0xB38]
    add rax, rcx
    dec rax
    xor edx, edx
    div rcx
    mov [r10+0xB38], rax
    mov rax, r8
    mov [r10+0xB30], rax
L1:
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov rbx, [r10+0xB10]
; loop 1 by 16
    mov [r10+0xB40], rdi
    mov [r10+0xB48], rsi
    mov [r10+0xB50], rbx
    cmp qword [r10+0xB30], 0
    je L2
    mov rcx, [r10+0xB30]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xB30]
    imul rcx, 0x1000
    add rsi, rcx
    mov rcx, [r10+0xB30]
    imul rcx, 0x100
    add rbx, rcx
L2:
    mov rcx, [r10+0xB38]
    mov rdx, [r10+0xB30]
    sub rcx, rdx
    jle L4
    mov [r10+0xB58], rcx
; loop 2 by 16
L3:
    mov ecx, 4
    call L6
    add rdi, 0xFFFFFFFFFFFFF040
    add rsi, 0xF00
    add rbx, 0x100
    dec qword [r10+0xB58]
    jne L3
L4:
    mov rdi, [r10+0xB40]
    mov rsi, [r10+0xB48]
    mov rbx, [r10+0xB50]
; exit
L5:
    mov rbx, [r10+0xB28]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 16 x 16 x 4
L6:
    vmovdqu64 zmm21, [r11]
    vmovdqu64 zmm22, [r11+0x40]
    kmovq k1, [r11+0x80]
    kmovq k2, [r11+0x88]
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
    vmovdqu64 [rsi], zmm7
    vpermb zmm27, zmm22, zmm7
    vpmaddubsw zmm23, zmm21, zmm27
    vmovdqu64 [rsi+0x100], zmm6
    vpermb zmm27, zmm22, zmm6
    vpmaddubsw zmm24, zmm21, zmm27
    vmovdqu64 [rsi+0x200], zmm8
    vpermb zmm27, zmm22, zmm8
    vpmaddubsw zmm25, zmm21, zmm27
    vmovdqu64 [rsi+0x300], zmm4
    vpermb zmm27, zmm22, zmm4
    vpmaddubsw zmm26, zmm21, zmm27
    vpmaddwd zmm27, zmm25, [r11+0xC0]
    vpmaddwd zmm29, zmm26, [r11+0xC0]
    vshufi64x2 zmm28, zmm27, zmm29, 0x44
    vshufi64x2 zmm27, zmm27, zmm29, 0xEE
    vpaddd zmm27, zmm27, zmm28
    vmovdqu64 [r10+0x900], zmm27
    vpmaddwd zmm27, zmm23, [r11+0xC0]
    vpmaddwd zmm29, zmm24, [r11+0xC0]
    vshufi64x2 zmm28, zmm27, zmm29, 0x44
    vshufi64x2 zmm27, zmm27, zmm29, 0xEE
    vpaddd zmm27, zmm27, zmm28
    vshufi64x2 zmm28, zmm27, [r10+0x900], 0x88
    vshufi64x2 zmm27, zmm27, [r10+0x900], 0xDD
    vpaddd zmm27, zmm27, zmm28
    vpaddd zmm30, zmm27, [rbx]
    vmovdqu64 [rbx], zmm30
    vmovdqu64 [rsi+0x400], zmm3
    vpermb zmm27, zmm22, zmm3
    vpmaddubsw zmm26, zmm21, zmm27
    vmovdqu64 [rsi+0x500], zmm0
    vpermb zmm27, zmm22, zmm0
    vpmaddubsw zmm25, zmm21, zmm27
    vmovdqu64 [rsi+0x600], zmm2
    vpermb zmm27, zmm22, zmm2
    vpmaddubsw zmm24, zmm21, zmm27
    vmovdqu64 [rsi+0x700], zmm1
    vpermb zmm27, zmm22, zmm1
    vpmaddubsw zmm23, zmm21, zmm27
    vpmaddwd zmm27, zmm24, [r11+0xC0]
    vpmaddwd zmm29, zmm23, [r11+0xC0]
    vshufi64x2 zmm28, zmm27, zmm29, 0x44
    vshufi64x2 zmm27, zmm27, zmm29, 0xEE
    vpaddd zmm27, zmm27, zmm28
    vmovdqu64 [r10+0x900], zmm27
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vpmaddwd zmm29, zmm25, [r11+0xC0]
    vshufi64x2 zmm28, zmm27, zmm29, 0x44
    vshufi64x2 zmm27, zmm27, zmm29, 0xEE
    vpaddd zmm27, zmm27, zmm28
    vshufi64x2 zmm28, zmm27, [r10+0x900], 0x88
    vshufi64x2 zmm27, zmm27, [r10+0x900], 0xDD
    vpaddd zmm27, zmm27, zmm28
    vpaddd zmm30, zmm27, [rbx+0x40]
    vmovdqu64 [rbx+0x40], zmm30
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
    vmovdqu64 [rsi+0x800], zmm7
    vpermb zmm27, zmm22, zmm7
    vpmaddubsw zmm23, zmm21, zmm27
    vmovdqu64 [rsi+0x900], zmm6
    vpermb zmm27, zmm22, zmm6
    vpmaddubsw zmm24, zmm21, zmm27
    vmovdqu64 [rsi+0xA00], zmm8
    vpermb zmm27, zmm22, zmm8
    vpmaddubsw zmm25, zmm21, zmm27
    vmovdqu64 [rsi+0xB00], zmm4
    vpermb zmm27, zmm22, zmm4
    vpmaddubsw zmm26, zmm21, zmm27
    vpmaddwd zmm27, zmm25, [r11+0xC0]
    vpmaddwd zmm29, zmm26, [r11+0xC0]
    vshufi64x2 zmm28, zmm27, zmm29, 0x44
    vshufi64x2 zmm27, zmm27, zmm29, 0xEE
    vpaddd zmm27, zmm27, zmm28
    vmovdqu64 [r10+0x900], zmm27
    vpmaddwd zmm27, zmm23, [r11+0xC0]
    vpmaddwd zmm29, zmm24, [r11+0xC0]
    vshufi64x2 zmm28, zmm27, zmm29, 0x44
    vshufi64x2 zmm27, zmm27, zmm29, 0xEE
    vpaddd zmm27, zmm27, zmm28
    vshufi64x2 zmm28, zmm27, [r10+0x900], 0x88
    vshufi64x2 zmm27, zmm27, [r10+0x900], 0xDD
    vpaddd zmm27, zmm27, zmm28
    vpaddd zmm30, zmm27, [rbx+0x80]
    vmovdqu64 [rbx+0x80], zmm30
    vmovdqu64 [rsi+0xC00], zmm3
    vpermb zmm27, zmm22, zmm3
    vpmaddubsw zmm26, zmm21, zmm27
    vmovdqu64 [rsi+0xD00], zmm0
    vpermb zmm27, zmm22, zmm0
    vpmaddubsw zmm25, zmm21, zmm27
    vmovdqu64 [rsi+0xE00], zmm2
    vpermb zmm27, zmm22, zmm2
    vpmaddubsw zmm24, zmm21, zmm27
    vmovdqu64 [rsi+0xF00], zmm1
    vpermb zmm27, zmm22, zmm1
    vpmaddubsw zmm23, zmm21, zmm27
    vpmaddwd zmm27, zmm24, [r11+0xC0]
    vpmaddwd zmm29, zmm23, [r11+0xC0]
    vshufi64x2 zmm28, zmm27, zmm29, 0x44
    vshufi64x2 zmm27, zmm27, zmm29, 0xEE
    vpaddd zmm27, zmm27, zmm28
    vmovdqu64 [r10+0x900], zmm27
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vpmaddwd zmm29, zmm25, [r11+0xC0]
    vshufi64x2 zmm28, zmm27, zmm29, 0x44
    vshufi64x2 zmm27, zmm27, zmm29, 0xEE
    vpaddd zmm27, zmm27, zmm28
    vshufi64x2 zmm28, zmm27, [r10+0x900], 0x88
    vshufi64x2 zmm27, zmm27, [r10+0x900], 0xDD
    vpaddd zmm27, zmm27, zmm28
    vpaddd zmm30, zmm27, [rbx+0xC0]
    vmovdqu64 [rbx+0xC0], zmm30
    add rdi, 0x400
    add rsi, 0x40
    dec rcx
    jne L7
    ret
; routines
L8:
    mov rcx, rax
    mul qword [r10+0xB18]
    div qword [r10+0xB20]
    mov r8, rax
    mov rax, [r10+0xB18]
    inc rax
    mul rcx
    div qword [r10+0xB20]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01
    db 00 04 08 0c 01 05 09 0d 02 06 0a 0e 03 07 0b 0f 10 14 18 1c 11 15 19 1d 12 16 1a 1e 13 17 1b 1f
    db 20 24 28 2c 21 25 29 2d 22 26 2a 2e 23 27 2b 2f 30 34 38 3c 31 35 39 3d 32 36 3a 3e 33 37 3b 3f
    db f0 00 00 00 00 00 00 00 cc cc 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff
    db 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff

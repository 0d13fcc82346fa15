; spr s8:ab:8x64 s8:BA8b8a --comp=s8s8:2
; 1600 bytes
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
; nest 1: move 64(s1,d8,cs4) 8(s64,d1), shared from step 0
    cmp qword [r10+0xB20], 1
    jne L0
    mov eax, 1
    mov qword [r10+0xB30], 0
    mov [r10+0xB38], rax
    jmp L1
L0:
    mov eax, 1
    call L7
    mov ecx, 0x40
    imul rax, rcx
    imul rdx, rcx
    xor ecx, ecx
    xor r8d, r8d
    sub rax, rcx
    cmovl rax, r8
    sub rdx, rcx
    mov ecx, 0x40
    cmp rdx, rcx
    cmovg rdx, rcx
    cmp rax, rdx
    jge L4
    mov [r10+0xB38], rdx
    mov ecx, 0x40
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
; loop 1 by 64
    mov [r10+0xB40], rdi
    mov [r10+0xB48], rsi
    mov [r10+0xB50], rbx
    cmp qword [r10+0xB30], 0
    je L2
    mov rcx, [r10+0xB30]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xB30]
    imul rcx, 0x200
    add rsi, rcx
    mov rcx, [r10+0xB30]
    imul rcx, 0x100
    add rbx, rcx
L2:
    mov rcx, [r10+0xB38]
    mov rdx, [r10+0xB30]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0xB40]
    mov rsi, [r10+0xB48]
    mov rbx, [r10+0xB50]
; exit
L4:
    mov rbx, [r10+0xB28]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 64 x 8
L5:
    vmovdqu64 zmm5, [r11]
    vmovdqu64 zmm25, [r11+0x40]
    kmovq k1, [r11+0x80]
    kmovq k2, [r11+0x88]
L6:
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x40]
    vmovdqu64 ymm1, [rdi+0x80]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xC0]
    vmovdqu64 ymm2, [rdi+0x100]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x140]
    vmovdqu64 ymm3, [rdi+0x180]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1C0]
    vshufpd zmm4, zmm0, zmm1, 0x55
    vpblendmd zmm0{k2}, zmm0, zmm4
    vpblendmd zmm1{k2}, zmm4, zmm1
    vshufpd zmm4, zmm2, zmm3, 0x55
    vpblendmd zmm2{k2}, zmm2, zmm4
    vpblendmd zmm3{k2}, zmm4, zmm3
    vshufi64x2 zmm4, zmm0, zmm2, 0x88
    vshufi64x2 zmm0, zmm0, zmm2, 0xDD
    vshufi64x2 zmm2, zmm1, zmm3, 0x88
    vshufi64x2 zmm1, zmm1, zmm3, 0xDD
    vpermb zmm3, zmm5, zmm4
    vmovdqu64 [rsi], zmm3
    vpmaddubsw zmm26, zmm25, zmm3
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vmovdqu64 zmm31, [r11+0x100]
    vpermd zmm29, zmm31, zmm27
    vextracti64x4 ymm31, zmm29, 1
    vpaddd ymm29, ymm29, ymm31
    vmovdqu64 [rbx], ymm29
    vpermb zmm2, zmm5, zmm2
    vmovdqu64 [rsi+0x40], zmm2
    vpmaddubsw zmm26, zmm25, zmm2
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vmovdqu64 zmm31, [r11+0x100]
    vpermd zmm29, zmm31, zmm27
    vextracti64x4 ymm31, zmm29, 1
    vpaddd ymm29, ymm29, ymm31
    vmovdqu64 [rbx+0x20], ymm29
    vpermb zmm0, zmm5, zmm0
    vmovdqu64 [rsi+0x80], zmm0
    vpmaddubsw zmm26, zmm25, zmm0
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vmovdqu64 zmm31, [r11+0x100]
    vpermd zmm29, zmm31, zmm27
    vextracti64x4 ymm31, zmm29, 1
    vpaddd ymm29, ymm29, ymm31
    vmovdqu64 [rbx+0x40], ymm29
    vpermb zmm0, zmm5, zmm1
    vmovdqu64 [rsi+0xC0], zmm0
    vpmaddubsw zmm26, zmm25, zmm0
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vmovdqu64 zmm31, [r11+0x100]
    vpermd zmm29, zmm31, zmm27
    vextracti64x4 ymm31, zmm29, 1
    vpaddd ymm29, ymm29, ymm31
    vmovdqu64 [rbx+0x60], ymm29
    vmovdqu64 ymm0, [rdi+0x20]
    vbroadcasti64x4 zmm0{k1}, [rdi+0x60]
    vmovdqu64 ymm1, [rdi+0xA0]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xE0]
    vmovdqu64 ymm2, [rdi+0x120]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x160]
    vmovdqu64 ymm3, [rdi+0x1A0]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x1E0]
    vshufpd zmm4, zmm0, zmm1, 0x55
    vpblendmd zmm0{k2}, zmm0, zmm4
    vpblendmd zmm1{k2}, zmm4, zmm1
    vshufpd zmm4, zmm2, zmm3, 0x55
    vpblendmd zmm2{k2}, zmm2, zmm4
    vpblendmd zmm3{k2}, zmm4, zmm3
    vshufi64x2 zmm4, zmm0, zmm2, 0x88
    vshufi64x2 zmm0, zmm0, zmm2, 0xDD
    vshufi64x2 zmm2, zmm1, zmm3, 0x88
    vshufi64x2 zmm1, zmm1, zmm3, 0xDD
    vpermb zmm3, zmm5, zmm4
    vmovdqu64 [rsi+0x100], zmm3
    vpmaddubsw zmm26, zmm25, zmm3
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vmovdqu64 zmm31, [r11+0x100]
    vpermd zmm29, zmm31, zmm27
    vextracti64x4 ymm31, zmm29, 1
    vpaddd ymm29, ymm29, ymm31
    vmovdqu64 [rbx+0x80], ymm29
    vpermb zmm2, zmm5, zmm2
    vmovdqu64 [rsi+0x140], zmm2
    vpmaddubsw zmm26, zmm25, zmm2
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vmovdqu64 zmm31, [r11+0x100]
    vpermd zmm29, zmm31, zmm27
    vextracti64x4 ymm31, zmm29, 1
    vpaddd ymm29, ymm29, ymm31
    vmovdqu64 [rbx+0xA0], ymm29
    vpermb zmm0, zmm5, zmm0
    vmovdqu64 [rsi+0x180], zmm0
    vpmaddubsw zmm26, zmm25, zmm0
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vmovdqu64 zmm31, [r11+0x100]
    vpermd zmm29, zmm31, zmm27
    vextracti64x4 ymm31, zmm29, 1
    vpaddd ymm29, ymm29, ymm31
    vmovdqu64 [rbx+0xC0], ymm29
    vpermb zmm0, zmm5, zmm1
    vmovdqu64 [rsi+0x1C0], zmm0
    vpmaddubsw zmm26, zmm25, zmm0
    vpmaddwd zmm27, zmm26, [r11+0xC0]
    vmovdqu64 zmm31, [r11+0x100]
    vpermd zmm29, zmm31, zmm27
    vextracti64x4 ymm31, zmm29, 1
    vpaddd ymm29, ymm29, ymm31
    vmovdqu64 [rbx+0xE0], ymm29
    add rdi, 0x40
    add rsi, 0x200
    add rbx, 0x100
    dec rcx
    jne L6
    ret
; routines
L7:
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
    db 00 10 08 18 20 30 28 38 01 11 09 19 21 31 29 39 02 12 0a 1a 22 32 2a 3a 03 13 0b 1b 23 33 2b 3b
    db 04 14 0c 1c 24 34 2c 3c 05 15 0d 1d 25 35 2d 3d 06 16 0e 1e 26 36 2e 3e 07 17 0f 1f 27 37 2f 3f
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01
    db f0 00 00 00 00 00 00 00 cc cc 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff
    db 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff 80 ff
    db 00 00 00 00 02 00 00 00 04 00 00 00 06 00 00 00 08 00 00 00 0a 00 00 00 0c 00 00 00 0e 00 00 00
    db 01 00 00 00 03 00 00 00 05 00 00 00 07 00 00 00 09 00 00 00 0b 00 00 00 0d 00 00 00 0f 00 00 00

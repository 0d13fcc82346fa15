; spr f32:nchw:1x64x56x56 nChw16c
; 1616 bytes
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
; nest 1: move 4(s200704,d200704) 3136(s4,d64) 16(s12544,d4), cut at steps 1 and 2 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x310
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x310
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
    mov ecx, 0x310
    cmp r8, rcx
    jne L3
    mov [r10+0x40], r8
    mov eax, 4
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 0xC4
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L4
L3:
    mov ecx, 0xC4
    xor edx, edx
    div rcx
    mov [r10+0x30], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x40], rcx
    add rdx, rcx
    mov [r10+0x38], rdx
    mov ecx, 4
    xor edx, edx
    div rcx
    mov [r10+0x20], rdx
    inc rdx
    mov [r10+0x28], rdx
L4:
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 1
    mov [r10+0x50], rdi
    mov [r10+0x58], rsi
    cmp qword [r10+0x20], 0
    je L5
    mov rcx, [r10+0x20]
    imul rcx, 0x31000
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x31000
    add rsi, rcx
L5:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L9
    mov [r10+0x60], rcx
; loop 2 by 16
L6:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L7
    mov rcx, [r10+0x30]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x400
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
    add rdi, 0x31000
    add rsi, 0x31000
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
; tile 1 of nest 1: move 1 x 16 x 16
L11:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
L12:
    vmovdqu64 ymm0, [rdi]
    vbroadcasti64x4 zmm0{k1}, [rdi+0xC400]
    vmovdqu64 ymm1, [rdi+0x3100]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xF500]
    vmovdqu64 ymm2, [rdi+0x6200]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x12600]
    vmovdqu64 ymm3, [rdi+0x9300]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x15700]
    vmovdqu64 ymm4, [rdi+0x18800]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x24C00]
    vmovdqu64 ymm5, [rdi+0x1B900]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x27D00]
    vmovdqu64 ymm6, [rdi+0x1EA00]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x2AE00]
    vmovdqu64 ymm7, [rdi+0x21B00]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x2DF00]
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
    vmovdqu64 [rsi+0x40], zmm6
    prefetchw [rsi+0xC0]
    vmovdqu64 [rsi+0x80], zmm8
    prefetchw [rsi+0x100]
    vmovdqu64 [rsi+0xC0], zmm4
    prefetchw [rsi+0x140]
    vmovdqu64 [rsi+0x100], zmm3
    prefetchw [rsi+0x180]
    vmovdqu64 [rsi+0x140], zmm0
    prefetchw [rsi+0x1C0]
    vmovdqu64 [rsi+0x180], zmm2
    prefetchw [rsi+0x200]
    vmovdqu64 [rsi+0x1C0], zmm1
    prefetchw [rsi+0x240]
    vmovdqu64 ymm0, [rdi+0x20]
    vbroadcasti64x4 zmm0{k1}, [rdi+0xC420]
    vmovdqu64 ymm1, [rdi+0x3120]
    vbroadcasti64x4 zmm1{k1}, [rdi+0xF520]
    vmovdqu64 ymm2, [rdi+0x6220]
    vbroadcasti64x4 zmm2{k1}, [rdi+0x12620]
    vmovdqu64 ymm3, [rdi+0x9320]
    vbroadcasti64x4 zmm3{k1}, [rdi+0x15720]
    vmovdqu64 ymm4, [rdi+0x18820]
    vbroadcasti64x4 zmm4{k1}, [rdi+0x24C20]
    vmovdqu64 ymm5, [rdi+0x1B920]
    vbroadcasti64x4 zmm5{k1}, [rdi+0x27D20]
    vmovdqu64 ymm6, [rdi+0x1EA20]
    vbroadcasti64x4 zmm6{k1}, [rdi+0x2AE20]
    vmovdqu64 ymm7, [rdi+0x21B20]
    vbroadcasti64x4 zmm7{k1}, [rdi+0x2DF20]
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
    prefetchw [rsi+0x280]
    vmovdqu64 [rsi+0x240], zmm6
    prefetchw [rsi+0x2C0]
    vmovdqu64 [rsi+0x280], zmm8
    prefetchw [rsi+0x300]
    vmovdqu64 [rsi+0x2C0], zmm4
    prefetchw [rsi+0x340]
    vmovdqu64 [rsi+0x300], zmm3
    prefetchw [rsi+0x380]
    vmovdqu64 [rsi+0x340], zmm0
    prefetchw [rsi+0x3C0]
    vmovdqu64 [rsi+0x380], zmm2
    prefetchw [rsi+0x400]
    vmovdqu64 [rsi+0x3C0], zmm1
    prefetchw [rsi+0x440]
    add rdi, 0x40
    add rsi, 0x400
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
    db f0 00 00 00 00 00 00 00 cc cc 00 00 00 00 00 00

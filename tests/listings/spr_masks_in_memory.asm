; spr f16:ab:13x64 ba
; 3072 bytes
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
; nest 1: move 64(s2,d26) 13(s128,d2), cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 2
    xor eax, eax
    jmp L1
L0:
    mov eax, 2
    call L7
    cmp rax, rdx
    jge L4
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
    imul rcx, 0x340
    add rsi, rcx
L2:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L4:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 32 x 13
L5:
    vmovdqu64 zmm14, [r11]
    vmovdqu64 zmm15, [r11+0x40]
    vmovdqu64 zmm16, [r11+0x80]
    vmovdqu64 zmm17, [r11+0xC0]
    vmovdqu64 zmm18, [r11+0x100]
    vmovdqu64 zmm19, [r11+0x140]
    vmovdqu64 zmm20, [r11+0x180]
    vmovdqu64 zmm21, [r11+0x1C0]
    vmovdqu64 zmm22, [r11+0x200]
    vmovdqu64 zmm23, [r11+0x240]
    vmovdqu64 zmm24, [r11+0x280]
    vmovdqu64 zmm25, [r11+0x2C0]
    vmovdqu64 zmm26, [r11+0x300]
    kmovq k1, [r11+0x340]
    kmovq k2, [r11+0x348]
    kmovq k3, [r11+0x350]
    kmovq k4, [r11+0x358]
    kmovq k5, [r11+0x360]
    kmovq k6, [r11+0x368]
    kmovq k7, [r11+0x370]
L6:
    vmovdqu64 zmm0, [rdi]
    vpermw zmm0, zmm14, zmm0
    vmovdqu64 zmm1, [rdi+0x80]
    vpermw zmm1, zmm15, zmm1
    vpblendmw zmm2{k1}, zmm0, zmm1
    vmovdqu64 zmm3, [rdi+0x100]
    vpermw zmm3, zmm16, zmm3
    vpblendmw zmm2{k2}, zmm2, zmm3
    vmovdqu64 zmm4, [rdi+0x180]
    vpermw zmm4, zmm17, zmm4
    vpblendmw zmm2{k3}, zmm2, zmm4
    vmovdqu64 zmm5, [rdi+0x200]
    vpermw zmm5, zmm18, zmm5
    vpblendmw zmm2{k4}, zmm2, zmm5
    vmovdqu64 zmm6, [rdi+0x280]
    vpermw zmm6, zmm19, zmm6
    vpblendmw zmm2{k5}, zmm2, zmm6
    vmovdqu64 zmm7, [rdi+0x300]
    vpermw zmm7, zmm20, zmm7
    vpblendmw zmm2{k6}, zmm2, zmm7
    vmovdqu64 zmm8, [rdi+0x380]
    vpermw zmm8, zmm21, zmm8
    vpblendmw zmm2{k7}, zmm2, zmm8
    vmovdqu64 zmm9, [rdi+0x400]
    vpermw zmm9, zmm22, zmm9
    vpternlogd zmm2, zmm9, [r11+0x380], 0xD8
    vmovdqu64 zmm10, [rdi+0x480]
    vpermw zmm10, zmm23, zmm10
    vpternlogd zmm2, zmm10, [r11+0x3C0], 0xD8
    vmovdqu64 zmm11, [rdi+0x500]
    vpermw zmm11, zmm24, zmm11
    vpternlogd zmm2, zmm11, [r11+0x400], 0xD8
    vmovdqu64 zmm12, [rdi+0x580]
    vpermw zmm12, zmm25, zmm12
    vpternlogd zmm2, zmm12, [r11+0x440], 0xD8
    vmovdqu64 zmm13, [rdi+0x600]
    vpermw zmm13, zmm26, zmm13
    vpternlogd zmm2, zmm13, [r11+0x480], 0xD8
    vmovdqu64 [rsi], zmm2
    vpblendmw zmm2{k1}, zmm7, zmm8
    vpblendmw zmm2{k2}, zmm2, zmm9
    vpblendmw zmm2{k3}, zmm2, zmm10
    vpblendmw zmm2{k4}, zmm2, zmm11
    vpblendmw zmm2{k5}, zmm2, zmm12
    vpblendmw zmm2{k6}, zmm2, zmm13
    vpblendmw zmm2{k7}, zmm2, zmm0
    vpternlogd zmm2, zmm1, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm3, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm4, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm5, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm6, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x40], zmm2
    vpblendmw zmm2{k1}, zmm13, zmm0
    vpblendmw zmm2{k2}, zmm2, zmm1
    vpblendmw zmm2{k3}, zmm2, zmm3
    vpblendmw zmm2{k4}, zmm2, zmm4
    vpblendmw zmm2{k5}, zmm2, zmm5
    vpblendmw zmm2{k6}, zmm2, zmm6
    vpblendmw zmm2{k7}, zmm2, zmm7
    vpternlogd zmm2, zmm8, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm9, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm10, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm11, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm12, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x80], zmm2
    vpblendmw zmm2{k1}, zmm6, zmm7
    vpblendmw zmm2{k2}, zmm2, zmm8
    vpblendmw zmm2{k3}, zmm2, zmm9
    vpblendmw zmm2{k4}, zmm2, zmm10
    vpblendmw zmm2{k5}, zmm2, zmm11
    vpblendmw zmm2{k6}, zmm2, zmm12
    vpblendmw zmm2{k7}, zmm2, zmm13
    vpternlogd zmm2, zmm0, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm1, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm3, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm4, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm5, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0xC0], zmm2
    vpblendmw zmm2{k1}, zmm12, zmm13
    vpblendmw zmm2{k2}, zmm2, zmm0
    vpblendmw zmm2{k3}, zmm2, zmm1
    vpblendmw zmm2{k4}, zmm2, zmm3
    vpblendmw zmm2{k5}, zmm2, zmm4
    vpblendmw zmm2{k6}, zmm2, zmm5
    vpblendmw zmm2{k7}, zmm2, zmm6
    vpternlogd zmm2, zmm7, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm8, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm9, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm10, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm11, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x100], zmm2
    vpblendmw zmm2{k1}, zmm5, zmm6
    vpblendmw zmm2{k2}, zmm2, zmm7
    vpblendmw zmm2{k3}, zmm2, zmm8
    vpblendmw zmm2{k4}, zmm2, zmm9
    vpblendmw zmm2{k5}, zmm2, zmm10
    vpblendmw zmm2{k6}, zmm2, zmm11
    vpblendmw zmm2{k7}, zmm2, zmm12
    vpternlogd zmm2, zmm13, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm0, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm1, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm3, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm4, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x140], zmm2
    vpblendmw zmm2{k1}, zmm11, zmm12
    vpblendmw zmm2{k2}, zmm2, zmm13
    vpblendmw zmm2{k3}, zmm2, zmm0
    vpblendmw zmm2{k4}, zmm2, zmm1
    vpblendmw zmm2{k5}, zmm2, zmm3
    vpblendmw zmm2{k6}, zmm2, zmm4
    vpblendmw zmm2{k7}, zmm2, zmm5
    vpternlogd zmm2, zmm6, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm7, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm8, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm9, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm10, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x180], zmm2
    vpblendmw zmm2{k1}, zmm4, zmm5
    vpblendmw zmm2{k2}, zmm2, zmm6
    vpblendmw zmm2{k3}, zmm2, zmm7
    vpblendmw zmm2{k4}, zmm2, zmm8
    vpblendmw zmm2{k5}, zmm2, zmm9
    vpblendmw zmm2{k6}, zmm2, zmm10
    vpblendmw zmm2{k7}, zmm2, zmm11
    vpternlogd zmm2, zmm12, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm13, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm0, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm1, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm3, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x1C0], zmm2
    vpblendmw zmm2{k1}, zmm10, zmm11
    vpblendmw zmm2{k2}, zmm2, zmm12
    vpblendmw zmm2{k3}, zmm2, zmm13
    vpblendmw zmm2{k4}, zmm2, zmm0
    vpblendmw zmm2{k5}, zmm2, zmm1
    vpblendmw zmm2{k6}, zmm2, zmm3
    vpblendmw zmm2{k7}, zmm2, zmm4
    vpternlogd zmm2, zmm5, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm6, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm7, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm8, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm9, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x200], zmm2
    vpblendmw zmm2{k1}, zmm3, zmm4
    vpblendmw zmm2{k2}, zmm2, zmm5
    vpblendmw zmm2{k3}, zmm2, zmm6
    vpblendmw zmm2{k4}, zmm2, zmm7
    vpblendmw zmm2{k5}, zmm2, zmm8
    vpblendmw zmm2{k6}, zmm2, zmm9
    vpblendmw zmm2{k7}, zmm2, zmm10
    vpternlogd zmm2, zmm11, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm12, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm13, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm0, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm1, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x240], zmm2
    vpblendmw zmm2{k1}, zmm9, zmm10
    vpblendmw zmm2{k2}, zmm2, zmm11
    vpblendmw zmm2{k3}, zmm2, zmm12
    vpblendmw zmm2{k4}, zmm2, zmm13
    vpblendmw zmm2{k5}, zmm2, zmm0
    vpblendmw zmm2{k6}, zmm2, zmm1
    vpblendmw zmm2{k7}, zmm2, zmm3
    vpternlogd zmm2, zmm4, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm5, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm6, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm7, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm8, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x280], zmm2
    vpblendmw zmm2{k1}, zmm1, zmm3
    vpblendmw zmm2{k2}, zmm2, zmm4
    vpblendmw zmm2{k3}, zmm2, zmm5
    vpblendmw zmm2{k4}, zmm2, zmm6
    vpblendmw zmm2{k5}, zmm2, zmm7
    vpblendmw zmm2{k6}, zmm2, zmm8
    vpblendmw zmm2{k7}, zmm2, zmm9
    vpternlogd zmm2, zmm10, [r11+0x380], 0xD8
    vpternlogd zmm2, zmm11, [r11+0x3C0], 0xD8
    vpternlogd zmm2, zmm12, [r11+0x400], 0xD8
    vpternlogd zmm2, zmm13, [r11+0x440], 0xD8
    vpternlogd zmm2, zmm0, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x2C0], zmm2
    vpblendmw zmm2{k1}, zmm8, zmm9
    vpblendmw zmm2{k2}, zmm2, zmm10
    vpblendmw zmm2{k3}, zmm2, zmm11
    vpblendmw zmm2{k4}, zmm2, zmm12
    vpblendmw zmm2{k5}, zmm2, zmm13
    vpblendmw zmm0{k6}, zmm2, zmm0
    vpblendmw zmm0{k7}, zmm0, zmm1
    vpternlogd zmm0, zmm3, [r11+0x380], 0xD8
    vpternlogd zmm0, zmm4, [r11+0x3C0], 0xD8
    vpternlogd zmm0, zmm5, [r11+0x400], 0xD8
    vpternlogd zmm0, zmm6, [r11+0x440], 0xD8
    vpternlogd zmm0, zmm7, [r11+0x480], 0xD8
    vmovdqu64 [rsi+0x300], zmm0
    add rdi, 0x40
    add rsi, 0x340
    dec rcx
    jne L6
    ret
; routines
L7:
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
    db 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00 08 00 0d 00 12 00 17 00 1c 00 01 00 06 00 0b 00
    db 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00 18 00 1d 00 02 00 07 00 0c 00 11 00 16 00 1b 00
    db 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00 08 00 0d 00 12 00 17 00 1c 00 01 00 06 00
    db 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00 18 00 1d 00 02 00 07 00 0c 00 11 00 16 00
    db 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00 08 00 0d 00 12 00 17 00 1c 00 01 00
    db 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00 18 00 1d 00 02 00 07 00 0c 00 11 00
    db 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00 08 00 0d 00 12 00 17 00 1c 00
    db 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00 18 00 1d 00 02 00 07 00 0c 00
    db 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00 08 00 0d 00 12 00 17 00
    db 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00 18 00 1d 00 02 00 07 00
    db 07 00 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00 08 00 0d 00 12 00
    db 17 00 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00 18 00 1d 00 02 00
    db 02 00 07 00 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00 08 00 0d 00
    db 12 00 17 00 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00 18 00 1d 00
    db 1d 00 02 00 07 00 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00 08 00
    db 0d 00 12 00 17 00 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00 18 00
    db 18 00 1d 00 02 00 07 00 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00 03 00
    db 08 00 0d 00 12 00 17 00 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00 13 00
    db 13 00 18 00 1d 00 02 00 07 00 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00 1e 00
    db 03 00 08 00 0d 00 12 00 17 00 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00 0e 00
    db 0e 00 13 00 18 00 1d 00 02 00 07 00 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00 19 00
    db 1e 00 03 00 08 00 0d 00 12 00 17 00 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00 09 00
    db 09 00 0e 00 13 00 18 00 1d 00 02 00 07 00 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00 14 00
    db 19 00 1e 00 03 00 08 00 0d 00 12 00 17 00 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00 04 00
    db 04 00 09 00 0e 00 13 00 18 00 1d 00 02 00 07 00 0c 00 11 00 16 00 1b 00 00 00 05 00 0a 00 0f 00
    db 14 00 19 00 1e 00 03 00 08 00 0d 00 12 00 17 00 1c 00 01 00 06 00 0b 00 10 00 15 00 1a 00 1f 00
    db 02 40 00 08 00 00 00 00 04 80 00 10 00 00 00 00 08 00 01 20 00 00 00 00 10 00 02 40 00 00 00 00
    db 20 00 04 80 00 00 00 00 40 00 08 00 00 00 00 00 80 00 10 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff 00 00 00 00 00 00 00 00 00 00 00 00

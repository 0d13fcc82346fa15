; spr u8:aBcd12b:2x50x3x3 nChw16c
; 2896 bytes
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
; nest 1: move 2(s540,d576) 12(s0,d0,t3x0/0+4/4;108/12;112/144;116/148;216/152;220/156;224/288;3x324/292+4/4) 9(s12,d16) 4(s1,d1), cut at steps 1 and 2 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 6
    xor eax, eax
    jmp L1
L0:
    mov eax, 6
    call L48
    cmp rax, rdx
    jge L11
L1:
    mov [r10+0x40], rax
    mov [r10+0x48], rdx
L2:
    mov rax, [r10+0x40]
    mov r8, [r10+0x48]
    sub r8, rax
    mov ecx, 6
    cmp r8, rcx
    jne L3
    mov [r10+0x40], r8
    mov eax, 2
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 3
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L4
L3:
    mov ecx, 3
    xor edx, edx
    div rcx
    mov [r10+0x30], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x40], rcx
    add rdx, rcx
    mov [r10+0x38], rdx
    mov ecx, 2
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
    imul rcx, 0x21C
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x240
    add rsi, rcx
L5:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L10
    mov [r10+0x60], rcx
; loop 3 by 4
L6:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L7
    mov rcx, [r10+0x30]
    imul rcx, 0x30
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x40
    add rsi, rcx
L7:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    mov eax, 2
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L8
    call L35
L8:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    mov eax, 3
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 2
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L9
    call L37
L9:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
    add rdi, 0x21C
    add rsi, 0x240
    dec qword [r10+0x60]
    jne L6
L10:
    mov rdi, [r10+0x50]
    mov rsi, [r10+0x58]
    mov rax, [r10+0x40]
    cmp rax, [r10+0x48]
    jl L2
; nest 2: move 2(s540,d576) 9(s12,d16) 4(s1,d1)[0..2], from s432,d432, cut at steps 1 and 2 by 1
L11:
    cmp qword [r10+0x18], 1
    jne L12
    mov edx, 0x12
    xor eax, eax
    jmp L13
L12:
    mov eax, 0x12
    call L48
    cmp rax, rdx
    jge L22
L13:
    mov [r10+0x40], rax
    mov [r10+0x48], rdx
L14:
    mov rax, [r10+0x40]
    mov r8, [r10+0x48]
    sub r8, rax
    mov ecx, 0x12
    cmp r8, rcx
    jne L15
    mov [r10+0x40], r8
    mov eax, 2
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 9
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L16
L15:
    mov ecx, 9
    xor edx, edx
    div rcx
    mov [r10+0x30], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x40], rcx
    add rdx, rcx
    mov [r10+0x38], rdx
    mov ecx, 2
    xor edx, edx
    div rcx
    mov [r10+0x20], rdx
    inc rdx
    mov [r10+0x28], rdx
L16:
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 0x1B0
    add rsi, 0x1B0
; loop 1 by 1
    mov [r10+0x50], rdi
    mov [r10+0x58], rsi
    cmp qword [r10+0x20], 0
    je L17
    mov rcx, [r10+0x20]
    imul rcx, 0x21C
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x240
    add rsi, rcx
L17:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L21
    mov [r10+0x60], rcx
; loop 2 by 1
L18:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L19
    mov rcx, [r10+0x30]
    imul rcx, 0xC
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x10
    add rsi, rcx
L19:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    sub rcx, rdx
    jle L20
    call L39
L20:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
    add rdi, 0x21C
    add rsi, 0x240
    dec qword [r10+0x60]
    jne L18
L21:
    mov rdi, [r10+0x50]
    mov rsi, [r10+0x58]
    mov rax, [r10+0x40]
    cmp rax, [r10+0x48]
    jl L14
; nest 3: fill 0x0 2(s540,d576) 9(s12,d16) 3(s0,d0,t4/4;8/8;108/12) 4(s1,d1), from s432,d432, cut at steps 1 and 2 by 1
L22:
    cmp qword [r10+0x18], 1
    jne L23
    mov edx, 6
    xor eax, eax
    jmp L24
L23:
    mov eax, 6
    call L48
    cmp rax, rdx
    jge L34
L24:
    mov [r10+0x40], rax
    mov [r10+0x48], rdx
L25:
    mov rax, [r10+0x40]
    mov r8, [r10+0x48]
    sub r8, rax
    mov ecx, 6
    cmp r8, rcx
    jne L26
    mov [r10+0x40], r8
    mov eax, 2
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 3
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L27
L26:
    mov ecx, 3
    xor edx, edx
    div rcx
    mov [r10+0x30], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x40], rcx
    add rdx, rcx
    mov [r10+0x38], rdx
    mov ecx, 2
    xor edx, edx
    div rcx
    mov [r10+0x20], rdx
    inc rdx
    mov [r10+0x28], rdx
L27:
    mov rdi, [r10]
    mov rsi, [r10+8]
    add rdi, 0x1B0
    add rsi, 0x1B0
; loop 1 by 1
    mov [r10+0x50], rdi
    mov [r10+0x58], rsi
    cmp qword [r10+0x20], 0
    je L28
    mov rcx, [r10+0x20]
    imul rcx, 0x21C
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x240
    add rsi, rcx
L28:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L33
    mov [r10+0x60], rcx
; loop 2 by 4
L29:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L30
    mov rcx, [r10+0x30]
    imul rcx, 0x30
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x40
    add rsi, rcx
L30:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    mov eax, 2
    cmp rcx, rax
    cmovg rcx, rax
    xor eax, eax
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L31
    call L44
L31:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    mov eax, 3
    cmp rcx, rax
    cmovg rcx, rax
    mov eax, 2
    cmp rdx, rax
    cmovl rdx, rax
    sub rcx, rdx
    jle L32
    call L46
L32:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
    add rdi, 0x21C
    add rsi, 0x240
    dec qword [r10+0x60]
    jne L29
L33:
    mov rdi, [r10+0x50]
    mov rsi, [r10+0x58]
    mov rax, [r10+0x40]
    cmp rax, [r10+0x48]
    jl L25
; exit
L34:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 12 x 4 x 4
L35:
    vmovdqu64 zmm2, [r11]
    vmovdqu64 zmm3, [r11+0x40]
    vmovdqu64 zmm4, [r11+0x80]
    vmovdqu64 zmm5, [r11+0xC0]
    kmovq k1, [r11+0x100]
    kmovq k2, [r11+0x108]
    kmovq k3, [r11+0x110]
    kmovq k4, [r11+0x118]
L36:
    vmovdqu32 zmm0{k1}{z}, [rdi]
    vpermd zmm0, zmm2, zmm0
    vmovdqu32 zmm1{k1}{z}, [rdi+0x6C]
    vpermd zmm1, zmm3, zmm1
    vpblendmd zmm0{k2}, zmm0, zmm1
    vmovdqu64 [rsi], zmm0
    vmovdqu32 zmm0{k1}{z}, [rdi+0xD8]
    vpermd zmm0, zmm4, zmm0
    vpblendmd zmm1{k3}, zmm1, zmm0
    vmovdqu64 [rsi+0x90], zmm1
    vmovdqu32 zmm1{k1}{z}, [rdi+0x144]
    vpermd zmm1, zmm5, zmm1
    vpblendmd zmm0{k4}, zmm0, zmm1
    vmovdqu64 [rsi+0x120], zmm0
    add rdi, 0x30
    add rsi, 0x40
    dec rcx
    jne L36
    ret
; tile 2 of nest 1: move 1 x 12 x 1 x 4
L37:
    kmovq k1, [r11+0x120]
    kmovq k2, [r11+0x128]
    kmovq k3, [r11+0x130]
    kmovq k4, [r11+0x138]
L38:
    vmovdqu32 xmm0{k1}{z}, [rdi]
    vpbroadcastd xmm0{k2}, [rdi+0x6C]
    vmovdqu64 [rsi], xmm0
    vmovq xmm0, [rdi+0x70]
    vpbroadcastq xmm0{k3}, [rdi+0xD8]
    vmovdqu64 [rsi+0x90], xmm0
    vmovd xmm0, [rdi+0xE0]
    vmovdqu32 xmm0{k4}, [rdi+0x140]
    vmovdqu64 [rsi+0x120], xmm0
    add rdi, 0x30
    add rsi, 0x40
    dec rcx
    jne L38
    ret
; tile 1 of nest 2: move 1 x 1 x 2 of 4
L39:
    vpbroadcastb xmm1, [r11+0x140]
    kmovq k1, [r11+0x148]
    sub rcx, 8
    jl L41
L40:
    vmovdqu16 xmm0{k1}{z}, [rdi]
    vmovd [rsi], xmm0
    vmovdqu16 xmm0{k1}{z}, [rdi+0xC]
    vmovd [rsi+0x10], xmm0
    vmovdqu16 xmm0{k1}{z}, [rdi+0x18]
    vmovd [rsi+0x20], xmm0
    vmovdqu16 xmm0{k1}{z}, [rdi+0x24]
    vmovd [rsi+0x30], xmm0
    vmovdqu16 xmm0{k1}{z}, [rdi+0x30]
    vmovd [rsi+0x40], xmm0
    vmovdqu16 xmm0{k1}{z}, [rdi+0x3C]
    vmovd [rsi+0x50], xmm0
    vmovdqu16 xmm0{k1}{z}, [rdi+0x48]
    vmovd [rsi+0x60], xmm0
    vmovdqu16 xmm0{k1}{z}, [rdi+0x54]
    vmovd [rsi+0x70], xmm0
    add rdi, 0x60
    add rsi, 0x80
    sub rcx, 8
    jge L40
L41:
    add rcx, 8
    je L43
L42:
    vmovdqu16 xmm0{k1}{z}, [rdi]
    vmovd [rsi], xmm0
    add rdi, 0xC
    add rsi, 0x10
    dec rcx
    jne L42
L43:
    ret
; tile 1 of nest 3: fill 0x0 0 of 1 x 0 of 4 x 0 of 3 x 0 of 4
L44:
    vpbroadcastb xmm0, [r11+0x140]
    kmovq k1, [r11+0x120]
L45:
    vmovdqu32 [rsi+4]{k1}, xmm0
    vmovdqu32 [rsi+0x14]{k1}, xmm0
    vmovdqu32 [rsi+0x24]{k1}, xmm0
    vmovdqu32 [rsi+0x34]{k1}, xmm0
    add rdi, 0x30
    add rsi, 0x40
    dec rcx
    jne L45
    ret
; tile 2 of nest 3: fill 0x0 0 of 1 x 0 of 1 x 0 of 3 x 0 of 4
L46:
    vpbroadcastb xmm0, [r11+0x140]
    kmovq k1, [r11+0x120]
L47:
    vmovdqu32 [rsi+4]{k1}, xmm0
    add rdi, 0x30
    add rsi, 0x40
    dec rcx
    jne L47
    ret
; routines
L48:
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
    db 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 07 00 00 00
    db 06 00 00 00 07 00 00 00 08 00 00 00 0b 00 00 00 09 00 00 00 0a 00 00 00 0b 00 00 00 0f 00 00 00
    db 01 00 00 00 02 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 03 00 00 00
    db 07 00 00 00 08 00 00 00 0a 00 00 00 06 00 00 00 0a 00 00 00 0b 00 00 00 0e 00 00 00 09 00 00 00
    db 02 00 00 00 01 00 00 00 00 00 00 00 01 00 00 00 05 00 00 00 05 00 00 00 03 00 00 00 04 00 00 00
    db 08 00 00 00 09 00 00 00 06 00 00 00 07 00 00 00 0b 00 00 00 0d 00 00 00 09 00 00 00 0a 00 00 00
    db 00 00 00 00 00 00 00 00 01 00 00 00 02 00 00 00 04 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00
    db 08 00 00 00 06 00 00 00 07 00 00 00 08 00 00 00 0c 00 00 00 09 00 00 00 0a 00 00 00 0b 00 00 00
    db ff 0f 00 00 00 00 00 00 88 88 00 00 00 00 00 00 cc cc 00 00 00 00 00 00 ee ee 00 00 00 00 00 00
    db 07 00 00 00 00 00 00 00 08 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 0e 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00

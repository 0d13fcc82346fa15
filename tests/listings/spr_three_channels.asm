; spr f32:nhwc:1x3x224x224 nchw
; 728 bytes
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
; nest 1: move 3(s4,d200704) 50176(s12,d4), cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0xC40
    xor eax, eax
    jmp L1
L0:
    mov eax, 0xC40
    call L7
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 2 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0xC0
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40
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
; tile 1 of nest 1: move 3 x 16
L5:
    vmovdqu64 zmm4, [r11]
    vmovdqu64 zmm5, [r11+0x40]
    vmovdqu64 zmm6, [r11+0x80]
    kmovq k1, [r11+0xC0]
    kmovq k2, [r11+0xC8]
    kmovq k3, [r11+0xD0]
L6:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x40]
    vpblendmd zmm2{k1}, zmm0, zmm1
    vmovdqu64 zmm3, [rdi+0x80]
    vpblendmd zmm2{k2}, zmm2, zmm3
    vpermd zmm2, zmm4, zmm2
    vmovdqu64 [rsi], zmm2
    prefetchw [rsi+0x40]
    vpblendmd zmm2{k3}, zmm0, zmm1
    vpblendmd zmm2{k1}, zmm2, zmm3
    vpermd zmm2, zmm5, zmm2
    vmovdqu64 [rsi+0x31000], zmm2
    prefetchw [rsi+0x31040]
    vpblendmd zmm0{k2}, zmm0, zmm1
    vpblendmd zmm0{k3}, zmm0, zmm3
    vpermd zmm0, zmm6, zmm0
    vmovdqu64 [rsi+0x62000], zmm0
    prefetchw [rsi+0x62040]
    add rdi, 0xC0
    add rsi, 0x40
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
    db 00 00 00 00 03 00 00 00 06 00 00 00 09 00 00 00 0c 00 00 00 0f 00 00 00 02 00 00 00 05 00 00 00
    db 08 00 00 00 0b 00 00 00 0e 00 00 00 01 00 00 00 04 00 00 00 07 00 00 00 0a 00 00 00 0d 00 00 00
    db 01 00 00 00 04 00 00 00 07 00 00 00 0a 00 00 00 0d 00 00 00 00 00 00 00 03 00 00 00 06 00 00 00
    db 09 00 00 00 0c 00 00 00 0f 00 00 00 02 00 00 00 05 00 00 00 08 00 00 00 0b 00 00 00 0e 00 00 00
    db 02 00 00 00 05 00 00 00 08 00 00 00 0b 00 00 00 0e 00 00 00 01 00 00 00 04 00 00 00 07 00 00 00
    db 0a 00 00 00 0d 00 00 00 00 00 00 00 03 00 00 00 06 00 00 00 09 00 00 00 0c 00 00 00 0f 00 00 00
    db 24 49 00 00 00 00 00 00 92 24 00 00 00 00 00 00 49 92 00 00 00 00 00 00

; haswell u8:nchw:1x3x224x224 nhwc
; 896 bytes
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
; nest 1: move 50176(s1,d3) 3(s50176,d1), cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x310
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x310
    call L7
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 64
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0xC0
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
; tile 1 of nest 1: move 64 x 3
L5:
    vmovdqu ymm6, [r11]
    vmovdqu ymm7, [r11+0x20]
    vmovdqu ymm8, [r11+0x40]
L6:
    vmovdqu ymm0, [rdi]
    prefetcht0 [rdi+0x280]
    vpshufb ymm0, ymm0, [r11+0x60]
    vmovdqu ymm1, [rdi+0xC400]
    prefetcht0 [rdi+0xC680]
    vpshufb ymm1, ymm1, [r11+0x80]
    vpblendvb ymm2, ymm0, ymm1, ymm6
    vmovdqu ymm3, [rdi+0x18800]
    prefetcht0 [rdi+0x18A80]
    vpshufb ymm3, ymm3, [r11+0xA0]
    vpblendvb ymm2, ymm2, ymm3, ymm7
    vpblendvb ymm4, ymm0, ymm1, ymm8
    vpblendvb ymm4, ymm4, ymm3, ymm6
    vperm2i128 ymm5, ymm2, ymm4, 0x20
    vmovdqu [rsi], ymm5
    prefetchw [rsi+0x80]
    vpblendvb ymm0, ymm3, ymm0, ymm6
    vpblendvb ymm0, ymm0, ymm1, ymm7
    vmovdqu [rsi+0x20], ymm0
    vperm2i128 ymm0, ymm2, ymm4, 0x31
    vmovdqu [rsi+0x40], ymm0
    prefetchw [rsi+0xC0]
    vmovdqu ymm0, [rdi+0x20]
    vpshufb ymm0, ymm0, [r11+0x60]
    vmovdqu ymm1, [rdi+0xC420]
    vpshufb ymm1, ymm1, [r11+0x80]
    vpblendvb ymm2, ymm0, ymm1, ymm6
    vmovdqu ymm3, [rdi+0x18820]
    vpshufb ymm3, ymm3, [r11+0xA0]
    vpblendvb ymm2, ymm2, ymm3, ymm7
    vpblendvb ymm4, ymm0, ymm1, ymm8
    vpblendvb ymm4, ymm4, ymm3, ymm6
    vperm2i128 ymm5, ymm2, ymm4, 0x20
    vmovdqu [rsi+0x60], ymm5
    vpblendvb ymm0, ymm3, ymm0, ymm6
    vpblendvb ymm0, ymm0, ymm1, ymm7
    vmovdqu [rsi+0x80], ymm0
    prefetchw [rsi+0x100]
    vperm2i128 ymm0, ymm2, ymm4, 0x31
    vmovdqu [rsi+0xA0], ymm0
    add rdi, 0x40
    add rsi, 0xC0
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
    db 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff
    db 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00
    db ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00 00 ff 00
    db 00 0b 06 01 0c 07 02 0d 08 03 0e 09 04 0f 0a 05 00 0b 06 01 0c 07 02 0d 08 03 0e 09 04 0f 0a 05
    db 05 00 0b 06 01 0c 07 02 0d 08 03 0e 09 04 0f 0a 05 00 0b 06 01 0c 07 02 0d 08 03 0e 09 04 0f 0a
    db 0a 05 00 0b 06 01 0c 07 02 0d 08 03 0e 09 04 0f 0a 05 00 0b 06 01 0c 07 02 0d 08 03 0e 09 04 0f

; spr f32:strides(150528,50176,224,-1):1x3x224x224:offset=223 nchw
; 704 bytes
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
; nest 1: move 672(s896,d896) 224(s-4,d4), cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x2A0
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x2A0
    call L10
    cmp rax, rdx
    jge L5
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 1
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x380
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x380
    add rsi, rcx
L2:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L4
    mov [r10+0x40], rcx
; loop 2 by 64
L3:
    mov ecx, 3
    call L6
    mov ecx, 1
    call L8
    add rdi, 0x780
    add rsi, 0xFFFFFFFFFFFFFF80
    dec qword [r10+0x40]
    jne L3
L4:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L5:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 64
L6:
    vmovdqu64 zmm1, [r11]
L7:
    vmovdqu64 zmm0, [rdi-0x3C]
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi], zmm0
    prefetchw [rsi+0x80]
    vmovdqu64 zmm0, [rdi-0x7C]
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0x40], zmm0
    prefetchw [rsi+0xC0]
    vmovdqu64 zmm0, [rdi-0xBC]
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0x80], zmm0
    prefetchw [rsi+0x100]
    vmovdqu64 zmm0, [rdi-0xFC]
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0xC0], zmm0
    prefetchw [rsi+0x140]
    add rdi, 0xFFFFFFFFFFFFFF00
    add rsi, 0x100
    dec rcx
    jne L7
    ret
; tile 2 of nest 1: move 1 x 32
L8:
    vmovdqu64 zmm1, [r11]
L9:
    vmovdqu64 zmm0, [rdi-0x3C]
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi], zmm0
    prefetchw [rsi+0x80]
    vmovdqu64 zmm0, [rdi-0x7C]
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0x40], zmm0
    prefetchw [rsi+0xC0]
    add rdi, 0xFFFFFFFFFFFFFF00
    add rsi, 0x100
    dec rcx
    jne L9
    ret
; routines
L10:
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
    db 0f 00 00 00 0e 00 00 00 0d 00 00 00 0c 00 00 00 0b 00 00 00 0a 00 00 00 09 00 00 00 08 00 00 00
    db 07 00 00 00 06 00 00 00 05 00 00 00 04 00 00 00 03 00 00 00 02 00 00 00 01 00 00 00 00 00 00 00

; spr f32:nchw:8x64x128x128 nchw
; 512 bytes
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
; nest 1: move 8388608(s4,d4), cut at step 1 by 1
    mov eax, 0x80000
    call L6
    cmp rax, rdx
    jge L3
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    lea rax, [rsi]
    test eax, 0x3F
    jne L1
; nest 1, past the caches: move 8388608(s4,d4), cut at step 1 by 1
; loop 1 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L0
    call L4
L0:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
    sfence
    jmp L3
; loop 1 by 16
L1:
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L2
    call L5
L2:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L3:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 16
L4:
    vmovdqu64 zmm0, [rdi]
    vmovntdq [rsi], zmm0
    add rdi, 0x40
    add rsi, 0x40
    dec rcx
    jne L4
    ret
; tile 1 of nest 1: move 16
L5:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 [rsi], zmm0
    add rdi, 0x40
    add rsi, 0x40
    dec rcx
    jne L5
    ret
; routines
L6:
    mov rcx, rax
    cmp qword [r10+0x18], 1
    jne L7
    xor eax, eax
    mov rdx, rcx
    ret
L7:
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

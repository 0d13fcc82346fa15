; zen5 f32:strides(0,1,0,0):8x64x56x56 nhwc
; 384 bytes
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
; nest 1: move 25088(s0,d256) 64(s4,d4), cut at step 1 by 1
    mov eax, 0x6200
    call L4
    cmp rax, rdx
    jge L2
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 1
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x100
    add rsi, rcx
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L1
    mov [r10+0x40], rcx
; loop 2 by 16
L0:
    mov ecx, 4
    call L3
    add rdi, 0xFFFFFFFFFFFFFF00
    dec qword [r10+0x40]
    jne L0
L1:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L2:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 16
L3:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 [rsi], zmm0
    add rdi, 0x40
    add rsi, 0x40
    dec rcx
    jne L3
    ret
; routines
L4:
    mov rcx, rax
    cmp qword [r10+0x18], 1
    jne L5
    xor eax, eax
    mov rdx, rcx
    ret
L5:
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

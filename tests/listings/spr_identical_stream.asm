; spr f32:nchw:8x64x128x128 nchw
; 832 bytes
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
; nest 1: move 4(s8388608,d8388608) 2097152(s4,d4), cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x8000
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x8000
    call L12
    cmp rax, rdx
    jge L9
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
    lea rax, [rsi]
    test eax, 0x3F
    jne L5
; nest 1, past the caches: move 4(s8388608,d8388608) 2097152(s4,d4), cut at step 1 by 1
; loop 2 by 64
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x100
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x100
    add rsi, rcx
L2:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L4
    mov [r10+0x40], rcx
; loop 1 by 1
L3:
    mov ecx, 4
    call L10
    add rdi, 0xFFFFFFFFFE000100
    add rsi, 0xFFFFFFFFFE000100
    dec qword [r10+0x40]
    jne L3
L4:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
    sfence
    jmp L9
; loop 2 by 64
L5:
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L6
    mov rcx, [r10+0x20]
    imul rcx, 0x100
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x100
    add rsi, rcx
L6:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L8
    mov [r10+0x40], rcx
; loop 1 by 1
L7:
    mov ecx, 4
    call L11
    add rdi, 0xFFFFFFFFFE000100
    add rsi, 0xFFFFFFFFFE000100
    dec qword [r10+0x40]
    jne L7
L8:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L9:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 1 x 64
L10:
    vmovdqu64 zmm0, [rdi]
    prefetcht0 [rdi+0x200]
    vmovntdq [rsi], zmm0
    vmovdqu64 zmm0, [rdi+0x40]
    prefetcht0 [rdi+0x240]
    vmovntdq [rsi+0x40], zmm0
    vmovdqu64 zmm0, [rdi+0x80]
    prefetcht0 [rdi+0x280]
    vmovntdq [rsi+0x80], zmm0
    vmovdqu64 zmm0, [rdi+0xC0]
    prefetcht0 [rdi+0x2C0]
    vmovntdq [rsi+0xC0], zmm0
    add rdi, 0x800000
    add rsi, 0x800000
    dec rcx
    jne L10
    ret
; tile 1 of nest 1: move 1 x 64
L11:
    vmovdqu64 zmm0, [rdi]
    prefetcht0 [rdi+0x200]
    vmovdqu64 [rsi], zmm0
    prefetchw [rsi+0x80]
    vmovdqu64 zmm0, [rdi+0x40]
    prefetcht0 [rdi+0x240]
    vmovdqu64 [rsi+0x40], zmm0
    prefetchw [rsi+0xC0]
    vmovdqu64 zmm0, [rdi+0x80]
    prefetcht0 [rdi+0x280]
    vmovdqu64 [rsi+0x80], zmm0
    prefetchw [rsi+0x100]
    vmovdqu64 zmm0, [rdi+0xC0]
    prefetcht0 [rdi+0x2C0]
    vmovdqu64 [rsi+0xC0], zmm0
    prefetchw [rsi+0x140]
    add rdi, 0x800000
    add rsi, 0x800000
    dec rcx
    jne L11
    ret
; routines
L12:
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

; spr f32:nchw:8x64x128x128 nchw
; 1216 bytes
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
    mov eax, 0x20000
    call L14
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
; loop 1 by 64
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x100
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x100
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
; loop 1 by 64
L1:
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x100
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x100
    add rsi, rcx
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L2
    call L9
L2:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L3:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 64
L4:
    sub rcx, 2
    jl L6
L5:
    vmovdqu64 zmm0, [rdi]
    prefetcht0 [rdi+0x800]
    vmovntdq [rsi], zmm0
    vmovdqu64 zmm0, [rdi+0x40]
    prefetcht0 [rdi+0x840]
    vmovntdq [rsi+0x40], zmm0
    vmovdqu64 zmm0, [rdi+0x80]
    prefetcht0 [rdi+0x880]
    vmovntdq [rsi+0x80], zmm0
    vmovdqu64 zmm0, [rdi+0xC0]
    prefetcht0 [rdi+0x8C0]
    vmovntdq [rsi+0xC0], zmm0
    vmovdqu64 zmm0, [rdi+0x100]
    prefetcht0 [rdi+0x900]
    vmovntdq [rsi+0x100], zmm0
    vmovdqu64 zmm0, [rdi+0x140]
    prefetcht0 [rdi+0x940]
    vmovntdq [rsi+0x140], zmm0
    vmovdqu64 zmm0, [rdi+0x180]
    prefetcht0 [rdi+0x980]
    vmovntdq [rsi+0x180], zmm0
    vmovdqu64 zmm0, [rdi+0x1C0]
    prefetcht0 [rdi+0x9C0]
    vmovntdq [rsi+0x1C0], zmm0
    add rdi, 0x200
    add rsi, 0x200
    sub rcx, 2
    jge L5
L6:
    add rcx, 2
    je L8
L7:
    vmovdqu64 zmm0, [rdi]
    prefetcht0 [rdi+0x800]
    vmovntdq [rsi], zmm0
    vmovdqu64 zmm0, [rdi+0x40]
    prefetcht0 [rdi+0x840]
    vmovntdq [rsi+0x40], zmm0
    vmovdqu64 zmm0, [rdi+0x80]
    prefetcht0 [rdi+0x880]
    vmovntdq [rsi+0x80], zmm0
    vmovdqu64 zmm0, [rdi+0xC0]
    prefetcht0 [rdi+0x8C0]
    vmovntdq [rsi+0xC0], zmm0
    add rdi, 0x100
    add rsi, 0x100
    dec rcx
    jne L7
L8:
    ret
; tile 1 of nest 1: move 64
L9:
    sub rcx, 2
    jl L11
L10:
    vmovdqu64 zmm0, [rdi]
    prefetcht0 [rdi+0x800]
    vmovdqu64 [rsi], zmm0
    prefetchw [rsi+0x80]
    vmovdqu64 zmm0, [rdi+0x40]
    prefetcht0 [rdi+0x840]
    vmovdqu64 [rsi+0x40], zmm0
    prefetchw [rsi+0xC0]
    vmovdqu64 zmm0, [rdi+0x80]
    prefetcht0 [rdi+0x880]
    vmovdqu64 [rsi+0x80], zmm0
    prefetchw [rsi+0x100]
    vmovdqu64 zmm0, [rdi+0xC0]
    prefetcht0 [rdi+0x8C0]
    vmovdqu64 [rsi+0xC0], zmm0
    prefetchw [rsi+0x140]
    vmovdqu64 zmm0, [rdi+0x100]
    prefetcht0 [rdi+0x900]
    vmovdqu64 [rsi+0x100], zmm0
    prefetchw [rsi+0x180]
    vmovdqu64 zmm0, [rdi+0x140]
    prefetcht0 [rdi+0x940]
    vmovdqu64 [rsi+0x140], zmm0
    prefetchw [rsi+0x1C0]
    vmovdqu64 zmm0, [rdi+0x180]
    prefetcht0 [rdi+0x980]
    vmovdqu64 [rsi+0x180], zmm0
    prefetchw [rsi+0x200]
    vmovdqu64 zmm0, [rdi+0x1C0]
    prefetcht0 [rdi+0x9C0]
    vmovdqu64 [rsi+0x1C0], zmm0
    prefetchw [rsi+0x240]
    add rdi, 0x200
    add rsi, 0x200
    sub rcx, 2
    jge L10
L11:
    add rcx, 2
    je L13
L12:
    vmovdqu64 zmm0, [rdi]
    prefetcht0 [rdi+0x800]
    vmovdqu64 [rsi], zmm0
    prefetchw [rsi+0x80]
    vmovdqu64 zmm0, [rdi+0x40]
    prefetcht0 [rdi+0x840]
    vmovdqu64 [rsi+0x40], zmm0
    prefetchw [rsi+0xC0]
    vmovdqu64 zmm0, [rdi+0x80]
    prefetcht0 [rdi+0x880]
    vmovdqu64 [rsi+0x80], zmm0
    prefetchw [rsi+0x100]
    vmovdqu64 zmm0, [rdi+0xC0]
    prefetcht0 [rdi+0x8C0]
    vmovdqu64 [rsi+0xC0], zmm0
    prefetchw [rsi+0x140]
    add rdi, 0x100
    add rsi, 0x100
    dec rcx
    jne L12
L13:
    ret
; routines
L14:
    mov rcx, rax
    cmp qword [r10+0x18], 1
    jne L15
    xor eax, eax
    mov rdx, rcx
    ret
L15:
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

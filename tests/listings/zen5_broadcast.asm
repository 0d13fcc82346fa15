; zen5 f32:strides(0,1,0,0):8x64x56x56 nhwc
; 584 bytes
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
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x6200
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x6200
    call L10
    cmp rax, rdx
    jge L4
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
    imul rcx, 0x100
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
; tile 1 of nest 1: move 1 x 64
L5:
    kmovq k5, [r11]
    sub rcx, 2
    jl L7
L6:
    vmovdqu64 zmm0{k5}{z}, [rdi]
    vmovdqu64 [rsi], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0x40]
    vmovdqu64 [rsi+0x40], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0x80]
    vmovdqu64 [rsi+0x80], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0xC0]
    vmovdqu64 [rsi+0xC0], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi]
    vmovdqu64 [rsi+0x100], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0x40]
    vmovdqu64 [rsi+0x140], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0x80]
    vmovdqu64 [rsi+0x180], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0xC0]
    vmovdqu64 [rsi+0x1C0], zmm0
    add rsi, 0x200
    sub rcx, 2
    jge L6
L7:
    add rcx, 2
    je L9
L8:
    vmovdqu64 zmm0{k5}{z}, [rdi]
    vmovdqu64 [rsi], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0x40]
    vmovdqu64 [rsi+0x40], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0x80]
    vmovdqu64 [rsi+0x80], zmm0
    vmovdqu64 zmm0{k5}{z}, [rdi+0xC0]
    vmovdqu64 [rsi+0xC0], zmm0
    add rsi, 0x100
    dec rcx
    jne L8
L9:
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
    db ff ff ff ff ff ff ff ff

; spr f16:nChw16c:1x64x2x2 bf16:nhwc
; 448 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x1000]
    test [rsp], rsp
    lea rsp, [rbp-0xBC0]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10+0xB00], rdi
    mov [r10+0xB08], rsi
    mov [r10+0xB10], rdx
    mov [r10+0xB18], rcx
; nest 1: move 4(s128,d32) 4(s32,d128) 16(s2,d2), cut at step 1 by 1
    cmp qword [r10+0xB18], 1
    jne L0
    mov edx, 2
    xor eax, eax
    jmp L1
L0:
    mov eax, 2
    call L6
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xB20], rax
    mov [r10+0xB28], rdx
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
; loop 2 by 2
    mov [r10+0xB30], rdi
    mov [r10+0xB38], rsi
    cmp qword [r10+0xB20], 0
    je L2
    mov rcx, [r10+0xB20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xB20]
    imul rcx, 0x100
    add rsi, rcx
L2:
    mov rcx, [r10+0xB28]
    mov rdx, [r10+0xB20]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0xB30]
    mov rsi, [r10+0xB38]
; exit
L4:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 4 x 2 x 16
L5:
    vcvtph2ps zmm27, [rdi]
    vcvtph2ps zmm28, [rdi+0x80]
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
    vmovdqu64 [rsi], zmm27
    vcvtph2ps zmm27, [rdi+0x100]
    vcvtph2ps zmm28, [rdi+0x180]
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
    vmovdqu64 [rsi+0x40], zmm27
    vcvtph2ps zmm27, [rdi+0x20]
    vcvtph2ps zmm28, [rdi+0xA0]
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
    vmovdqu64 [rsi+0x80], zmm27
    vcvtph2ps zmm27, [rdi+0x120]
    vcvtph2ps zmm28, [rdi+0x1A0]
    vcvtne2ps2bf16 zmm27, zmm28, zmm27
    vmovdqu64 [rsi+0xC0], zmm27
    add rdi, 0x40
    add rsi, 0x100
    dec rcx
    jne L5
    ret
; routines
L6:
    mov rcx, rax
    mul qword [r10+0xB10]
    div qword [r10+0xB18]
    mov r8, rax
    mov rax, [r10+0xB10]
    inc rax
    mul rcx
    div qword [r10+0xB18]
    mov rdx, rax
    mov rax, r8
    ret
; constants

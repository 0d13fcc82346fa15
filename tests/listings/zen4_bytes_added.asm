; zen4 u8:ab:32x64 s8:ab --sum=1
; 516 bytes
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
; nest 1: move 2048(s1,d1), cut at step 1 by 1
    cmp qword [r10+0xB18], 1
    jne L0
    mov edx, 8
    xor eax, eax
    jmp L1
L0:
    mov eax, 8
    call L7
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xB20], rax
    mov [r10+0xB28], rdx
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
; loop 1 by 256
    mov [r10+0xB30], rdi
    mov [r10+0xB38], rsi
    cmp qword [r10+0xB20], 0
    je L2
    mov rcx, [r10+0xB20]
    imul rcx, 0x100
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
; tile 1 of nest 1: move 256
L5:
    vpbroadcastd zmm4, [r11]
L6:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x40]
    vmovdqu64 zmm2, [rdi+0x80]
    vmovdqu64 zmm3, [rdi+0xC0]
    vmovdqu64 zmm27, [rsi]
    vpxord zmm27, zmm27, zmm4
    vpaddusb zmm27, zmm27, zmm0
    vpxord zmm27, zmm27, zmm4
    vmovdqu64 [rsi], zmm27
    vmovdqu64 zmm27, [rsi+0x40]
    vpxord zmm27, zmm27, zmm4
    vpaddusb zmm27, zmm27, zmm1
    vpxord zmm27, zmm27, zmm4
    vmovdqu64 [rsi+0x40], zmm27
    vmovdqu64 zmm27, [rsi+0x80]
    vpxord zmm27, zmm27, zmm4
    vpaddusb zmm27, zmm27, zmm2
    vpxord zmm27, zmm27, zmm4
    vmovdqu64 [rsi+0x80], zmm27
    vmovdqu64 zmm27, [rsi+0xC0]
    vpxord zmm27, zmm27, zmm4
    vpaddusb zmm27, zmm27, zmm3
    vpxord zmm27, zmm27, zmm4
    vmovdqu64 [rsi+0xC0], zmm27
    add rdi, 0x100
    add rsi, 0x100
    dec rcx
    jne L6
    ret
; routines
L7:
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
    db 80 80 80 80

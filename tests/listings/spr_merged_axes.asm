; spr u8:bf8_xy16:9x2x33x2 abdc
; 1192 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x100]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10], rdi
    mov [r10+8], rsi
    mov [r10+0x10], rdx
    mov [r10+0x18], rcx
; nest 1: move 9(s640,d132) 2(s16,d66) 2(s0,d33,f0:1) 33(s0,d1,f0:2), cut at steps 1 and 2 by 1
    xor eax, eax
    mov [r10+0x20], rax
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x12
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x12
    call L17
    cmp rax, rdx
    jge L13
L1:
    mov [r10+0x48], rax
    mov [r10+0x50], rdx
L2:
    mov rax, [r10+0x48]
    mov r8, [r10+0x50]
    sub r8, rax
    mov ecx, 0x12
    cmp r8, rcx
    jne L3
    mov [r10+0x48], r8
    mov eax, 9
    mov qword [r10+0x28], 0
    mov [r10+0x30], rax
    mov eax, 2
    mov qword [r10+0x38], 0
    mov [r10+0x40], rax
    jmp L4
L3:
    mov ecx, 2
    xor edx, edx
    div rcx
    mov [r10+0x38], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x48], rcx
    add rdx, rcx
    mov [r10+0x40], rdx
    mov ecx, 9
    xor edx, edx
    div rcx
    mov [r10+0x28], rdx
    inc rdx
    mov [r10+0x30], rdx
L4:
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 1
    mov [r10+0x58], rdi
    mov [r10+0x60], rsi
    cmp qword [r10+0x28], 0
    je L5
    mov rcx, [r10+0x28]
    imul rcx, 0x280
    add rdi, rcx
    mov rcx, [r10+0x28]
    imul rcx, 0x84
    add rsi, rcx
L5:
    mov rcx, [r10+0x30]
    mov rdx, [r10+0x28]
    sub rcx, rdx
    jle L12
    mov [r10+0x68], rcx
; loop 2 by 1
L6:
    mov [r10+0x70], rdi
    mov [r10+0x78], rsi
    cmp qword [r10+0x38], 0
    je L7
    mov rcx, [r10+0x38]
    imul rcx, 0x10
    add rdi, rcx
    mov rcx, [r10+0x38]
    imul rcx, 0x42
    add rsi, rcx
L7:
    mov rcx, [r10+0x40]
    mov rdx, [r10+0x38]
    sub rcx, rdx
    jle L11
    mov [r10+0x80], rcx
; loop 4 by 8
L8:
    mov [r10+0x90], rdi
    mov [r10+0x98], rsi
    mov rax, [r10+0x20]
    mov [r10+0x88], rax
    call L18
    sub rdi, rax
    mov [r10+0xA0], rdi
    mov [r10+0xA8], rsi
    xor eax, eax
    mov [r10+0xB0], rax
    mov eax, 4
    mov [r10+0xB8], rax
L9:
    mov rdi, [r10+0xA0]
    mov rsi, [r10+0xA8]
    mov rcx, [r10+0xB0]
    imul rcx, 8
    add rsi, rcx
    mov rcx, [r10+0xB0]
    imul rcx, 0x10
    mov rax, [r10+0x88]
    add rax, rcx
    mov [r10+0x20], rax
    call L18
    add rdi, rax
    mov ecx, 1
    call L14
    mov rax, [r10+0xB0]
    add rax, 1
    mov [r10+0xB0], rax
    cmp rax, [r10+0xB8]
    jl L9
    mov eax, 4
    mov [r10+0xB0], rax
    mov eax, 5
    mov [r10+0xB8], rax
L10:
    mov rdi, [r10+0xA0]
    mov rsi, [r10+0xA8]
    mov rcx, [r10+0xB0]
    imul rcx, 8
    add rsi, rcx
    mov rcx, [r10+0xB0]
    imul rcx, 0x10
    mov rax, [r10+0x88]
    add rax, rcx
    mov [r10+0x20], rax
    call L18
    add rdi, rax
    mov ecx, 1
    call L15
    mov rax, [r10+0xB0]
    add rax, 1
    mov [r10+0xB0], rax
    cmp rax, [r10+0xB8]
    jl L10
    mov rax, [r10+0x88]
    mov [r10+0x20], rax
    mov rdi, [r10+0x90]
    mov rsi, [r10+0x98]
    add rdi, 0x10
    add rsi, 0x42
    dec qword [r10+0x80]
    jne L8
L11:
    mov rdi, [r10+0x70]
    mov rsi, [r10+0x78]
    add rdi, 0x280
    add rsi, 0x84
    dec qword [r10+0x68]
    jne L6
L12:
    mov rdi, [r10+0x58]
    mov rsi, [r10+0x60]
    mov rax, [r10+0x48]
    cmp rax, [r10+0x50]
    jl L2
; exit
L13:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 1 x 2 x 8
L14:
    vmovdqu64 xmm0, [rdi]
    vpshufb xmm1, xmm0, [r11]
    vmovq [rsi], xmm1
    vpshufb xmm0, xmm0, [r11+0x10]
    vmovq [rsi+0x21], xmm0
    dec rcx
    jne L14
    ret
; tile 2 of nest 1: move 1 x 1 x 2 x 1
L15:
    kmovq k1, [r11+0x20]
L16:
    vmovdqu8 xmm0{k1}{z}, [rdi]
    vmovdqu8 [rsi]{k1}, xmm0
    vmovdqu8 xmm0{k1}{z}, [rdi+1]
    vmovdqu8 [rsi+0x21]{k1}, xmm0
    dec rcx
    jne L16
    ret
; routines
L17:
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
L18:
    xor r8d, r8d
    mov rdx, rax
    and edx, 0xF
    sar rax, 4
    mov rcx, rdx
    mov rdx, rax
    mov rax, rdx
    add r8, rcx
    mov rcx, rax
    imul rcx, 0x80
    lea rax, [rcx+r8]
    ret
; constants
    db 00 02 04 06 08 0a 0c 0e 08 09 0a 0b 0c 0d 0e 0f 01 03 05 07 09 0b 0d 0f 08 09 0a 0b 0c 0d 0e 0f
    db 01 00 00 00 00 00 00 00

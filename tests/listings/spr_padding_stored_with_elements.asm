; spr f32:nchw:1x3x8x8 nChw16c
; 1088 bytes
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
; nest 1: move 64(s4,d64) 16(s256,d4)[0..3], cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 4
    xor eax, eax
    jmp L1
L0:
    mov eax, 4
    call L7
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    cmp qword [r10+0x20], 0
    je L2
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x400
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
; tile 1 of nest 1: move 16 x 3 of 16
L5:
    vpbroadcastd zmm2, [r11]
    vmovdqu64 zmm3, [r11+0x40]
    vmovdqu64 zmm4, [r11+0x80]
    vmovdqu64 zmm5, [r11+0xC0]
    vmovdqu64 zmm6, [r11+0x100]
    kmovq k1, [r11+8]
    kmovq k2, [r11+0x10]
    kmovq k3, [r11+0x18]
L6:
    vmovdqu64 xmm0, [rdi]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x100]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x200]
    vpermd zmm1, zmm3, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi], zmm31
    vpermd zmm1, zmm4, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x40], zmm31
    vpermd zmm1, zmm5, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x80], zmm31
    vpermd zmm0, zmm6, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm0
    vmovdqu64 [rsi+0xC0], zmm31
    vmovdqu64 xmm0, [rdi+0x10]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x110]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x210]
    vpermd zmm1, zmm3, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x100], zmm31
    vpermd zmm1, zmm4, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x140], zmm31
    vpermd zmm1, zmm5, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x180], zmm31
    vpermd zmm0, zmm6, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm0
    vmovdqu64 [rsi+0x1C0], zmm31
    vmovdqu64 xmm0, [rdi+0x20]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x120]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x220]
    vpermd zmm1, zmm3, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x200], zmm31
    vpermd zmm1, zmm4, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x240], zmm31
    vpermd zmm1, zmm5, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x280], zmm31
    vpermd zmm0, zmm6, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm0
    vmovdqu64 [rsi+0x2C0], zmm31
    vmovdqu64 xmm0, [rdi+0x30]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x130]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x230]
    vpermd zmm1, zmm3, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x300], zmm31
    vpermd zmm1, zmm4, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x340], zmm31
    vpermd zmm1, zmm5, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm1
    vmovdqu64 [rsi+0x380], zmm31
    vpermd zmm0, zmm6, zmm0
    vmovdqu8 zmm31{k3}{z}, zmm0
    vmovdqu64 [rsi+0x3C0], zmm31
    add rdi, 0x40
    add rsi, 0x400
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
    db 00 00 00 00 00 00 00 00 f0 00 00 00 00 00 00 00 00 0f 00 00 00 00 00 00 ff 0f 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 04 00 00 00 08 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00
    db 08 00 00 00 09 00 00 00 0a 00 00 00 0b 00 00 00 0c 00 00 00 0d 00 00 00 0e 00 00 00 0f 00 00 00
    db 01 00 00 00 05 00 00 00 09 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00
    db 08 00 00 00 09 00 00 00 0a 00 00 00 0b 00 00 00 0c 00 00 00 0d 00 00 00 0e 00 00 00 0f 00 00 00
    db 02 00 00 00 06 00 00 00 0a 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00
    db 08 00 00 00 09 00 00 00 0a 00 00 00 0b 00 00 00 0c 00 00 00 0d 00 00 00 0e 00 00 00 0f 00 00 00
    db 03 00 00 00 07 00 00 00 0b 00 00 00 03 00 00 00 04 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00
    db 08 00 00 00 09 00 00 00 0a 00 00 00 0b 00 00 00 0c 00 00 00 0d 00 00 00 0e 00 00 00 0f 00 00 00

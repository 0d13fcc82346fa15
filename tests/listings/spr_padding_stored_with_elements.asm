; spr f32:nchw:1x3x8x8 nChw16c
; 1000 bytes
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
    mov eax, 4
    call L4
    cmp rax, rdx
    jge L1
    mov [r10+0x20], rax
    mov [r10+0x28], rdx
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 16
    mov [r10+0x30], rdi
    mov [r10+0x38], rsi
    mov rcx, [r10+0x20]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x400
    add rsi, rcx
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L0
    call L2
L0:
    mov rdi, [r10+0x30]
    mov rsi, [r10+0x38]
; exit
L1:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 16 x 3 of 16
L2:
    vpbroadcastd zmm1, [r11]
    kmovq k1, [r11+8]
    kmovq k2, [r11+0x10]
    kmovq k3, [r11+0x18]
    kmovq k4, [r11+0x20]
L3:
    vmovd xmm0, [rdi]
    vpbroadcastd zmm0{k1}, [rdi+0x100]
    vpbroadcastd zmm0{k2}, [rdi+0x200]
    vmovdqu32 [rsi]{k3}, zmm0
    vmovdqu32 [rsi]{k4}, zmm1
    vmovd xmm0, [rdi+4]
    vpbroadcastd zmm0{k1}, [rdi+0x104]
    vpbroadcastd zmm0{k2}, [rdi+0x204]
    vmovdqu32 [rsi+0x40]{k3}, zmm0
    vmovdqu32 [rsi+0x40]{k4}, zmm1
    vmovd xmm0, [rdi+8]
    vpbroadcastd zmm0{k1}, [rdi+0x108]
    vpbroadcastd zmm0{k2}, [rdi+0x208]
    vmovdqu32 [rsi+0x80]{k3}, zmm0
    vmovdqu32 [rsi+0x80]{k4}, zmm1
    vmovd xmm0, [rdi+0xC]
    vpbroadcastd zmm0{k1}, [rdi+0x10C]
    vpbroadcastd zmm0{k2}, [rdi+0x20C]
    vmovdqu32 [rsi+0xC0]{k3}, zmm0
    vmovdqu32 [rsi+0xC0]{k4}, zmm1
    vmovd xmm0, [rdi+0x10]
    vpbroadcastd zmm0{k1}, [rdi+0x110]
    vpbroadcastd zmm0{k2}, [rdi+0x210]
    vmovdqu32 [rsi+0x100]{k3}, zmm0
    vmovdqu32 [rsi+0x100]{k4}, zmm1
    vmovd xmm0, [rdi+0x14]
    vpbroadcastd zmm0{k1}, [rdi+0x114]
    vpbroadcastd zmm0{k2}, [rdi+0x214]
    vmovdqu32 [rsi+0x140]{k3}, zmm0
    vmovdqu32 [rsi+0x140]{k4}, zmm1
    vmovd xmm0, [rdi+0x18]
    vpbroadcastd zmm0{k1}, [rdi+0x118]
    vpbroadcastd zmm0{k2}, [rdi+0x218]
    vmovdqu32 [rsi+0x180]{k3}, zmm0
    vmovdqu32 [rsi+0x180]{k4}, zmm1
    vmovd xmm0, [rdi+0x1C]
    vpbroadcastd zmm0{k1}, [rdi+0x11C]
    vpbroadcastd zmm0{k2}, [rdi+0x21C]
    vmovdqu32 [rsi+0x1C0]{k3}, zmm0
    vmovdqu32 [rsi+0x1C0]{k4}, zmm1
    vmovd xmm0, [rdi+0x20]
    vpbroadcastd zmm0{k1}, [rdi+0x120]
    vpbroadcastd zmm0{k2}, [rdi+0x220]
    vmovdqu32 [rsi+0x200]{k3}, zmm0
    vmovdqu32 [rsi+0x200]{k4}, zmm1
    vmovd xmm0, [rdi+0x24]
    vpbroadcastd zmm0{k1}, [rdi+0x124]
    vpbroadcastd zmm0{k2}, [rdi+0x224]
    vmovdqu32 [rsi+0x240]{k3}, zmm0
    vmovdqu32 [rsi+0x240]{k4}, zmm1
    vmovd xmm0, [rdi+0x28]
    vpbroadcastd zmm0{k1}, [rdi+0x128]
    vpbroadcastd zmm0{k2}, [rdi+0x228]
    vmovdqu32 [rsi+0x280]{k3}, zmm0
    vmovdqu32 [rsi+0x280]{k4}, zmm1
    vmovd xmm0, [rdi+0x2C]
    vpbroadcastd zmm0{k1}, [rdi+0x12C]
    vpbroadcastd zmm0{k2}, [rdi+0x22C]
    vmovdqu32 [rsi+0x2C0]{k3}, zmm0
    vmovdqu32 [rsi+0x2C0]{k4}, zmm1
    vmovd xmm0, [rdi+0x30]
    vpbroadcastd zmm0{k1}, [rdi+0x130]
    vpbroadcastd zmm0{k2}, [rdi+0x230]
    vmovdqu32 [rsi+0x300]{k3}, zmm0
    vmovdqu32 [rsi+0x300]{k4}, zmm1
    vmovd xmm0, [rdi+0x34]
    vpbroadcastd zmm0{k1}, [rdi+0x134]
    vpbroadcastd zmm0{k2}, [rdi+0x234]
    vmovdqu32 [rsi+0x340]{k3}, zmm0
    vmovdqu32 [rsi+0x340]{k4}, zmm1
    vmovd xmm0, [rdi+0x38]
    vpbroadcastd zmm0{k1}, [rdi+0x138]
    vpbroadcastd zmm0{k2}, [rdi+0x238]
    vmovdqu32 [rsi+0x380]{k3}, zmm0
    vmovdqu32 [rsi+0x380]{k4}, zmm1
    vmovd xmm0, [rdi+0x3C]
    vpbroadcastd zmm0{k1}, [rdi+0x13C]
    vpbroadcastd zmm0{k2}, [rdi+0x23C]
    vmovdqu32 [rsi+0x3C0]{k3}, zmm0
    vmovdqu32 [rsi+0x3C0]{k4}, zmm1
    add rdi, 0x40
    add rsi, 0x400
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
    db 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 07 00 00 00 00 00 00 00
    db f8 ff 00 00 00 00 00 00

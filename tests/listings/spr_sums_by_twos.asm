; spr s8:oiw:32x32x1 s8:OIw16i32o2i --comp=s8s8:1
; 1856 bytes
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
    mov [r10+0xB18], rdx
    mov [r10+0xB20], rcx
    mov [r10+0xB28], rbx
    mov rax, [r8+0x30]
    mov [r10+0xB10], rax
; nest 1: move 32(s32,d2,cs4) 16(s2,d64) 2(s1,d1), shared from step 0
    cmp qword [r10+0xB20], 1
    jne L0
    mov eax, 1
    mov qword [r10+0xB30], 0
    mov [r10+0xB38], rax
    jmp L1
L0:
    mov eax, 1
    call L7
    mov ecx, 0x40
    imul rax, rcx
    imul rdx, rcx
    xor ecx, ecx
    xor r8d, r8d
    sub rax, rcx
    cmovl rax, r8
    sub rdx, rcx
    mov ecx, 0x20
    cmp rdx, rcx
    cmovg rdx, rcx
    cmp rax, rdx
    jge L4
    mov [r10+0xB38], rdx
    mov ecx, 0x20
    xor edx, edx
    div rcx
    mov r8, rax
    mov rax, [r10+0xB38]
    add rax, rcx
    dec rax
    xor edx, edx
    div rcx
    mov [r10+0xB38], rax
    mov rax, r8
    mov [r10+0xB30], rax
L1:
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov rbx, [r10+0xB10]
; loop 1 by 32
    mov [r10+0xB40], rdi
    mov [r10+0xB48], rsi
    mov [r10+0xB50], rbx
    cmp qword [r10+0xB30], 0
    je L2
    mov rcx, [r10+0xB30]
    imul rcx, 0x400
    add rdi, rcx
    mov rcx, [r10+0xB30]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0xB30]
    imul rcx, 0x80
    add rbx, rcx
L2:
    mov rcx, [r10+0xB38]
    mov rdx, [r10+0xB30]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0xB40]
    mov rsi, [r10+0xB48]
    mov rbx, [r10+0xB50]
; exit
L4:
    mov rbx, [r10+0xB28]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 32 x 16 x 2
L5:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
    kmovq k3, [r11+0x10]
L6:
    vmovdqu64 xmm0, [rdi]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x100]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x200]
    vbroadcasti32x4 zmm0{k3}, [rdi+0x300]
    vmovdqu64 xmm1, [rdi+0x40]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x140]
    vbroadcasti32x4 zmm1{k2}, [rdi+0x240]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x340]
    vmovdqu64 xmm2, [rdi+0x20]
    vbroadcasti32x4 zmm2{k1}, [rdi+0x120]
    vbroadcasti32x4 zmm2{k2}, [rdi+0x220]
    vbroadcasti32x4 zmm2{k3}, [rdi+0x320]
    vmovdqu64 xmm3, [rdi+0x60]
    vbroadcasti32x4 zmm3{k1}, [rdi+0x160]
    vbroadcasti32x4 zmm3{k2}, [rdi+0x260]
    vbroadcasti32x4 zmm3{k3}, [rdi+0x360]
    vmovdqu64 xmm4, [rdi+0x80]
    vbroadcasti32x4 zmm4{k1}, [rdi+0x180]
    vbroadcasti32x4 zmm4{k2}, [rdi+0x280]
    vbroadcasti32x4 zmm4{k3}, [rdi+0x380]
    vmovdqu64 xmm5, [rdi+0xC0]
    vbroadcasti32x4 zmm5{k1}, [rdi+0x1C0]
    vbroadcasti32x4 zmm5{k2}, [rdi+0x2C0]
    vbroadcasti32x4 zmm5{k3}, [rdi+0x3C0]
    vmovdqu64 xmm6, [rdi+0xA0]
    vbroadcasti32x4 zmm6{k1}, [rdi+0x1A0]
    vbroadcasti32x4 zmm6{k2}, [rdi+0x2A0]
    vbroadcasti32x4 zmm6{k3}, [rdi+0x3A0]
    vmovdqu64 xmm7, [rdi+0xE0]
    vbroadcasti32x4 zmm7{k1}, [rdi+0x1E0]
    vbroadcasti32x4 zmm7{k2}, [rdi+0x2E0]
    vbroadcasti32x4 zmm7{k3}, [rdi+0x3E0]
    vpunpckldq zmm8, zmm0, zmm1
    vpunpckhdq zmm0, zmm0, zmm1
    vpunpckldq zmm1, zmm2, zmm3
    vpunpckhdq zmm2, zmm2, zmm3
    vpunpckldq zmm3, zmm4, zmm5
    vpunpckhdq zmm4, zmm4, zmm5
    vpunpckldq zmm5, zmm6, zmm7
    vpunpckhdq zmm6, zmm6, zmm7
    vpunpcklwd zmm7, zmm8, zmm1
    vpunpckhwd zmm1, zmm8, zmm1
    vpunpcklwd zmm8, zmm0, zmm2
    vpunpckhwd zmm0, zmm0, zmm2
    vpunpcklwd zmm2, zmm3, zmm5
    vpunpckhwd zmm3, zmm3, zmm5
    vpunpcklwd zmm5, zmm4, zmm6
    vpunpckhwd zmm4, zmm4, zmm6
    vshufps zmm6, zmm7, zmm2, 0x88
    vshufps zmm2, zmm7, zmm2, 0xDD
    vshufps zmm7, zmm8, zmm5, 0x88
    vshufps zmm5, zmm8, zmm5, 0xDD
    vshufps zmm8, zmm1, zmm3, 0x88
    vshufps zmm1, zmm1, zmm3, 0xDD
    vshufps zmm3, zmm0, zmm4, 0x88
    vshufps zmm0, zmm0, zmm4, 0xDD
    vmovdqu64 [rsi], zmm6
    vmovdqu64 [rsi+0x40], zmm2
    vmovdqu64 [rsi+0x80], zmm8
    vmovdqu64 [rsi+0xC0], zmm1
    vmovdqu64 [rsi+0x100], zmm7
    vmovdqu64 [rsi+0x140], zmm5
    vmovdqu64 [rsi+0x180], zmm3
    vmovdqu64 [rsi+0x1C0], zmm0
    vmovdqu64 xmm0, [rdi+0x10]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x110]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x210]
    vbroadcasti32x4 zmm0{k3}, [rdi+0x310]
    vmovdqu64 xmm1, [rdi+0x50]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x150]
    vbroadcasti32x4 zmm1{k2}, [rdi+0x250]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x350]
    vmovdqu64 xmm2, [rdi+0x30]
    vbroadcasti32x4 zmm2{k1}, [rdi+0x130]
    vbroadcasti32x4 zmm2{k2}, [rdi+0x230]
    vbroadcasti32x4 zmm2{k3}, [rdi+0x330]
    vmovdqu64 xmm3, [rdi+0x70]
    vbroadcasti32x4 zmm3{k1}, [rdi+0x170]
    vbroadcasti32x4 zmm3{k2}, [rdi+0x270]
    vbroadcasti32x4 zmm3{k3}, [rdi+0x370]
    vmovdqu64 xmm4, [rdi+0x90]
    vbroadcasti32x4 zmm4{k1}, [rdi+0x190]
    vbroadcasti32x4 zmm4{k2}, [rdi+0x290]
    vbroadcasti32x4 zmm4{k3}, [rdi+0x390]
    vmovdqu64 xmm5, [rdi+0xD0]
    vbroadcasti32x4 zmm5{k1}, [rdi+0x1D0]
    vbroadcasti32x4 zmm5{k2}, [rdi+0x2D0]
    vbroadcasti32x4 zmm5{k3}, [rdi+0x3D0]
    vmovdqu64 xmm6, [rdi+0xB0]
    vbroadcasti32x4 zmm6{k1}, [rdi+0x1B0]
    vbroadcasti32x4 zmm6{k2}, [rdi+0x2B0]
    vbroadcasti32x4 zmm6{k3}, [rdi+0x3B0]
    vmovdqu64 xmm7, [rdi+0xF0]
    vbroadcasti32x4 zmm7{k1}, [rdi+0x1F0]
    vbroadcasti32x4 zmm7{k2}, [rdi+0x2F0]
    vbroadcasti32x4 zmm7{k3}, [rdi+0x3F0]
    vpunpckldq zmm8, zmm0, zmm1
    vpunpckhdq zmm0, zmm0, zmm1
    vpunpckldq zmm1, zmm2, zmm3
    vpunpckhdq zmm2, zmm2, zmm3
    vpunpckldq zmm3, zmm4, zmm5
    vpunpckhdq zmm4, zmm4, zmm5
    vpunpckldq zmm5, zmm6, zmm7
    vpunpckhdq zmm6, zmm6, zmm7
    vpunpcklwd zmm7, zmm8, zmm1
    vpunpckhwd zmm1, zmm8, zmm1
    vpunpcklwd zmm8, zmm0, zmm2
    vpunpckhwd zmm0, zmm0, zmm2
    vpunpcklwd zmm2, zmm3, zmm5
    vpunpckhwd zmm3, zmm3, zmm5
    vpunpcklwd zmm5, zmm4, zmm6
    vpunpckhwd zmm4, zmm4, zmm6
    vshufps zmm6, zmm7, zmm2, 0x88
    vshufps zmm2, zmm7, zmm2, 0xDD
    vshufps zmm7, zmm8, zmm5, 0x88
    vshufps zmm5, zmm8, zmm5, 0xDD
    vshufps zmm8, zmm1, zmm3, 0x88
    vshufps zmm1, zmm1, zmm3, 0xDD
    vshufps zmm3, zmm0, zmm4, 0x88
    vshufps zmm0, zmm0, zmm4, 0xDD
    vmovdqu64 [rsi+0x200], zmm6
    vmovdqu64 [rsi+0x240], zmm2
    vmovdqu64 [rsi+0x280], zmm8
    vmovdqu64 [rsi+0x2C0], zmm1
    vmovdqu64 [rsi+0x300], zmm7
    vmovdqu64 [rsi+0x340], zmm5
    vmovdqu64 [rsi+0x380], zmm3
    vmovdqu64 [rsi+0x3C0], zmm0
    vmovdqu64 zmm31, [r11+0x40]
    vpmaddubsw zmm27, zmm31, [rsi]
    vpmaddubsw zmm28, zmm31, [rsi+0x40]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x80]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0xC0]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x100]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x140]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x180]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x1C0]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x200]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x240]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x280]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x2C0]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x300]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x340]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x380]
    vpaddw zmm27, zmm27, zmm28
    vpmaddubsw zmm28, zmm31, [rsi+0x3C0]
    vpaddw zmm27, zmm27, zmm28
    vmovdqu64 [r10+0x900], zmm27
    vpmovsxwd zmm27, [r10+0x900]
    vpslld zmm31, zmm27, 7
    vmovdqu64 zmm30, [rbx]
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx], zmm30
    vpmovsxwd zmm27, [r10+0x920]
    vpslld zmm31, zmm27, 7
    vmovdqu64 zmm30, [rbx+0x40]
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0x40], zmm30
    add rdi, 0x400
    add rsi, 0x40
    add rbx, 0x80
    dec rcx
    jne L6
    ret
; routines
L7:
    mov rcx, rax
    mul qword [r10+0xB18]
    div qword [r10+0xB20]
    mov r8, rax
    mov rax, [r10+0xB18]
    inc rax
    mul rcx
    div qword [r10+0xB20]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db f0 00 00 00 00 00 00 00 00 0f 00 00 00 00 00 00 00 f0 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01

; spr u8:nchw:1x64x56x56 nhwc
; 1688 bytes
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
; nest 1: move 3136(s1,d64) 64(s3136,d1), cut at step 1 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0xC4
    xor eax, eax
    jmp L1
L0:
    mov eax, 0xC4
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
    imul rcx, 0x10
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
; tile 1 of nest 1: move 16 x 64
L5:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
    kmovq k3, [r11+0x10]
L6:
    vmovdqu64 xmm0, [rdi]
    vbroadcasti32x4 zmm0{k1}, [rdi+0xC400]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x18800]
    vbroadcasti32x4 zmm0{k3}, [rdi+0x24C00]
    vmovdqu64 xmm1, [rdi+0x3100]
    vbroadcasti32x4 zmm1{k1}, [rdi+0xF500]
    vbroadcasti32x4 zmm1{k2}, [rdi+0x1B900]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x27D00]
    vmovdqu64 xmm2, [rdi+0xC40]
    vbroadcasti32x4 zmm2{k1}, [rdi+0xD040]
    vbroadcasti32x4 zmm2{k2}, [rdi+0x19440]
    vbroadcasti32x4 zmm2{k3}, [rdi+0x25840]
    vmovdqu64 xmm3, [rdi+0x3D40]
    vbroadcasti32x4 zmm3{k1}, [rdi+0x10140]
    vbroadcasti32x4 zmm3{k2}, [rdi+0x1C540]
    vbroadcasti32x4 zmm3{k3}, [rdi+0x28940]
    vmovdqu64 xmm4, [rdi+0x1880]
    vbroadcasti32x4 zmm4{k1}, [rdi+0xDC80]
    vbroadcasti32x4 zmm4{k2}, [rdi+0x1A080]
    vbroadcasti32x4 zmm4{k3}, [rdi+0x26480]
    vmovdqu64 xmm5, [rdi+0x4980]
    vbroadcasti32x4 zmm5{k1}, [rdi+0x10D80]
    vbroadcasti32x4 zmm5{k2}, [rdi+0x1D180]
    vbroadcasti32x4 zmm5{k3}, [rdi+0x29580]
    vmovdqu64 xmm6, [rdi+0x24C0]
    vbroadcasti32x4 zmm6{k1}, [rdi+0xE8C0]
    vbroadcasti32x4 zmm6{k2}, [rdi+0x1ACC0]
    vbroadcasti32x4 zmm6{k3}, [rdi+0x270C0]
    vmovdqu64 xmm7, [rdi+0x55C0]
    vbroadcasti32x4 zmm7{k1}, [rdi+0x119C0]
    vbroadcasti32x4 zmm7{k2}, [rdi+0x1DDC0]
    vbroadcasti32x4 zmm7{k3}, [rdi+0x2A1C0]
    vmovdqu64 xmm8, [rdi+0x6200]
    vbroadcasti32x4 zmm8{k1}, [rdi+0x12600]
    vbroadcasti32x4 zmm8{k2}, [rdi+0x1EA00]
    vbroadcasti32x4 zmm8{k3}, [rdi+0x2AE00]
    vmovdqu64 xmm9, [rdi+0x9300]
    vbroadcasti32x4 zmm9{k1}, [rdi+0x15700]
    vbroadcasti32x4 zmm9{k2}, [rdi+0x21B00]
    vbroadcasti32x4 zmm9{k3}, [rdi+0x2DF00]
    vmovdqu64 xmm10, [rdi+0x6E40]
    vbroadcasti32x4 zmm10{k1}, [rdi+0x13240]
    vbroadcasti32x4 zmm10{k2}, [rdi+0x1F640]
    vbroadcasti32x4 zmm10{k3}, [rdi+0x2BA40]
    vmovdqu64 xmm11, [rdi+0x9F40]
    vbroadcasti32x4 zmm11{k1}, [rdi+0x16340]
    vbroadcasti32x4 zmm11{k2}, [rdi+0x22740]
    vbroadcasti32x4 zmm11{k3}, [rdi+0x2EB40]
    vmovdqu64 xmm12, [rdi+0x7A80]
    vbroadcasti32x4 zmm12{k1}, [rdi+0x13E80]
    vbroadcasti32x4 zmm12{k2}, [rdi+0x20280]
    vbroadcasti32x4 zmm12{k3}, [rdi+0x2C680]
    vmovdqu64 xmm13, [rdi+0xAB80]
    vbroadcasti32x4 zmm13{k1}, [rdi+0x16F80]
    vbroadcasti32x4 zmm13{k2}, [rdi+0x23380]
    vbroadcasti32x4 zmm13{k3}, [rdi+0x2F780]
    vmovdqu64 xmm14, [rdi+0x86C0]
    vbroadcasti32x4 zmm14{k1}, [rdi+0x14AC0]
    vbroadcasti32x4 zmm14{k2}, [rdi+0x20EC0]
    vbroadcasti32x4 zmm14{k3}, [rdi+0x2D2C0]
    vmovdqu64 xmm15, [rdi+0xB7C0]
    vbroadcasti32x4 zmm15{k1}, [rdi+0x17BC0]
    vbroadcasti32x4 zmm15{k2}, [rdi+0x23FC0]
    vbroadcasti32x4 zmm15{k3}, [rdi+0x303C0]
    vpunpcklwd zmm16, zmm0, zmm1
    vpunpckhwd zmm0, zmm0, zmm1
    vpunpcklwd zmm1, zmm2, zmm3
    vpunpckhwd zmm2, zmm2, zmm3
    vpunpcklwd zmm3, zmm4, zmm5
    vpunpckhwd zmm4, zmm4, zmm5
    vpunpcklwd zmm5, zmm6, zmm7
    vpunpckhwd zmm6, zmm6, zmm7
    vpunpcklwd zmm7, zmm8, zmm9
    vpunpckhwd zmm8, zmm8, zmm9
    vpunpcklwd zmm9, zmm10, zmm11
    vpunpckhwd zmm10, zmm10, zmm11
    vpunpcklwd zmm11, zmm12, zmm13
    vpunpckhwd zmm12, zmm12, zmm13
    vpunpcklwd zmm13, zmm14, zmm15
    vpunpckhwd zmm14, zmm14, zmm15
    vpunpcklbw zmm15, zmm16, zmm1
    vpunpckhbw zmm1, zmm16, zmm1
    vpunpcklbw zmm16, zmm0, zmm2
    vpunpckhbw zmm0, zmm0, zmm2
    vpunpcklbw zmm2, zmm3, zmm5
    vpunpckhbw zmm3, zmm3, zmm5
    vpunpcklbw zmm5, zmm4, zmm6
    vpunpckhbw zmm4, zmm4, zmm6
    vpunpcklbw zmm6, zmm7, zmm9
    vpunpckhbw zmm7, zmm7, zmm9
    vpunpcklbw zmm9, zmm8, zmm10
    vpunpckhbw zmm8, zmm8, zmm10
    vpunpcklbw zmm10, zmm11, zmm13
    vpunpckhbw zmm11, zmm11, zmm13
    vpunpcklbw zmm13, zmm12, zmm14
    vpunpckhbw zmm12, zmm12, zmm14
    vpunpcklwd zmm14, zmm15, zmm2
    vpunpckhwd zmm2, zmm15, zmm2
    vpunpcklwd zmm15, zmm16, zmm5
    vpunpckhwd zmm5, zmm16, zmm5
    vpunpcklwd zmm16, zmm1, zmm3
    vpunpckhwd zmm1, zmm1, zmm3
    vpunpcklwd zmm3, zmm0, zmm4
    vpunpckhwd zmm0, zmm0, zmm4
    vpunpcklwd zmm4, zmm6, zmm10
    vpunpckhwd zmm6, zmm6, zmm10
    vpunpcklwd zmm10, zmm9, zmm13
    vpunpckhwd zmm9, zmm9, zmm13
    vpunpcklwd zmm13, zmm7, zmm11
    vpunpckhwd zmm7, zmm7, zmm11
    vpunpcklwd zmm11, zmm8, zmm12
    vpunpckhwd zmm8, zmm8, zmm12
    vshufps zmm12, zmm14, zmm4, 0x88
    vshufps zmm4, zmm14, zmm4, 0xDD
    vshufps zmm14, zmm15, zmm10, 0x88
    vshufps zmm10, zmm15, zmm10, 0xDD
    vshufps zmm15, zmm16, zmm13, 0x88
    vshufps zmm13, zmm16, zmm13, 0xDD
    vshufps zmm16, zmm3, zmm11, 0x88
    vshufps zmm3, zmm3, zmm11, 0xDD
    vshufps zmm11, zmm2, zmm6, 0x88
    vshufps zmm2, zmm2, zmm6, 0xDD
    vshufps zmm6, zmm5, zmm9, 0x88
    vshufps zmm5, zmm5, zmm9, 0xDD
    vshufps zmm9, zmm1, zmm7, 0x88
    vshufps zmm1, zmm1, zmm7, 0xDD
    vshufps zmm7, zmm0, zmm8, 0x88
    vshufps zmm0, zmm0, zmm8, 0xDD
    vmovdqu64 [rsi], zmm12
    prefetchw [rsi+0x80]
    vmovdqu64 [rsi+0x40], zmm4
    prefetchw [rsi+0xC0]
    vmovdqu64 [rsi+0x80], zmm11
    prefetchw [rsi+0x100]
    vmovdqu64 [rsi+0xC0], zmm2
    prefetchw [rsi+0x140]
    vmovdqu64 [rsi+0x100], zmm15
    prefetchw [rsi+0x180]
    vmovdqu64 [rsi+0x140], zmm13
    prefetchw [rsi+0x1C0]
    vmovdqu64 [rsi+0x180], zmm9
    prefetchw [rsi+0x200]
    vmovdqu64 [rsi+0x1C0], zmm1
    prefetchw [rsi+0x240]
    vmovdqu64 [rsi+0x200], zmm14
    prefetchw [rsi+0x280]
    vmovdqu64 [rsi+0x240], zmm10
    prefetchw [rsi+0x2C0]
    vmovdqu64 [rsi+0x280], zmm6
    prefetchw [rsi+0x300]
    vmovdqu64 [rsi+0x2C0], zmm5
    prefetchw [rsi+0x340]
    vmovdqu64 [rsi+0x300], zmm16
    prefetchw [rsi+0x380]
    vmovdqu64 [rsi+0x340], zmm3
    prefetchw [rsi+0x3C0]
    vmovdqu64 [rsi+0x380], zmm7
    prefetchw [rsi+0x400]
    vmovdqu64 [rsi+0x3C0], zmm0
    prefetchw [rsi+0x440]
    add rdi, 0x10
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
    db f0 00 00 00 00 00 00 00 00 0f 00 00 00 00 00 00 00 f0 00 00 00 00 00 00

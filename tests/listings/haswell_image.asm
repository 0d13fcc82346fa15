; haswell u8:nhwc:1x3x2x4 bf16:nChw16c --src-scale=mask:2 --src-zp=mask:2
; 1920 bytes
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
    mov [r10+0xB20], rdx
    mov [r10+0xB28], rcx
    mov [r10+0xB38], rbx
    mov [r10+0xB40], r12
    mov rax, [r8+0x10]
    mov [r10+0xB10], rax
    mov rax, [r8+0x20]
    mov [r10+0xB18], rax
    mov rax, [r8+0x40]
    mov [r10+0xB30], rax
; nest 1: move 8(s3,d32) 16(s1,d2,ss1,sz1)[0..3]
    cmp qword [r10+0xB20], 0
    jne L0
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
    mov rbx, [r10+0xB10]
    mov r12, [r10+0xB18]
    mov ecx, 1
    call L1
; exit
L0:
    mov rbx, [r10+0xB38]
    mov r12, [r10+0xB40]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 8 x 3 of 16
L1:
    cmp qword [r10+0xB30], 0
    jne L3
    vmovdqu ymm1, [r11]
    vpbroadcastd ymm2, [r11+0x20]
    vpbroadcastd ymm3, [r11+0x24]
    vmovdqu ymm4, [rbx]
    vmovdqu ymm5, [r12]
L2:
    vpmovzxbd xmm11, [rdi]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi], ymm0
    vpmovzxbd xmm11, [rdi+3]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0x20], ymm0
    vpmovzxbd xmm11, [rdi+6]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0x40], ymm0
    vpmovzxbd xmm11, [rdi+9]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0x60], ymm0
    vpmovzxbd xmm11, [rdi+0xC]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0x80], ymm0
    vpmovzxbd xmm11, [rdi+0xF]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0xA0], ymm0
    vpmovzxbd xmm11, [rdi+0x12]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0xC0], ymm0
    vpxor xmm11, xmm11, xmm11
    vpinsrw xmm11, xmm11, [rdi+0x15], 0
    vpinsrb xmm11, xmm11, [rdi+0x17], 2
    vpmovzxbd ymm11, xmm11
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0xE0], ymm0
    dec rcx
    jne L2
    ret
; the same, whatever there is
L3:
    vmovdqu ymm1, [r11]
    vpbroadcastd ymm2, [r11+0x20]
    vpbroadcastd ymm3, [r11+0x24]
    vmovdqu ymm4, [rbx]
    vmovdqu ymm5, [r12]
L4:
    vpmovzxbd xmm11, [rdi]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vcmpunordps ymm14, ymm11, ymm11
    vblendvps ymm11, ymm11, [r11+0x60], ymm14
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi], ymm0
    vpmovzxbd xmm11, [rdi+3]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vcmpunordps ymm14, ymm11, ymm11
    vblendvps ymm11, ymm11, [r11+0x60], ymm14
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0x20], ymm0
    vpmovzxbd xmm11, [rdi+6]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vcmpunordps ymm14, ymm11, ymm11
    vblendvps ymm11, ymm11, [r11+0x60], ymm14
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0x40], ymm0
    vpmovzxbd xmm11, [rdi+9]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vcmpunordps ymm14, ymm11, ymm11
    vblendvps ymm11, ymm11, [r11+0x60], ymm14
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0x60], ymm0
    vpmovzxbd xmm11, [rdi+0xC]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vcmpunordps ymm14, ymm11, ymm11
    vblendvps ymm11, ymm11, [r11+0x60], ymm14
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0x80], ymm0
    vpmovzxbd xmm11, [rdi+0xF]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vcmpunordps ymm14, ymm11, ymm11
    vblendvps ymm11, ymm11, [r11+0x60], ymm14
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0xA0], ymm0
    vpmovzxbd xmm11, [rdi+0x12]
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vcmpunordps ymm14, ymm11, ymm11
    vblendvps ymm11, ymm11, [r11+0x60], ymm14
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0xC0], ymm0
    vpxor xmm11, xmm11, xmm11
    vpinsrw xmm11, xmm11, [rdi+0x15], 0
    vpinsrb xmm11, xmm11, [rdi+0x17], 2
    vpmovzxbd ymm11, xmm11
    vcvtdq2ps ymm11, ymm11
    vsubps ymm11, ymm11, ymm5
    vmulps ymm11, ymm11, ymm4
    vcmpunordps ymm14, ymm11, ymm11
    vblendvps ymm11, ymm11, [r11+0x60], ymm14
    vpsrld ymm14, ymm11, 0x10
    vpand ymm14, ymm14, ymm2
    vpaddd ymm14, ymm14, ymm3
    vpaddd ymm11, ymm11, ymm14
    vpsrld xmm11, xmm11, 0x10
    vpxor xmm15, xmm15, xmm15
    vpackusdw xmm0, xmm11, xmm15
    vpand ymm0, ymm0, [r11+0x40]
    vmovdqu [rsi+0xE0], ymm0
    dec rcx
    jne L4
    ret
; routines
    mov rcx, rax
    mul qword [r10+0xB20]
    div qword [r10+0xB28]
    mov r8, rax
    mov rax, [r10+0xB20]
    inc rax
    mul rcx
    div qword [r10+0xB28]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 00 00 00 00 01 00 00 00 04 00 00 00 05 00 00 00 02 00 00 00 03 00 00 00 06 00 00 00 07 00 00 00
    db 01 00 00 00 ff 7f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 c0 7f 00 00 c0 7f 00 00 c0 7f 00 00 c0 7f 00 00 c0 7f 00 00 c0 7f 00 00 c0 7f 00 00 c0 7f

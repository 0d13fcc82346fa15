; haswell f32:nChw8c:1x3x4x4 nchw
; 640 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x80]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10], rdi
    mov [r10+8], rsi
    mov [r10+0x10], rdx
    mov [r10+0x18], rcx
; nest 1: move 3(s4,d64) 16(s32,d4)
    cmp qword [r10+0x10], 0
    jne L0
    mov rdi, [r10]
    mov rsi, [r10+8]
    mov ecx, 1
    call L1
; exit
L0:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 3 x 16
L1:
    vmovdqu ymm5, [r11]
    vmovdqu ymm6, [r11+0x20]
L2:
    vpmaskmovd ymm0, ymm5, [rdi]
    vpmaskmovd ymm15, ymm6, [rdi+0x70]
    vpblendd ymm0, ymm0, ymm15, 0x70
    vpmaskmovd ymm1, ymm5, [rdi+0x20]
    vpmaskmovd ymm15, ymm6, [rdi+0x90]
    vpblendd ymm1, ymm1, ymm15, 0x70
    vpmaskmovd ymm2, ymm5, [rdi+0x40]
    vpmaskmovd ymm15, ymm6, [rdi+0xB0]
    vpblendd ymm2, ymm2, ymm15, 0x70
    vpmaskmovd ymm3, ymm5, [rdi+0x60]
    vpmaskmovd ymm15, ymm6, [rdi+0xD0]
    vpblendd ymm3, ymm3, ymm15, 0x70
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm0, ymm0, ymm2, 0x88
    vmovdqu [rsi], ymm3
    vmovdqu [rsi+0x40], ymm1
    vmovdqu [rsi+0x80], ymm0
    vpmaskmovd ymm0, ymm5, [rdi+0x100]
    vpmaskmovd ymm15, ymm6, [rdi+0x170]
    vpblendd ymm0, ymm0, ymm15, 0x70
    vpmaskmovd ymm1, ymm5, [rdi+0x120]
    vpmaskmovd ymm15, ymm6, [rdi+0x190]
    vpblendd ymm1, ymm1, ymm15, 0x70
    vpmaskmovd ymm2, ymm5, [rdi+0x140]
    vpmaskmovd ymm15, ymm6, [rdi+0x1B0]
    vpblendd ymm2, ymm2, ymm15, 0x70
    vpmaskmovd ymm3, ymm5, [rdi+0x160]
    vpmaskmovd ymm15, ymm6, [rdi+0x1D0]
    vpblendd ymm3, ymm3, ymm15, 0x70
    vpunpcklqdq ymm4, ymm0, ymm1
    vpunpckhqdq ymm0, ymm0, ymm1
    vpunpcklqdq ymm1, ymm2, ymm3
    vpunpckhqdq ymm2, ymm2, ymm3
    vshufps ymm3, ymm4, ymm1, 0x88
    vshufps ymm1, ymm4, ymm1, 0xDD
    vshufps ymm0, ymm0, ymm2, 0x88
    vmovdqu [rsi+0x20], ymm3
    vmovdqu [rsi+0x60], ymm1
    vmovdqu [rsi+0xA0], ymm0
    dec rcx
    jne L2
    ret
; routines
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
    db ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 00

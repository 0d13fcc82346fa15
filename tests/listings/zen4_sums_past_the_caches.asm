; zen4 s8:ab:4096x4096 s8:ab --comp=s8s8:2
; 2304 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x1000]
    test [rsp], rsp
    lea rsp, [rbp-0xC00]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10+0xB40], rdi
    mov [r10+0xB48], rsi
    mov [r10+0xB58], rdx
    mov [r10+0xB60], rcx
    mov [r10+0xB68], rbx
    mov rax, [r8+0x30]
    mov [r10+0xB50], rax
; nest 1: move 4096(s1,d1,cs4) 4096(s4096,d4096), shared from step 0
    mov eax, 0x40
    call L8
    mov ecx, 0x40
    imul rax, rcx
    imul rdx, rcx
    xor ecx, ecx
    xor r8d, r8d
    sub rax, rcx
    cmovl rax, r8
    sub rdx, rcx
    mov ecx, 0x1000
    cmp rdx, rcx
    cmovg rdx, rcx
    cmp rax, rdx
    jge L5
    mov [r10+0xB78], rdx
    mov ecx, 0x40
    xor edx, edx
    div rcx
    mov r8, rax
    mov rax, [r10+0xB78]
    add rax, rcx
    dec rax
    xor edx, edx
    div rcx
    mov [r10+0xB78], rax
    mov rax, r8
    mov [r10+0xB70], rax
    mov rdi, [r10+0xB40]
    mov rsi, [r10+0xB48]
    mov rbx, [r10+0xB50]
    lea rax, [rsi]
    test eax, 0x3F
    jne L2
; nest 1, past the caches: move 4096(s1,d1,cs4) 4096(s4096,d4096), shared from step 0
; loop 2 by 1
    mov eax, 0x1000
    mov [r10+0xB80], rax
; loop 1 by 64
L0:
    mov [r10+0xB88], rdi
    mov [r10+0xB90], rsi
    mov [r10+0xB98], rbx
    mov rcx, [r10+0xB70]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xB70]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0xB70]
    imul rcx, 0x100
    add rbx, rcx
    mov rcx, [r10+0xB78]
    mov rdx, [r10+0xB70]
    sub rcx, rdx
    jle L1
    call L6
L1:
    mov rdi, [r10+0xB88]
    mov rsi, [r10+0xB90]
    mov rbx, [r10+0xB98]
    add rdi, 0x1000
    add rsi, 0x1000
    dec qword [r10+0xB80]
    jne L0
    sfence
    jmp L5
; loop 2 by 1
L2:
    mov eax, 0x1000
    mov [r10+0xB80], rax
; loop 1 by 64
L3:
    mov [r10+0xB88], rdi
    mov [r10+0xB90], rsi
    mov [r10+0xB98], rbx
    mov rcx, [r10+0xB70]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xB70]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0xB70]
    imul rcx, 0x100
    add rbx, rcx
    mov rcx, [r10+0xB78]
    mov rdx, [r10+0xB70]
    sub rcx, rdx
    jle L4
    call L7
L4:
    mov rdi, [r10+0xB88]
    mov rsi, [r10+0xB90]
    mov rbx, [r10+0xB98]
    add rdi, 0x1000
    add rsi, 0x1000
    dec qword [r10+0xB80]
    jne L3
; exit
L5:
    mov rbx, [r10+0xB68]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 64 x 1
L6:
    vmovdqu64 zmm0, [rdi]
    prefetcht1 [rdi+0x103F]
    vmovntdq [rsi], zmm0
    vmovdqu64 [r10+0xB00], zmm0
    vmovdqu64 zmm29, [r10+0xB00]
    vpsllw zmm27, zmm29, 8
    vpsraw zmm27, zmm27, 8
    vpsraw zmm28, zmm29, 8
    vpsrad zmm29, zmm27, 0x10
    vpsrad zmm30, zmm28, 0x10
    vpslld zmm27, zmm27, 0x10
    vpsrad zmm27, zmm27, 0x10
    vpslld zmm28, zmm28, 0x10
    vpsrad zmm28, zmm28, 0x10
    vpunpckldq zmm31, zmm27, zmm28
    vpunpckhdq zmm27, zmm27, zmm28
    vpunpckldq zmm28, zmm29, zmm30
    vpunpckhdq zmm29, zmm29, zmm30
    vpunpcklqdq zmm30, zmm31, zmm28
    vmovdqu64 [r10+0xA00], zmm30
    vpunpckhqdq zmm30, zmm31, zmm28
    vmovdqu64 [r10+0xA40], zmm30
    vpunpcklqdq zmm30, zmm27, zmm29
    vmovdqu64 [r10+0xA80], zmm30
    vpunpckhqdq zmm30, zmm27, zmm29
    vmovdqu64 [r10+0xAC0], zmm30
    vmovdqu64 xmm27, [r10+0xA00]
    vmovdqu64 xmm30, [rbx]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx], xmm30
    vmovdqu64 xmm27, [r10+0xA40]
    vmovdqu64 xmm30, [rbx+0x10]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x10], xmm30
    vmovdqu64 xmm27, [r10+0xA80]
    vmovdqu64 xmm30, [rbx+0x20]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x20], xmm30
    vmovdqu64 xmm27, [r10+0xAC0]
    vmovdqu64 xmm30, [rbx+0x30]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x30], xmm30
    vmovdqu64 xmm27, [r10+0xA10]
    vmovdqu64 xmm30, [rbx+0x40]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x40], xmm30
    vmovdqu64 xmm27, [r10+0xA50]
    vmovdqu64 xmm30, [rbx+0x50]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x50], xmm30
    vmovdqu64 xmm27, [r10+0xA90]
    vmovdqu64 xmm30, [rbx+0x60]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x60], xmm30
    vmovdqu64 xmm27, [r10+0xAD0]
    vmovdqu64 xmm30, [rbx+0x70]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x70], xmm30
    vmovdqu64 xmm27, [r10+0xA20]
    vmovdqu64 xmm30, [rbx+0x80]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x80], xmm30
    vmovdqu64 xmm27, [r10+0xA60]
    vmovdqu64 xmm30, [rbx+0x90]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x90], xmm30
    vmovdqu64 xmm27, [r10+0xAA0]
    vmovdqu64 xmm30, [rbx+0xA0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xA0], xmm30
    vmovdqu64 xmm27, [r10+0xAE0]
    vmovdqu64 xmm30, [rbx+0xB0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xB0], xmm30
    vmovdqu64 xmm27, [r10+0xA30]
    vmovdqu64 xmm30, [rbx+0xC0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xC0], xmm30
    vmovdqu64 xmm27, [r10+0xA70]
    vmovdqu64 xmm30, [rbx+0xD0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xD0], xmm30
    vmovdqu64 xmm27, [r10+0xAB0]
    vmovdqu64 xmm30, [rbx+0xE0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xE0], xmm30
    vmovdqu64 xmm27, [r10+0xAF0]
    vmovdqu64 xmm30, [rbx+0xF0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xF0], xmm30
    add rdi, 0x40
    add rsi, 0x40
    add rbx, 0x100
    dec rcx
    jne L6
    ret
; tile 1 of nest 1: move 64 x 1
L7:
    vmovdqu64 zmm0, [rdi]
    prefetcht1 [rdi+0x103F]
    vmovdqu64 [rsi], zmm0
    prefetchw [rsi+0x80]
    vmovdqu64 zmm29, [rsi]
    vpsllw zmm27, zmm29, 8
    vpsraw zmm27, zmm27, 8
    vpsraw zmm28, zmm29, 8
    vpsrad zmm29, zmm27, 0x10
    vpsrad zmm30, zmm28, 0x10
    vpslld zmm27, zmm27, 0x10
    vpsrad zmm27, zmm27, 0x10
    vpslld zmm28, zmm28, 0x10
    vpsrad zmm28, zmm28, 0x10
    vpunpckldq zmm31, zmm27, zmm28
    vpunpckhdq zmm27, zmm27, zmm28
    vpunpckldq zmm28, zmm29, zmm30
    vpunpckhdq zmm29, zmm29, zmm30
    vpunpcklqdq zmm30, zmm31, zmm28
    vmovdqu64 [r10+0xA00], zmm30
    vpunpckhqdq zmm30, zmm31, zmm28
    vmovdqu64 [r10+0xA40], zmm30
    vpunpcklqdq zmm30, zmm27, zmm29
    vmovdqu64 [r10+0xA80], zmm30
    vpunpckhqdq zmm30, zmm27, zmm29
    vmovdqu64 [r10+0xAC0], zmm30
    vmovdqu64 xmm27, [r10+0xA00]
    vmovdqu64 xmm30, [rbx]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx], xmm30
    vmovdqu64 xmm27, [r10+0xA40]
    vmovdqu64 xmm30, [rbx+0x10]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x10], xmm30
    vmovdqu64 xmm27, [r10+0xA80]
    vmovdqu64 xmm30, [rbx+0x20]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x20], xmm30
    vmovdqu64 xmm27, [r10+0xAC0]
    vmovdqu64 xmm30, [rbx+0x30]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x30], xmm30
    vmovdqu64 xmm27, [r10+0xA10]
    vmovdqu64 xmm30, [rbx+0x40]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x40], xmm30
    vmovdqu64 xmm27, [r10+0xA50]
    vmovdqu64 xmm30, [rbx+0x50]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x50], xmm30
    vmovdqu64 xmm27, [r10+0xA90]
    vmovdqu64 xmm30, [rbx+0x60]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x60], xmm30
    vmovdqu64 xmm27, [r10+0xAD0]
    vmovdqu64 xmm30, [rbx+0x70]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x70], xmm30
    vmovdqu64 xmm27, [r10+0xA20]
    vmovdqu64 xmm30, [rbx+0x80]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x80], xmm30
    vmovdqu64 xmm27, [r10+0xA60]
    vmovdqu64 xmm30, [rbx+0x90]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0x90], xmm30
    vmovdqu64 xmm27, [r10+0xAA0]
    vmovdqu64 xmm30, [rbx+0xA0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xA0], xmm30
    vmovdqu64 xmm27, [r10+0xAE0]
    vmovdqu64 xmm30, [rbx+0xB0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xB0], xmm30
    vmovdqu64 xmm27, [r10+0xA30]
    vmovdqu64 xmm30, [rbx+0xC0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xC0], xmm30
    vmovdqu64 xmm27, [r10+0xA70]
    vmovdqu64 xmm30, [rbx+0xD0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xD0], xmm30
    vmovdqu64 xmm27, [r10+0xAB0]
    vmovdqu64 xmm30, [rbx+0xE0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xE0], xmm30
    vmovdqu64 xmm27, [r10+0xAF0]
    vmovdqu64 xmm30, [rbx+0xF0]
    vpslld xmm31, xmm27, 7
    vpsubd xmm30, xmm30, xmm31
    vmovdqu64 [rbx+0xF0], xmm30
    add rdi, 0x40
    add rsi, 0x40
    add rbx, 0x100
    dec rcx
    jne L7
    ret
; routines
L8:
    mov rcx, rax
    cmp qword [r10+0xB60], 1
    jne L9
    xor eax, eax
    mov rdx, rcx
    ret
L9:
    mul qword [r10+0xB58]
    div qword [r10+0xB60]
    mov r8, rax
    mov rax, [r10+0xB58]
    inc rax
    mul rcx
    div qword [r10+0xB60]
    mov rdx, rax
    mov rax, r8
    ret
; constants

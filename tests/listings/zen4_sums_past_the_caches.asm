; zen4 s8:ab:4096x4096 s8:ab --comp=s8s8:2
; 1344 bytes
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
    cmp qword [r10+0xB60], 1
    jne L0
    mov eax, 0x40
    mov qword [r10+0xB70], 0
    mov [r10+0xB78], rax
    jmp L1
L0:
    mov eax, 0x40
    call L12
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
    jge L9
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
L1:
    mov rdi, [r10+0xB40]
    mov rsi, [r10+0xB48]
    mov rbx, [r10+0xB50]
    lea rax, [rsi]
    test eax, 0x3F
    jne L5
; nest 1, past the caches: move 4096(s1,d1,cs4) 4096(s4096,d4096), shared from step 0
; loop 2 by 1
    mov eax, 0x1000
    mov [r10+0xB80], rax
; loop 1 by 64
L2:
    mov [r10+0xB88], rdi
    mov [r10+0xB90], rsi
    mov [r10+0xB98], rbx
    cmp qword [r10+0xB70], 0
    je L3
    mov rcx, [r10+0xB70]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xB70]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0xB70]
    imul rcx, 0x100
    add rbx, rcx
L3:
    mov rcx, [r10+0xB78]
    mov rdx, [r10+0xB70]
    sub rcx, rdx
    jle L4
    call L10
L4:
    mov rdi, [r10+0xB88]
    mov rsi, [r10+0xB90]
    mov rbx, [r10+0xB98]
    add rdi, 0x1000
    add rsi, 0x1000
    dec qword [r10+0xB80]
    jne L2
    sfence
    jmp L9
; loop 2 by 1
L5:
    mov eax, 0x1000
    mov [r10+0xB80], rax
; loop 1 by 64
L6:
    mov [r10+0xB88], rdi
    mov [r10+0xB90], rsi
    mov [r10+0xB98], rbx
    cmp qword [r10+0xB70], 0
    je L7
    mov rcx, [r10+0xB70]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xB70]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0xB70]
    imul rcx, 0x100
    add rbx, rcx
L7:
    mov rcx, [r10+0xB78]
    mov rdx, [r10+0xB70]
    sub rcx, rdx
    jle L8
    call L11
L8:
    mov rdi, [r10+0xB88]
    mov rsi, [r10+0xB90]
    mov rbx, [r10+0xB98]
    add rdi, 0x1000
    add rsi, 0x1000
    dec qword [r10+0xB80]
    jne L6
; exit
L9:
    mov rbx, [r10+0xB68]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 64 x 1
L10:
    vmovdqu64 zmm0, [rdi]
    prefetcht1 [rdi+0x103F]
    vmovntdq [rsi], zmm0
    vmovdqu64 [r10+0xB00], zmm0
    vmovdqu64 zmm29, [r10+0xB00]
    vpxord zmm30, zmm30, zmm30
    vpunpcklbw zmm27, zmm29, zmm30
    vpunpckhbw zmm28, zmm29, zmm30
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm27, zmm30, zmm27
    vpmaddubsw zmm28, zmm30, zmm28
    vshufi64x2 zmm29, zmm27, zmm28, 0x44
    vshufi64x2 zmm29, zmm29, zmm29, 0xD8
    vmovdqu64 [r10+0x900], zmm29
    vshufi64x2 zmm29, zmm27, zmm28, 0xEE
    vshufi64x2 zmm29, zmm29, zmm29, 0xD8
    vmovdqu64 [r10+0x940], zmm29
    vpmovsxwd zmm27, [r10+0x900]
    vmovdqu64 zmm30, [rbx]
    vpslld zmm31, zmm27, 7
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx], zmm30
    vpmovsxwd zmm27, [r10+0x920]
    vmovdqu64 zmm30, [rbx+0x40]
    vpslld zmm31, zmm27, 7
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0x40], zmm30
    vpmovsxwd zmm27, [r10+0x940]
    vmovdqu64 zmm30, [rbx+0x80]
    vpslld zmm31, zmm27, 7
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0x80], zmm30
    vpmovsxwd zmm27, [r10+0x960]
    vmovdqu64 zmm30, [rbx+0xC0]
    vpslld zmm31, zmm27, 7
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0xC0], zmm30
    add rdi, 0x40
    add rsi, 0x40
    add rbx, 0x100
    dec rcx
    jne L10
    ret
; tile 1 of nest 1: move 64 x 1
L11:
    vmovdqu64 zmm0, [rdi]
    prefetcht1 [rdi+0x103F]
    vmovdqu64 [rsi], zmm0
    prefetchw [rsi+0x80]
    vmovdqu64 zmm29, [rsi]
    vpxord zmm30, zmm30, zmm30
    vpunpcklbw zmm27, zmm29, zmm30
    vpunpckhbw zmm28, zmm29, zmm30
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm27, zmm30, zmm27
    vpmaddubsw zmm28, zmm30, zmm28
    vshufi64x2 zmm29, zmm27, zmm28, 0x44
    vshufi64x2 zmm29, zmm29, zmm29, 0xD8
    vmovdqu64 [r10+0x900], zmm29
    vshufi64x2 zmm29, zmm27, zmm28, 0xEE
    vshufi64x2 zmm29, zmm29, zmm29, 0xD8
    vmovdqu64 [r10+0x940], zmm29
    vpmovsxwd zmm27, [r10+0x900]
    vmovdqu64 zmm30, [rbx]
    vpslld zmm31, zmm27, 7
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx], zmm30
    vpmovsxwd zmm27, [r10+0x920]
    vmovdqu64 zmm30, [rbx+0x40]
    vpslld zmm31, zmm27, 7
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0x40], zmm30
    vpmovsxwd zmm27, [r10+0x940]
    vmovdqu64 zmm30, [rbx+0x80]
    vpslld zmm31, zmm27, 7
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0x80], zmm30
    vpmovsxwd zmm27, [r10+0x960]
    vmovdqu64 zmm30, [rbx+0xC0]
    vpslld zmm31, zmm27, 7
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0xC0], zmm30
    add rdi, 0x40
    add rsi, 0x40
    add rbx, 0x100
    dec rcx
    jne L11
    ret
; routines
L12:
    mov rcx, rax
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
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01

; zen4 s8:ab:4096x4096 s8:ab --comp=s8s8:2
; 2944 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x1000]
    test [rsp], rsp
    lea rsp, [rbp-0xFC0]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10+0xF00], rdi
    mov [r10+0xF08], rsi
    mov [r10+0xF18], rdx
    mov [r10+0xF20], rcx
    mov [r10+0xF28], rbx
    mov rax, [r8+0x30]
    mov [r10+0xF10], rax
; nest 1: move 4096(s1,d1,cs4) 4096(s4096,d4096), shared from step 0
    cmp qword [r10+0xF20], 1
    jne L0
    mov eax, 0x40
    mov qword [r10+0xF30], 0
    mov [r10+0xF38], rax
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
    mov [r10+0xF38], rdx
    mov ecx, 0x40
    xor edx, edx
    div rcx
    mov r8, rax
    mov rax, [r10+0xF38]
    add rax, rcx
    dec rax
    xor edx, edx
    div rcx
    mov [r10+0xF38], rax
    mov rax, r8
    mov [r10+0xF30], rax
L1:
    mov rdi, [r10+0xF00]
    mov rsi, [r10+0xF08]
    mov rbx, [r10+0xF10]
    lea rax, [rsi]
    test eax, 0x3F
    jne L5
; nest 1, past the caches: move 4096(s1,d1,cs4) 4096(s4096,d4096), shared from step 0
; loop 2 by 16
    mov eax, 0x100
    mov [r10+0xF40], rax
; loop 1 by 64
L2:
    mov [r10+0xF48], rdi
    mov [r10+0xF50], rsi
    mov [r10+0xF58], rbx
    cmp qword [r10+0xF30], 0
    je L3
    mov rcx, [r10+0xF30]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xF30]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0xF30]
    imul rcx, 0x100
    add rbx, rcx
L3:
    mov rcx, [r10+0xF38]
    mov rdx, [r10+0xF30]
    sub rcx, rdx
    jle L4
    call L10
L4:
    mov rdi, [r10+0xF48]
    mov rsi, [r10+0xF50]
    mov rbx, [r10+0xF58]
    add rdi, 0x10000
    add rsi, 0x10000
    dec qword [r10+0xF40]
    jne L2
    sfence
    jmp L9
; loop 2 by 16
L5:
    mov eax, 0x100
    mov [r10+0xF40], rax
; loop 1 by 64
L6:
    mov [r10+0xF48], rdi
    mov [r10+0xF50], rsi
    mov [r10+0xF58], rbx
    cmp qword [r10+0xF30], 0
    je L7
    mov rcx, [r10+0xF30]
    imul rcx, 0x40
    add rdi, rcx
    mov rcx, [r10+0xF30]
    imul rcx, 0x40
    add rsi, rcx
    mov rcx, [r10+0xF30]
    imul rcx, 0x100
    add rbx, rcx
L7:
    mov rcx, [r10+0xF38]
    mov rdx, [r10+0xF30]
    sub rcx, rdx
    jle L8
    call L11
L8:
    mov rdi, [r10+0xF48]
    mov rsi, [r10+0xF50]
    mov rbx, [r10+0xF58]
    add rdi, 0x10000
    add rsi, 0x10000
    dec qword [r10+0xF40]
    jne L6
; exit
L9:
    mov rbx, [r10+0xF28]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1, past the caches: move 64 x 16
L10:
    vmovdqu64 zmm0, [rdi]
    vmovntdq [rsi], zmm0
    vmovdqu64 [r10+0xB00], zmm0
    vmovdqu64 zmm0, [rdi+0x1000]
    vmovntdq [rsi+0x1000], zmm0
    vmovdqu64 [r10+0xB40], zmm0
    vmovdqu64 zmm0, [rdi+0x2000]
    vmovntdq [rsi+0x2000], zmm0
    vmovdqu64 [r10+0xB80], zmm0
    vmovdqu64 zmm0, [rdi+0x3000]
    vmovntdq [rsi+0x3000], zmm0
    vmovdqu64 [r10+0xBC0], zmm0
    vmovdqu64 zmm0, [rdi+0x4000]
    vmovntdq [rsi+0x4000], zmm0
    vmovdqu64 [r10+0xC00], zmm0
    vmovdqu64 zmm0, [rdi+0x5000]
    vmovntdq [rsi+0x5000], zmm0
    vmovdqu64 [r10+0xC40], zmm0
    vmovdqu64 zmm0, [rdi+0x6000]
    vmovntdq [rsi+0x6000], zmm0
    vmovdqu64 [r10+0xC80], zmm0
    vmovdqu64 zmm0, [rdi+0x7000]
    vmovntdq [rsi+0x7000], zmm0
    vmovdqu64 [r10+0xCC0], zmm0
    vmovdqu64 zmm0, [rdi+0x8000]
    vmovntdq [rsi+0x8000], zmm0
    vmovdqu64 [r10+0xD00], zmm0
    vmovdqu64 zmm0, [rdi+0x9000]
    vmovntdq [rsi+0x9000], zmm0
    vmovdqu64 [r10+0xD40], zmm0
    vmovdqu64 zmm0, [rdi+0xA000]
    vmovntdq [rsi+0xA000], zmm0
    vmovdqu64 [r10+0xD80], zmm0
    vmovdqu64 zmm0, [rdi+0xB000]
    vmovntdq [rsi+0xB000], zmm0
    vmovdqu64 [r10+0xDC0], zmm0
    vmovdqu64 zmm0, [rdi+0xC000]
    vmovntdq [rsi+0xC000], zmm0
    vmovdqu64 [r10+0xE00], zmm0
    vmovdqu64 zmm0, [rdi+0xD000]
    vmovntdq [rsi+0xD000], zmm0
    vmovdqu64 [r10+0xE40], zmm0
    vmovdqu64 zmm0, [rdi+0xE000]
    vmovntdq [rsi+0xE000], zmm0
    vmovdqu64 [r10+0xE80], zmm0
    vmovdqu64 zmm0, [rdi+0xF000]
    vmovntdq [rsi+0xF000], zmm0
    vmovdqu64 [r10+0xEC0], zmm0
    vmovdqu64 zmm29, [r10+0xB00]
    vpunpcklbw zmm27, zmm29, [r10+0xB40]
    vpunpckhbw zmm28, zmm29, [r10+0xB40]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm27, zmm30, zmm27
    vpmaddubsw zmm28, zmm30, zmm28
    vmovdqu64 zmm29, [r10+0xB80]
    vpunpcklbw zmm31, zmm29, [r10+0xBC0]
    vpunpckhbw zmm29, zmm29, [r10+0xBC0]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [r10+0xC00]
    vpunpcklbw zmm31, zmm29, [r10+0xC40]
    vpunpckhbw zmm29, zmm29, [r10+0xC40]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [r10+0xC80]
    vpunpcklbw zmm31, zmm29, [r10+0xCC0]
    vpunpckhbw zmm29, zmm29, [r10+0xCC0]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [r10+0xD00]
    vpunpcklbw zmm31, zmm29, [r10+0xD40]
    vpunpckhbw zmm29, zmm29, [r10+0xD40]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [r10+0xD80]
    vpunpcklbw zmm31, zmm29, [r10+0xDC0]
    vpunpckhbw zmm29, zmm29, [r10+0xDC0]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [r10+0xE00]
    vpunpcklbw zmm31, zmm29, [r10+0xE40]
    vpunpckhbw zmm29, zmm29, [r10+0xE40]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [r10+0xE80]
    vpunpcklbw zmm31, zmm29, [r10+0xEC0]
    vpunpckhbw zmm29, zmm29, [r10+0xEC0]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vshufi64x2 zmm29, zmm27, zmm28, 0x44
    vshufi64x2 zmm29, zmm29, zmm29, 0xD8
    vmovdqu64 [r10+0x900], zmm29
    vshufi64x2 zmm29, zmm27, zmm28, 0xEE
    vshufi64x2 zmm29, zmm29, zmm29, 0xD8
    vmovdqu64 [r10+0x940], zmm29
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
    vpmovsxwd zmm27, [r10+0x940]
    vpslld zmm31, zmm27, 7
    vmovdqu64 zmm30, [rbx+0x80]
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0x80], zmm30
    vpmovsxwd zmm27, [r10+0x960]
    vpslld zmm31, zmm27, 7
    vmovdqu64 zmm30, [rbx+0xC0]
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0xC0], zmm30
    add rdi, 0x40
    add rsi, 0x40
    add rbx, 0x100
    dec rcx
    jne L10
    ret
; tile 1 of nest 1: move 64 x 16
L11:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 [rsi], zmm0
    prefetchw [rsi+0x80]
    vmovdqu64 zmm0, [rdi+0x1000]
    vmovdqu64 [rsi+0x1000], zmm0
    prefetchw [rsi+0x1080]
    vmovdqu64 zmm0, [rdi+0x2000]
    vmovdqu64 [rsi+0x2000], zmm0
    prefetchw [rsi+0x2080]
    vmovdqu64 zmm0, [rdi+0x3000]
    vmovdqu64 [rsi+0x3000], zmm0
    prefetchw [rsi+0x3080]
    vmovdqu64 zmm0, [rdi+0x4000]
    vmovdqu64 [rsi+0x4000], zmm0
    prefetchw [rsi+0x4080]
    vmovdqu64 zmm0, [rdi+0x5000]
    vmovdqu64 [rsi+0x5000], zmm0
    prefetchw [rsi+0x5080]
    vmovdqu64 zmm0, [rdi+0x6000]
    vmovdqu64 [rsi+0x6000], zmm0
    prefetchw [rsi+0x6080]
    vmovdqu64 zmm0, [rdi+0x7000]
    vmovdqu64 [rsi+0x7000], zmm0
    prefetchw [rsi+0x7080]
    vmovdqu64 zmm0, [rdi+0x8000]
    vmovdqu64 [rsi+0x8000], zmm0
    prefetchw [rsi+0x8080]
    vmovdqu64 zmm0, [rdi+0x9000]
    vmovdqu64 [rsi+0x9000], zmm0
    prefetchw [rsi+0x9080]
    vmovdqu64 zmm0, [rdi+0xA000]
    vmovdqu64 [rsi+0xA000], zmm0
    prefetchw [rsi+0xA080]
    vmovdqu64 zmm0, [rdi+0xB000]
    vmovdqu64 [rsi+0xB000], zmm0
    prefetchw [rsi+0xB080]
    vmovdqu64 zmm0, [rdi+0xC000]
    vmovdqu64 [rsi+0xC000], zmm0
    prefetchw [rsi+0xC080]
    vmovdqu64 zmm0, [rdi+0xD000]
    vmovdqu64 [rsi+0xD000], zmm0
    prefetchw [rsi+0xD080]
    vmovdqu64 zmm0, [rdi+0xE000]
    vmovdqu64 [rsi+0xE000], zmm0
    prefetchw [rsi+0xE080]
    vmovdqu64 zmm0, [rdi+0xF000]
    vmovdqu64 [rsi+0xF000], zmm0
    prefetchw [rsi+0xF080]
    vmovdqu64 zmm29, [rsi]
    vpunpcklbw zmm27, zmm29, [rsi+0x1000]
    vpunpckhbw zmm28, zmm29, [rsi+0x1000]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm27, zmm30, zmm27
    vpmaddubsw zmm28, zmm30, zmm28
    vmovdqu64 zmm29, [rsi+0x2000]
    vpunpcklbw zmm31, zmm29, [rsi+0x3000]
    vpunpckhbw zmm29, zmm29, [rsi+0x3000]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [rsi+0x4000]
    vpunpcklbw zmm31, zmm29, [rsi+0x5000]
    vpunpckhbw zmm29, zmm29, [rsi+0x5000]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [rsi+0x6000]
    vpunpcklbw zmm31, zmm29, [rsi+0x7000]
    vpunpckhbw zmm29, zmm29, [rsi+0x7000]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [rsi+0x8000]
    vpunpcklbw zmm31, zmm29, [rsi+0x9000]
    vpunpckhbw zmm29, zmm29, [rsi+0x9000]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [rsi+0xA000]
    vpunpcklbw zmm31, zmm29, [rsi+0xB000]
    vpunpckhbw zmm29, zmm29, [rsi+0xB000]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [rsi+0xC000]
    vpunpcklbw zmm31, zmm29, [rsi+0xD000]
    vpunpckhbw zmm29, zmm29, [rsi+0xD000]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vmovdqu64 zmm29, [rsi+0xE000]
    vpunpcklbw zmm31, zmm29, [rsi+0xF000]
    vpunpckhbw zmm29, zmm29, [rsi+0xF000]
    vmovdqu64 zmm30, [r11]
    vpmaddubsw zmm31, zmm30, zmm31
    vpaddw zmm27, zmm27, zmm31
    vpmaddubsw zmm29, zmm30, zmm29
    vpaddw zmm28, zmm28, zmm29
    vshufi64x2 zmm29, zmm27, zmm28, 0x44
    vshufi64x2 zmm29, zmm29, zmm29, 0xD8
    vmovdqu64 [r10+0x900], zmm29
    vshufi64x2 zmm29, zmm27, zmm28, 0xEE
    vshufi64x2 zmm29, zmm29, zmm29, 0xD8
    vmovdqu64 [r10+0x940], zmm29
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
    vpmovsxwd zmm27, [r10+0x940]
    vpslld zmm31, zmm27, 7
    vmovdqu64 zmm30, [rbx+0x80]
    vpsubd zmm30, zmm30, zmm31
    vmovdqu64 [rbx+0x80], zmm30
    vpmovsxwd zmm27, [r10+0x960]
    vpslld zmm31, zmm27, 7
    vmovdqu64 zmm30, [rbx+0xC0]
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
    mul qword [r10+0xF18]
    div qword [r10+0xF20]
    mov r8, rax
    mov rax, [r10+0xF18]
    inc rax
    mul rcx
    div qword [r10+0xF20]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01
    db 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01

; skx s8:oihw:256x256x3x3 OIhw4i16o4i
; 1848 bytes
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
; nest 1: move 16(s36864,d36864) 16(s144,d2304) 4(s36,d64) 16(s2304,d4) 9(s1,d256) 4(s9,d1), cut at steps 1 and 2 by 1
    cmp qword [r10+0x18], 1
    jne L0
    mov edx, 0x100
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x100
    call L14
    cmp rax, rdx
    jge L11
L1:
    mov [r10+0x40], rax
    mov [r10+0x48], rdx
L2:
    mov rax, [r10+0x40]
    mov r8, [r10+0x48]
    sub r8, rax
    mov ecx, 0x100
    cmp r8, rcx
    jne L3
    mov [r10+0x40], r8
    mov eax, 0x10
    mov qword [r10+0x20], 0
    mov [r10+0x28], rax
    mov eax, 0x10
    mov qword [r10+0x30], 0
    mov [r10+0x38], rax
    jmp L4
L3:
    mov ecx, 0x10
    xor edx, edx
    div rcx
    mov [r10+0x30], rdx
    sub rcx, rdx
    cmp rcx, r8
    cmovg rcx, r8
    add [r10+0x40], rcx
    add rdx, rcx
    mov [r10+0x38], rdx
    mov ecx, 0x10
    xor edx, edx
    div rcx
    mov [r10+0x20], rdx
    inc rdx
    mov [r10+0x28], rdx
L4:
    mov rdi, [r10]
    mov rsi, [r10+8]
; loop 1 by 1
    mov [r10+0x50], rdi
    mov [r10+0x58], rsi
    cmp qword [r10+0x20], 0
    je L5
    mov rcx, [r10+0x20]
    imul rcx, 0x9000
    add rdi, rcx
    mov rcx, [r10+0x20]
    imul rcx, 0x9000
    add rsi, rcx
L5:
    mov rcx, [r10+0x28]
    mov rdx, [r10+0x20]
    sub rcx, rdx
    jle L10
    mov [r10+0x60], rcx
; loop 2 by 1
L6:
    mov [r10+0x68], rdi
    mov [r10+0x70], rsi
    cmp qword [r10+0x30], 0
    je L7
    mov rcx, [r10+0x30]
    imul rcx, 0x90
    add rdi, rcx
    mov rcx, [r10+0x30]
    imul rcx, 0x900
    add rsi, rcx
L7:
    mov rcx, [r10+0x38]
    mov rdx, [r10+0x30]
    sub rcx, rdx
    jle L9
    mov [r10+0x78], rcx
; loop 3 by 1
L8:
    mov ecx, 4
    call L12
    add rsi, 0x800
    dec qword [r10+0x78]
    jne L8
L9:
    mov rdi, [r10+0x68]
    mov rsi, [r10+0x70]
    add rdi, 0x9000
    add rsi, 0x9000
    dec qword [r10+0x60]
    jne L6
L10:
    mov rdi, [r10+0x50]
    mov rsi, [r10+0x58]
    mov rax, [r10+0x40]
    cmp rax, [r10+0x48]
    jl L2
; exit
L11:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 1 x 1 x 1 x 16 x 9 x 4
L12:
    kmovq k1, [r11]
    kmovq k2, [r11+8]
    kmovq k3, [r11+0x10]
    kmovq k4, [r11+0x18]
    kmovq k5, [r11+0x20]
    kmovq k6, [r11+0x28]
    kmovq k7, [r11+0x30]
L13:
    vmovdqu64 xmm0, [rdi]
    vbroadcasti32x4 zmm0{k1}, [rdi+0x2400]
    vbroadcasti32x4 zmm0{k2}, [rdi+0x4800]
    vbroadcasti32x4 zmm0{k3}, [rdi+0x6C00]
    vmovdqu64 xmm1, [rdi+0x900]
    vbroadcasti32x4 zmm1{k1}, [rdi+0x2D00]
    vbroadcasti32x4 zmm1{k2}, [rdi+0x5100]
    vbroadcasti32x4 zmm1{k3}, [rdi+0x7500]
    vmovdqu64 xmm2, [rdi+9]
    vbroadcasti32x4 zmm2{k1}, [rdi+0x2409]
    vbroadcasti32x4 zmm2{k2}, [rdi+0x4809]
    vbroadcasti32x4 zmm2{k3}, [rdi+0x6C09]
    vmovdqu64 xmm3, [rdi+0x909]
    vbroadcasti32x4 zmm3{k1}, [rdi+0x2D09]
    vbroadcasti32x4 zmm3{k2}, [rdi+0x5109]
    vbroadcasti32x4 zmm3{k3}, [rdi+0x7509]
    vmovdqu64 xmm4, [rdi+0x12]
    vbroadcasti32x4 zmm4{k1}, [rdi+0x2412]
    vbroadcasti32x4 zmm4{k2}, [rdi+0x4812]
    vbroadcasti32x4 zmm4{k3}, [rdi+0x6C12]
    vmovdqu64 xmm5, [rdi+0x912]
    vbroadcasti32x4 zmm5{k1}, [rdi+0x2D12]
    vbroadcasti32x4 zmm5{k2}, [rdi+0x5112]
    vbroadcasti32x4 zmm5{k3}, [rdi+0x7512]
    vmovdqu8 xmm6{k4}{z}, [rdi+0x1B]
    vmovdqu8 ymm6{k5}, [rdi+0x240B]
    vmovdqu8 zmm6{k6}, [rdi+0x47FB]
    vmovdqu8 zmm6{k7}, [rdi+0x6BEB]
    vmovdqu8 xmm7{k4}{z}, [rdi+0x91B]
    vmovdqu8 ymm7{k5}, [rdi+0x2D0B]
    vmovdqu8 zmm7{k6}, [rdi+0x50FB]
    vmovdqu8 zmm7{k7}, [rdi+0x74EB]
    vmovdqu64 xmm8, [rdi+0x1200]
    vbroadcasti32x4 zmm8{k1}, [rdi+0x3600]
    vbroadcasti32x4 zmm8{k2}, [rdi+0x5A00]
    vbroadcasti32x4 zmm8{k3}, [rdi+0x7E00]
    vmovdqu64 xmm9, [rdi+0x1B00]
    vbroadcasti32x4 zmm9{k1}, [rdi+0x3F00]
    vbroadcasti32x4 zmm9{k2}, [rdi+0x6300]
    vbroadcasti32x4 zmm9{k3}, [rdi+0x8700]
    vmovdqu64 xmm10, [rdi+0x1209]
    vbroadcasti32x4 zmm10{k1}, [rdi+0x3609]
    vbroadcasti32x4 zmm10{k2}, [rdi+0x5A09]
    vbroadcasti32x4 zmm10{k3}, [rdi+0x7E09]
    vmovdqu64 xmm11, [rdi+0x1B09]
    vbroadcasti32x4 zmm11{k1}, [rdi+0x3F09]
    vbroadcasti32x4 zmm11{k2}, [rdi+0x6309]
    vbroadcasti32x4 zmm11{k3}, [rdi+0x8709]
    vmovdqu64 xmm12, [rdi+0x1212]
    vbroadcasti32x4 zmm12{k1}, [rdi+0x3612]
    vbroadcasti32x4 zmm12{k2}, [rdi+0x5A12]
    vbroadcasti32x4 zmm12{k3}, [rdi+0x7E12]
    vmovdqu64 xmm13, [rdi+0x1B12]
    vbroadcasti32x4 zmm13{k1}, [rdi+0x3F12]
    vbroadcasti32x4 zmm13{k2}, [rdi+0x6312]
    vbroadcasti32x4 zmm13{k3}, [rdi+0x8712]
    vmovdqu8 xmm14{k4}{z}, [rdi+0x121B]
    vmovdqu8 ymm14{k5}, [rdi+0x360B]
    vmovdqu8 zmm14{k6}, [rdi+0x59FB]
    vmovdqu8 zmm14{k7}, [rdi+0x7DEB]
    vmovdqu8 xmm15{k4}{z}, [rdi+0x1B1B]
    vmovdqu8 ymm15{k5}, [rdi+0x3F0B]
    vmovdqu8 zmm15{k6}, [rdi+0x62FB]
    vmovdqu8 zmm15{k7}, [rdi+0x86EB]
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
    vpunpcklbw zmm0, zmm0, zmm2
    vpunpcklbw zmm2, zmm3, zmm5
    vpunpckhbw zmm3, zmm3, zmm5
    vpunpcklbw zmm4, zmm4, zmm6
    vpunpcklbw zmm5, zmm7, zmm9
    vpunpckhbw zmm6, zmm7, zmm9
    vpunpcklbw zmm7, zmm8, zmm10
    vpunpcklbw zmm8, zmm11, zmm13
    vpunpckhbw zmm9, zmm11, zmm13
    vpunpcklbw zmm10, zmm12, zmm14
    vpunpcklwd zmm11, zmm15, zmm2
    vpunpckhwd zmm2, zmm15, zmm2
    vpunpcklwd zmm0, zmm0, zmm4
    vpunpcklwd zmm4, zmm1, zmm3
    vpunpckhwd zmm1, zmm1, zmm3
    vpunpcklwd zmm3, zmm5, zmm8
    vpunpckhwd zmm5, zmm5, zmm8
    vpunpcklwd zmm7, zmm7, zmm10
    vpunpcklwd zmm8, zmm6, zmm9
    vpunpckhwd zmm6, zmm6, zmm9
    vshufps zmm9, zmm11, zmm3, 0x88
    vshufps zmm3, zmm11, zmm3, 0xDD
    vshufps zmm0, zmm0, zmm7, 0x88
    vshufps zmm7, zmm4, zmm8, 0x88
    vshufps zmm4, zmm4, zmm8, 0xDD
    vshufps zmm8, zmm2, zmm5, 0x88
    vshufps zmm2, zmm2, zmm5, 0xDD
    vshufps zmm5, zmm1, zmm6, 0x88
    vshufps zmm1, zmm1, zmm6, 0xDD
    vmovdqu64 [rsi], zmm9
    prefetchw [rsi+0x40]
    vmovdqu64 [rsi+0x100], zmm3
    prefetchw [rsi+0x140]
    vmovdqu64 [rsi+0x200], zmm8
    prefetchw [rsi+0x240]
    vmovdqu64 [rsi+0x300], zmm2
    prefetchw [rsi+0x340]
    vmovdqu64 [rsi+0x400], zmm7
    prefetchw [rsi+0x440]
    vmovdqu64 [rsi+0x500], zmm4
    prefetchw [rsi+0x540]
    vmovdqu64 [rsi+0x600], zmm5
    prefetchw [rsi+0x640]
    vmovdqu64 [rsi+0x700], zmm1
    prefetchw [rsi+0x740]
    vmovdqu64 [rsi+0x800], zmm0
    prefetchw [rsi+0x840]
    add rdi, 0x24
    add rsi, 0x40
    dec rcx
    jne L13
    ret
; routines
L14:
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
    db f0 00 00 00 00 00 00 00 00 0f 00 00 00 00 00 00 00 f0 00 00 00 00 00 00 ff 01 00 00 00 00 00 00
    db 00 00 ff 01 00 00 00 00 00 00 00 00 ff 01 00 00 00 00 00 00 00 00 ff 01

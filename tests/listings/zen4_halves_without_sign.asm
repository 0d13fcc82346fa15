; zen4 f16:ab:16x64 u8:ab
; 1484 bytes
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
    mov [r10+0xB10], rdx
    mov [r10+0xB18], rcx
    xor eax, eax
    mov [r10+0xB20], rax
; nest 1: move 1024(s2,d1), cut at step 1 by 1
    cmp qword [r10+0xB18], 1
    jne L0
    mov edx, 4
    xor eax, eax
    jmp L1
L0:
    mov eax, 4
    call L10
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xB28], rax
    mov [r10+0xB30], rdx
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
; loop 1 by 256
    mov [r10+0xB38], rdi
    mov [r10+0xB40], rsi
    cmp qword [r10+0xB28], 0
    je L2
    mov rcx, [r10+0xB28]
    imul rcx, 0x200
    add rdi, rcx
    mov rcx, [r10+0xB28]
    imul rcx, 0x100
    add rsi, rcx
L2:
    mov rcx, [r10+0xB30]
    mov rdx, [r10+0xB28]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0xB38]
    mov rsi, [r10+0xB40]
; exit
L4:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 256
L5:
    cmp qword [r10+0xB20], 0
    jne L8
    vpxord zmm26, zmm26, zmm26
    vmovdqu64 zmm1, [r11]
    vpbroadcastd zmm2, [r11+0x40]
L6:
    vcvtph2ps zmm27, [rdi]
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x20]
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x40]
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x60]
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpackuswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi], zmm0
    vcvtph2ps zmm27, [rdi+0x80]
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0xA0]
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0xC0]
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0xE0]
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpackuswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0x40], zmm0
    vcvtph2ps zmm27, [rdi+0x100]
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x120]
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x140]
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x160]
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpackuswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0x80], zmm0
    vcvtph2ps zmm27, [rdi+0x180]
    vcvtps2dq zmm27, zmm27
    vcvtph2ps zmm28, [rdi+0x1A0]
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpminsw zmm26, zmm26, zmm27
    vcvtph2ps zmm28, [rdi+0x1C0]
    vcvtps2dq zmm28, zmm28
    vcvtph2ps zmm29, [rdi+0x1E0]
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpminsw zmm26, zmm26, zmm28
    vpackuswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0xC0], zmm0
    vpcmpeqw k6, zmm26, zmm2
    kortestq k6, k6
    jne L7
    add rdi, 0x200
    add rsi, 0x100
    dec rcx
    jne L6
    ret
; the same, whatever there is
L7:
    mov qword [r10+0xB20], 1
L8:
    vmovdqu64 zmm1, [r11]
    vpbroadcastd zmm2, [r11+0x44]
    vpbroadcastd zmm3, [r11+0x48]
L9:
    vcvtph2ps zmm27, [rdi]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm27, zmm3, 0
    vcvtps2dq zmm27, zmm30
    vcvtph2ps zmm28, [rdi+0x20]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm28, zmm3, 0
    vcvtps2dq zmm28, zmm30
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x40]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm28, zmm3, 0
    vcvtps2dq zmm28, zmm30
    vcvtph2ps zmm29, [rdi+0x60]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm29, zmm3, 0
    vcvtps2dq zmm29, zmm30
    vpackssdw zmm28, zmm28, zmm29
    vpackuswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi], zmm0
    vcvtph2ps zmm27, [rdi+0x80]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm27, zmm3, 0
    vcvtps2dq zmm27, zmm30
    vcvtph2ps zmm28, [rdi+0xA0]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm28, zmm3, 0
    vcvtps2dq zmm28, zmm30
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0xC0]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm28, zmm3, 0
    vcvtps2dq zmm28, zmm30
    vcvtph2ps zmm29, [rdi+0xE0]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm29, zmm3, 0
    vcvtps2dq zmm29, zmm30
    vpackssdw zmm28, zmm28, zmm29
    vpackuswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0x40], zmm0
    vcvtph2ps zmm27, [rdi+0x100]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm27, zmm3, 0
    vcvtps2dq zmm27, zmm30
    vcvtph2ps zmm28, [rdi+0x120]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm28, zmm3, 0
    vcvtps2dq zmm28, zmm30
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x140]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm28, zmm3, 0
    vcvtps2dq zmm28, zmm30
    vcvtph2ps zmm29, [rdi+0x160]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm29, zmm3, 0
    vcvtps2dq zmm29, zmm30
    vpackssdw zmm28, zmm28, zmm29
    vpackuswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0x80], zmm0
    vcvtph2ps zmm27, [rdi+0x180]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm27, zmm3, 0
    vcvtps2dq zmm27, zmm30
    vcvtph2ps zmm28, [rdi+0x1A0]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm28, zmm3, 0
    vcvtps2dq zmm28, zmm30
    vpackssdw zmm27, zmm27, zmm28
    vcvtph2ps zmm28, [rdi+0x1C0]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm28, zmm3, 0
    vcvtps2dq zmm28, zmm30
    vcvtph2ps zmm29, [rdi+0x1E0]
    vmovdqa64 zmm30, zmm2
    vfixupimmps zmm30, zmm29, zmm3, 0
    vcvtps2dq zmm29, zmm30
    vpackssdw zmm28, zmm28, zmm29
    vpackuswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi+0xC0], zmm0
    add rdi, 0x200
    add rsi, 0x100
    dec rcx
    jne L9
    ret
; routines
L10:
    mov rcx, rax
    mul qword [r10+0xB10]
    div qword [r10+0xB18]
    mov r8, rax
    mov rax, [r10+0xB10]
    inc rax
    mul rcx
    div qword [r10+0xB18]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 00 00 00 00 04 00 00 00 08 00 00 00 0c 00 00 00 01 00 00 00 05 00 00 00 09 00 00 00 0d 00 00 00
    db 02 00 00 00 06 00 00 00 0a 00 00 00 0e 00 00 00 03 00 00 00 07 00 00 00 0b 00 00 00 0f 00 00 00
    db 00 80 00 80 00 00 7f 43 88 11 01 11

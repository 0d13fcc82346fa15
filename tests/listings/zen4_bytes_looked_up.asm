; zen4 u8:ab:32x64 s8:ab --src-scale=common --dst-scale=common
; 1352 bytes
; entry: src rdi, dst rsi, task rdx, count rcx
    push rbp
    mov rbp, rsp
    lea rsp, [rbp-0x1000]
    test [rsp], rsp
    lea rsp, [rbp-0xCC0]
    and rsp, 0xFFFFFFFFFFFFFFC0
    mov r10, rsp
    lea r11, [constants]
    mov [r10+0xC00], rdi
    mov [r10+0xC08], rsi
    mov [r10+0xC20], rdx
    mov [r10+0xC28], rcx
    mov [r10+0xC30], rbx
    mov [r10+0xC38], r12
    mov rax, [r8+0x10]
    mov [r10+0xC10], rax
    mov rax, [r8+0x18]
    mov [r10+0xC18], rax
; table of bytes
    mov rbx, [r10+0xC10]
    mov r12, [r10+0xC18]
    lea rdi, [r11]
    lea rsi, [r10+0xB00]
    mov ecx, 4
    call L5
; nest 1: move 2048(s1,d1), cut at step 1 by 1
    cmp qword [r10+0xC28], 1
    jne L0
    mov edx, 8
    xor eax, eax
    jmp L1
L0:
    mov eax, 8
    call L9
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xC40], rax
    mov [r10+0xC48], rdx
    mov rdi, [r10+0xC00]
    mov rsi, [r10+0xC08]
    mov rbx, [r10+0xC10]
    mov r12, [r10+0xC18]
; loop 1 by 256
    mov [r10+0xC50], rdi
    mov [r10+0xC58], rsi
    mov [r10+0xC60], rbx
    mov [r10+0xC68], r12
    cmp qword [r10+0xC40], 0
    je L2
    mov rcx, [r10+0xC40]
    imul rcx, 0x100
    add rdi, rcx
    mov rcx, [r10+0xC40]
    imul rcx, 0x100
    add rsi, rcx
L2:
    mov rcx, [r10+0xC48]
    mov rdx, [r10+0xC40]
    sub rcx, rdx
    jle L3
    call L7
L3:
    mov rdi, [r10+0xC50]
    mov rsi, [r10+0xC58]
    mov rbx, [r10+0xC60]
    mov r12, [r10+0xC68]
; exit
L4:
    mov rbx, [r10+0xC30]
    mov r12, [r10+0xC38]
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; table of bytes
L5:
    vmovdqu64 zmm1, [r11+0x100]
    vpbroadcastd zmm2, [r11+0x140]
    vpbroadcastd zmm3, [r11+0x144]
    vpbroadcastd zmm4, [rbx]
    vpbroadcastd zmm5, [r12]
L6:
    vpmovzxbd zmm27, [rdi]
    vcvtdq2ps zmm27, zmm27
    vmulps zmm27, zmm27, zmm4
    vmulps zmm27, zmm27, zmm5
    vfixupimmps zmm27, zmm27, zmm3, 0
    vpminsd zmm27, zmm27, zmm2
    vcvtps2dq zmm27, zmm27
    vpmovzxbd zmm28, [rdi+0x10]
    vcvtdq2ps zmm28, zmm28
    vmulps zmm28, zmm28, zmm4
    vmulps zmm28, zmm28, zmm5
    vfixupimmps zmm28, zmm28, zmm3, 0
    vpminsd zmm28, zmm28, zmm2
    vcvtps2dq zmm28, zmm28
    vpackssdw zmm27, zmm27, zmm28
    vpmovzxbd zmm28, [rdi+0x20]
    vcvtdq2ps zmm28, zmm28
    vmulps zmm28, zmm28, zmm4
    vmulps zmm28, zmm28, zmm5
    vfixupimmps zmm28, zmm28, zmm3, 0
    vpminsd zmm28, zmm28, zmm2
    vcvtps2dq zmm28, zmm28
    vpmovzxbd zmm29, [rdi+0x30]
    vcvtdq2ps zmm29, zmm29
    vmulps zmm29, zmm29, zmm4
    vmulps zmm29, zmm29, zmm5
    vfixupimmps zmm29, zmm29, zmm3, 0
    vpminsd zmm29, zmm29, zmm2
    vcvtps2dq zmm29, zmm29
    vpackssdw zmm28, zmm28, zmm29
    vpacksswb zmm0, zmm27, zmm28
    vpermd zmm0, zmm1, zmm0
    vmovdqu64 [rsi], zmm0
    add rdi, 0x40
    add rsi, 0x40
    dec rcx
    jne L6
    ret
; tile 1 of nest 1: move 256
L7:
    vmovdqu64 zmm4, [r10+0xB00]
    vmovdqu64 zmm5, [r10+0xB40]
    vmovdqu64 zmm6, [r10+0xB80]
    vmovdqu64 zmm7, [r10+0xBC0]
L8:
    vmovdqu64 zmm0, [rdi]
    vmovdqu64 zmm1, [rdi+0x40]
    vmovdqu64 zmm2, [rdi+0x80]
    vmovdqu64 zmm3, [rdi+0xC0]
    vpmovb2m k6, zmm0
    vmovdqa64 zmm27, zmm0
    vpermi2b zmm27, zmm4, zmm5
    vmovdqa64 zmm28, zmm0
    vpermi2b zmm28, zmm6, zmm7
    vmovdqu8 zmm27{k6}, zmm28
    vmovdqu64 [rsi], zmm27
    vpmovb2m k6, zmm1
    vmovdqa64 zmm27, zmm1
    vpermi2b zmm27, zmm4, zmm5
    vmovdqa64 zmm28, zmm1
    vpermi2b zmm28, zmm6, zmm7
    vmovdqu8 zmm27{k6}, zmm28
    vmovdqu64 [rsi+0x40], zmm27
    vpmovb2m k6, zmm2
    vmovdqa64 zmm27, zmm2
    vpermi2b zmm27, zmm4, zmm5
    vmovdqa64 zmm28, zmm2
    vpermi2b zmm28, zmm6, zmm7
    vmovdqu8 zmm27{k6}, zmm28
    vmovdqu64 [rsi+0x80], zmm27
    vpmovb2m k6, zmm3
    vmovdqa64 zmm27, zmm3
    vpermi2b zmm27, zmm4, zmm5
    vmovdqa64 zmm28, zmm3
    vpermi2b zmm28, zmm6, zmm7
    vmovdqu8 zmm27{k6}, zmm28
    vmovdqu64 [rsi+0xC0], zmm27
    add rdi, 0x100
    add rsi, 0x100
    dec rcx
    jne L8
    ret
; routines
L9:
    mov rcx, rax
    mul qword [r10+0xC20]
    div qword [r10+0xC28]
    mov r8, rax
    mov rax, [r10+0xC20]
    inc rax
    mul rcx
    div qword [r10+0xC28]
    mov rdx, rax
    mov rax, r8
    ret
; constants
    db 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f
    db 20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f 30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f
    db 40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50 51 52 53 54 55 56 57 58 59 5a 5b 5c 5d 5e 5f
    db 60 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73 74 75 76 77 78 79 7a 7b 7c 7d 7e 7f
    db 80 81 82 83 84 85 86 87 88 89 8a 8b 8c 8d 8e 8f 90 91 92 93 94 95 96 97 98 99 9a 9b 9c 9d 9e 9f
    db a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 ba bb bc bd be bf
    db c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 ca cb cc cd ce cf d0 d1 d2 d3 d4 d5 d6 d7 d8 d9 da db dc dd de df
    db e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 ea eb ec ed ee ef f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 fa fb fc fd fe ff
    db 00 00 00 00 04 00 00 00 08 00 00 00 0c 00 00 00 01 00 00 00 05 00 00 00 09 00 00 00 0d 00 00 00
    db 02 00 00 00 06 00 00 00 0a 00 00 00 0e 00 00 00 03 00 00 00 07 00 00 00 0b 00 00 00 0f 00 00 00
    db 00 00 fe 42 88 00 00 00

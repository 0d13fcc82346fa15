; spr f32:nchw:1x64x8x8 bf16:nchw
; 896 bytes
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
; nest 1: move 4096(s4,d2), cut at step 1 by 1
    cmp qword [r10+0xB18], 1
    jne L0
    mov edx, 0x20
    xor eax, eax
    jmp L1
L0:
    mov eax, 0x20
    call L10
    cmp rax, rdx
    jge L4
L1:
    mov [r10+0xB20], rax
    mov [r10+0xB28], rdx
    mov rdi, [r10+0xB00]
    mov rsi, [r10+0xB08]
; loop 1 by 128
    mov [r10+0xB30], rdi
    mov [r10+0xB38], rsi
    cmp qword [r10+0xB20], 0
    je L2
    mov rcx, [r10+0xB20]
    imul rcx, 0x200
    add rdi, rcx
    mov rcx, [r10+0xB20]
    imul rcx, 0x100
    add rsi, rcx
L2:
    mov rcx, [r10+0xB28]
    mov rdx, [r10+0xB20]
    sub rcx, rdx
    jle L3
    call L5
L3:
    mov rdi, [r10+0xB30]
    mov rsi, [r10+0xB38]
; exit
L4:
    vzeroupper
    mov rsp, rbp
    pop rbp
    ret
; tile 1 of nest 1: move 128
L5:
    vmovdqu64 zmm27, [rdi]
    vmovdqu64 zmm28, [rdi+0x40]
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L11
    vcvtne2ps2bf16 zmm0, zmm28, zmm27
L6:
    vmovdqu64 [rsi], zmm0
    vmovdqu64 zmm27, [rdi+0x80]
    vmovdqu64 zmm28, [rdi+0xC0]
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L12
    vcvtne2ps2bf16 zmm0, zmm28, zmm27
L7:
    vmovdqu64 [rsi+0x40], zmm0
    vmovdqu64 zmm27, [rdi+0x100]
    vmovdqu64 zmm28, [rdi+0x140]
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L13
    vcvtne2ps2bf16 zmm0, zmm28, zmm27
L8:
    vmovdqu64 [rsi+0x80], zmm0
    vmovdqu64 zmm27, [rdi+0x180]
    vmovdqu64 zmm28, [rdi+0x1C0]
    vfpclassps k6, zmm27, 0x20
    vfpclassps k7, zmm28, 0x20
    kortestw k6, k7
    jne L14
    vcvtne2ps2bf16 zmm0, zmm28, zmm27
L9:
    vmovdqu64 [rsi+0xC0], zmm0
    add rdi, 0x200
    add rsi, 0x100
    dec rcx
    jne L5
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
L11:
    call L15
    vmovdqa64 zmm0, zmm27
    jmp L6
L12:
    call L15
    vmovdqa64 zmm0, zmm27
    jmp L7
L13:
    call L15
    vmovdqa64 zmm0, zmm27
    jmp L8
L14:
    call L15
    vmovdqa64 zmm0, zmm27
    jmp L9
L15:
    vptestmd k6, zmm27, [r11]{1to16}
    vpaddd zmm30, zmm27, [r11+4]{1to16}
    vpaddd zmm30{k6}, zmm27, [r11+8]{1to16}
    vfixupimmps zmm30, zmm27, [r11+0xC]{1to16}, 0
    vmovdqa64 zmm27, zmm30
    vptestmd k6, zmm28, [r11]{1to16}
    vpaddd zmm30, zmm28, [r11+4]{1to16}
    vpaddd zmm30{k6}, zmm28, [r11+8]{1to16}
    vfixupimmps zmm30, zmm28, [r11+0xC]{1to16}, 0
    vmovdqa64 zmm28, zmm30
    vpsrld zmm27, zmm27, 0x10
    vpternlogd zmm27, zmm28, [r11+0x10]{1to16}, 0xF8
    vmovdqu64 zmm30, [r11+0x40]
    vpermw zmm27, zmm30, zmm27
    ret
; constants
    db 00 00 01 00 ff 7f 00 00 00 80 00 00 22 00 00 00 00 00 ff ff 00 11 11 11 00 00 c0 7f 00 00 00 00
    db 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    db 00 00 02 00 04 00 06 00 08 00 0a 00 0c 00 0e 00 10 00 12 00 14 00 16 00 18 00 1a 00 1c 00 1e 00
    db 01 00 03 00 05 00 07 00 09 00 0b 00 0d 00 0f 00 11 00 13 00 15 00 17 00 19 00 1b 00 1d 00 1f 00

; args: 2 9
; hot: 2 100
; stress: 1 3
; Ackermann's function.
main(2):
    CALL ackermann
    EXIT

ackermann(2):            ; m n
    DUPN 1
    JUMP_IF positive
    DUP                  ; m = 0: n + 1
    CONST_INT 1
    ADD
    RET 2
positive:
    DUP
    JUMP_IF both
    DUPN 1               ; n = 0: ackermann(m - 1, 1)
    CONST_INT 1
    SUB
    CONST_INT 1
    CALL ackermann
    RET 2
both:                    ; ackermann(m - 1, ackermann(m, n - 1))
    DUPN 1
    CONST_INT 1
    SUB
    DUPN 2
    DUPN 2
    CONST_INT 1
    SUB
    CALL ackermann
    CALL ackermann
    RET 2

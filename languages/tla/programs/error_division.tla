; args: 40
; stress: 5
; The divisor becomes 0 at last, deep within calls.
main(1):
    CALL down
    EXIT

down(1):
    CONST_INT 100
    DUPN 1
    DIV
    POP
    DUP
    CONST_INT 1
    SUB
    CALL down
    RET 1

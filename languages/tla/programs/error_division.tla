; args: 40
; stress: 5
; The divisor becomes 0 at last, deep within calls.
main(1):
    CALL_JIT down
    EXIT

down(1):
    CONST_INT 100
    DUPN 1
    DIV
    POP
    DUP
    CONST_INT 1
    SUB
    CALL_JIT down
    RET 1

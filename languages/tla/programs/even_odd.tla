; args: 201
; stress: 20
; Two functions that call each other: whether a number is even, 1 or 0.
main(1):
    CALL even
    EXIT

even(1):
    DUP
    JUMP_IF more
    CONST_INT 1
    RET 1
more:
    DUP
    CONST_INT 1
    SUB
    CALL odd
    RET 1

odd(1):
    DUP
    JUMP_IF more
    CONST_INT 0
    RET 1
more:
    DUP
    CONST_INT 1
    SUB
    CALL_JIT even
    RET 1

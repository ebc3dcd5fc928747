; args: 500
; stress: 50
; Calls within each other, as many as the argument says; counts them when they return.
main(1):
    CALL_JIT down
    EXIT

down(1):
    DUP
    JUMP_IF more
    CONST_INT 0
    RET 1
more:
    DUP
    CONST_INT 1
    SUB
    CALL_JIT down
    CONST_INT 1
    ADD
    RET 1

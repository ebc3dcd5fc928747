; args: 15
; hot: 22
; stress: 6
; The Fibonacci numbers by recursion.
main(1):
    CALL_JIT fib
    EXIT

fib(1):
    DUP
    CONST_INT 2
    LT
    JUMP_IF small
    DUP
    CONST_INT 1
    SUB
    CALL_JIT fib
    DUPN 1
    CONST_INT 2
    SUB
    CALL_JIT fib
    ADD
    RET 1
small:
    DUP
    RET 1

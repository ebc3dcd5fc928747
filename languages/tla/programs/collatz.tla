; args: 60
; hot: 2000
; stress: 6
; How many steps all numbers up to n take together until they are 1, by a loop that calls a function with a loop.
main(1):
    CONST_INT 0          ; n sum
loop:
    DUPN 1
    CALL_JIT steps
    ADD
    DUPN 1
    CONST_INT 1
    SUB
    PUTN 1
    DUPN 1
    JUMP_IF loop
    EXIT

steps(1):
    DUP                  ; n m
    CONST_INT 0          ; n m steps
loop:
    DUPN 1
    CONST_INT 1
    EQ
    JUMP_IF end
    CONST_INT 1
    ADD
    DUPN 1
    CONST_INT 2
    MOD
    JUMP_IF odd
    DUPN 1
    CONST_INT 2
    DIV
    PUTN 1
    JUMP loop
odd:
    DUPN 1
    CONST_INT 3
    MUL
    CONST_INT 1
    ADD
    PUTN 1
    JUMP loop
end:
    PUTN 0
    RET 1

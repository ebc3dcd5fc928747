; args: 90
; stress: 12
; A function that is called with integers and with strings: the loop's variable is doubled each time, and every fifth time it
; becomes one of the other type.
main(1):
    CONST_INT 1          ; n x
loop:
    DUPN 1
    CONST_INT 5
    MOD
    JUMP_IF next
    POP
    DUP
    CONST_INT 10
    MOD
    JUMP_IF text
    CONST_INT 1
    JUMP next
text:
    NEWSTR "x"
next:                    ; n x
    CALL_JIT twice
    DUPN 1
    CONST_INT 1
    SUB
    PUTN 1
    DUPN 1
    JUMP_IF loop
    EXIT

twice(1):
    DUP
    DUPN 1
    ADD
    RET 1

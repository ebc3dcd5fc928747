; args: 40
; stress: 5
; A type error in a call, after many that went well.
main(1):
loop:
    DUP
    CALL half
    POP
    CONST_INT 1
    SUB
    DUP
    JUMP_IF loop
    NEWSTR "x"
    CALL half
    EXIT

half(1):
    DUP
    CONST_INT 2
    DIV
    RET 1

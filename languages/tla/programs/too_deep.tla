; args: 3
; A program that calls itself forever, each time after a loop.
main(1):
loop:
    CONST_INT 1
    SUB
    DUP
    JUMP_IF loop
    POP
    CONST_INT 3
    CALL main
    EXIT

; args: 60
; stress: 6
; As in the paper: for each n down to 1 a call of a function that counts a copy of n down.
main(1):
loop:
    DUP
    CALL sub_loop
    POP
    CONST_INT 1
    SUB
    DUP
    CONST_INT 1
    LT
    JUMP_IF end
    JUMP loop
end:
    EXIT

sub_loop(1):
    DUP
loop:
    CONST_INT 1
    SUB
    DUP
    CONST_INT 1
    LT
    JUMP_IF end
    JUMP loop
end:
    RET 1

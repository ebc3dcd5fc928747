; args: 60
; stress: 6
; A loop in a loop, as in the paper: the inner one counts a copy of n down for each n.
main(1):
outer:
    DUP
inner:
    CONST_INT 1
    SUB
    DUP
    CONST_INT 1
    LT
    JUMP_IF next
    JUMP inner
next:
    POP
    CONST_INT 1
    SUB
    DUP
    CONST_INT 1
    LT
    JUMP_IF end
    JUMP outer
end:
    EXIT

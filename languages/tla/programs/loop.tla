; args: 3000
; stress: 40
; Counts down, as in the paper.
main(1):
loop:
    DUP
    CONST_INT 1
    LT
    JUMP_IF end
    CONST_INT 1
    SUB
    JUMP loop
end:
    EXIT

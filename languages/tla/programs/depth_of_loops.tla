; args: 100
; stress: 12
; Calls within each other, each out of a loop: the loop of each call goes on when the call returns. Counts the calls.
main(1):
    CALL down
    EXIT

down(1):
    CONST_INT 4          ; n k
    CONST_INT 0          ; n k result
loop:
    DUPN 1
    CONST_INT 2
    EQ
    JUMP_IF turn
next:
    DUPN 1
    CONST_INT 1
    SUB
    PUTN 1
    DUPN 1
    JUMP_IF loop
    PUTN 0               ; n result
    RET 1
turn:
    DUPN 2
    JUMP_IF call
    JUMP next
call:
    POP
    DUPN 1
    CONST_INT 1
    SUB
    CALL down
    CONST_INT 1
    ADD
    JUMP next

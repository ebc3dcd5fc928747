; args: 60
; stress: 6
; callabit of the paper: the loop of calls has baseline code, the function that it calls has traces.
main(1):
    CALL loop_of_calls
    EXIT

loop_of_calls(1):
loop:
    DUP
    CALL_JIT sub_loop
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

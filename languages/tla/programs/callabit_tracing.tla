; args: 60
; stress: 6
; callabit whose inner function is called for the tracing JIT.
main(1):
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

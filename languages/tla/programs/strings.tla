; args: 40
; stress: 6
; Strings: a text that grows in a loop, compared by content and by order. The result is the text if it was always
; less than "abb".
main(1):
    NEWSTR ""            ; n text
    CONST_INT 0          ; n text count
loop:
    DUPN 1
    DUPN 3
    CALL_JIT letter
    ADD
    PUTN 1               ; the text is longer
    DUPN 1
    NEWSTR "abb"
    LT
    ADD
    DUPN 2
    CONST_INT 1
    SUB
    PUTN 2
    DUPN 2
    JUMP_IF loop
    CONST_INT 40
    EQ
    JUMP_IF text
    NEWSTR "not always"
    EXIT
text:
    NEWSTR "always: "
    DUPN 1
    ADD
    EXIT

letter(1):               ; "b" for an odd number, "a" for an even one
    CONST_INT 2
    MOD
    JUMP_IF odd
    NEWSTR "a"
    EXIT
odd:
    NEWSTR "b"
    EXIT

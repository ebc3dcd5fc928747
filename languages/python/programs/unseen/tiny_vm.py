# Assembler and stack machine for a small bytecode, running gcd, sieve, fibonacci and a string printer. args: rounds of the programs.
# args: 28
# quick: 1
import sys
from enum import IntEnum, auto


class Op(IntEnum):
    PUSH = auto()
    POP = auto()
    DUP = auto()
    SWAP = auto()
    OVER = auto()
    ADD = auto()
    SUB = auto()
    MUL = auto()
    MOD = auto()
    LT = auto()
    EQ = auto()
    NOT = auto()
    LOAD = auto()
    STORE = auto()
    PEEK = auto()
    POKE = auto()
    JMP = auto()
    JZ = auto()
    CALL = auto()
    RET = auto()
    OUT = auto()
    EMIT = auto()
    HALT = auto()


WITH_ARG = {Op.PUSH, Op.LOAD, Op.STORE, Op.JMP, Op.JZ, Op.CALL}


class VMError(RuntimeError):
    pass


def assemble(source):
    labels, items = {}, []
    where = 0
    for line in source.splitlines():
        line = line.partition(';')[0].strip()
        if not line:
            continue
        if line.endswith(':'):
            labels[line[:-1]] = where
            continue
        for part in line.split(','):
            name, *rest = part.split()
            op = Op[name.upper()]
            if (op in WITH_ARG) != (len(rest) == 1):
                raise VMError("bad operand count: " + part.strip())
            items.append((op, rest[0] if rest else None))
            where += 2 if rest else 1
    code = []
    for op, arg in items:
        code.append(int(op))
        if arg is not None:
            if arg in labels:
                code.append(labels[arg])
            else:
                try:
                    code.append(int(arg, 0))
                except ValueError:
                    raise VMError("unknown label " + arg) from None
    return code


class Machine:
    def __init__(self, code, memory=256, fuel=1000000):
        self.code = code
        self.mem = [0] * memory
        self.stack = []
        self.calls = []
        self.pc = 0
        self.fuel = fuel
        self.steps = 0
        self.output = []
        self.text = ''

    def run(self):
        # plain ints: comparing enum members in the loop is slow
        (PUSH, POP, DUP, SWAP, OVER, ADD, SUB, MUL, MOD, LT, EQ, NOT, LOAD, STORE, PEEK, POKE,
         JMP, JZ, CALL, RET, OUT, EMIT, HALT) = [int(o) for o in Op]
        code, stack, mem = self.code, self.stack, self.mem
        pc, steps = self.pc, 0
        try:
            while True:
                op = code[pc]
                pc += 1
                steps += 1
                if steps > self.fuel:
                    raise VMError("out of fuel")
                if op == PUSH:
                    stack.append(code[pc])
                    pc += 1
                elif op == LOAD:
                    stack.append(mem[code[pc]])
                    pc += 1
                elif op == STORE:
                    mem[code[pc]] = stack.pop()
                    pc += 1
                elif op == ADD:
                    b = stack.pop()
                    stack[-1] += b
                elif op == SUB:
                    b = stack.pop()
                    stack[-1] -= b
                elif op == MUL:
                    b = stack.pop()
                    stack[-1] = stack[-1] * b & 0xFFFFFFFF
                elif op == MOD:
                    b = stack.pop()
                    if b == 0:
                        raise VMError("modulo by zero at %d" % pc)
                    stack[-1] %= b
                elif op == LT:
                    b = stack.pop()
                    stack[-1] = int(stack[-1] < b)
                elif op == EQ:
                    b = stack.pop()
                    stack[-1] = int(stack[-1] == b)
                elif op == NOT:
                    stack[-1] = int(not stack[-1])
                elif op == JMP:
                    pc = code[pc]
                elif op == JZ:
                    pc = code[pc] if not stack.pop() else pc + 1
                elif op == DUP:
                    stack.append(stack[-1])
                elif op == POP:
                    stack.pop()
                elif op == SWAP:
                    stack[-1], stack[-2] = stack[-2], stack[-1]
                elif op == OVER:
                    stack.append(stack[-2])
                elif op == PEEK:
                    stack[-1] = mem[stack[-1]]
                elif op == POKE:
                    address = stack.pop()
                    mem[address] = stack.pop()
                elif op == CALL:
                    self.calls.append(pc + 1)
                    pc = code[pc]
                elif op == RET:
                    pc = self.calls.pop()
                elif op == OUT:
                    self.output.append(stack.pop())
                elif op == EMIT:
                    self.text += chr(stack.pop())
                elif op == HALT:
                    break
                else:
                    raise VMError("illegal opcode %d" % op)
        except IndexError:
            raise VMError("fault near %d" % pc)
        finally:
            self.pc, self.steps = pc, self.steps + steps
        return self


PROGRAMS = {
    'gcd': """
        push 0, store 2
        push 1, store 0
    outer:
        load 0, push 40, lt, jz done
        load 0, push 36, call gcd
        load 2, add, store 2
        load 0, push 1, add, store 0
        jmp outer
    done:
        load 2, out, halt
    gcd:                  ; a b -- g
        dup, jz stop
        swap, over, mod
        jmp gcd
    stop:
        pop, ret
    """,
    'sieve': """
        push 2, store 0
    next:
        load 0, push 100, lt, jz count
        load 0, push 100, add, peek, not, jz skip
        load 0, out
        load 0, dup, mul, store 1
    mark:
        load 1, push 100, lt, jz skip
        push 1, load 1, push 100, add, poke
        load 1, load 0, add, store 1
        jmp mark
    skip:
        load 0, push 1, add, store 0
        jmp next
    count:
        halt
    """,
    'fib': """
        push 12, call fib, out, halt
    fib:
        dup, push 2, lt, jz more
        ret
    more:
        dup, push 1, sub, call fib
        swap, push 2, sub, call fib
        add, ret
    """,
    'letters': """
        push 0x41, store 0
    loop:
        load 0, emit
        load 0, push 3, add, store 0
        load 0, push 0x5b, lt, jz end
        jmp loop
    end:
        halt
    """,
    'broken': "push 3, push 0, mod, out, halt",
    'endless': """
    here:
        jmp here
    """,
    'empty': "push 1, add, halt",
}


def main(n):
    binaries = {name: assemble(text) for name, text in PROGRAMS.items()}
    print("bytes", [(name, len(code), sum(code)) for name, code in binaries.items()])
    total = 0
    for round_no in range(n):
        for name, code in binaries.items():
            vm = Machine(code, fuel=20000)
            try:
                vm.run()
                report = vm.output if len(vm.output) < 6 else (len(vm.output), vm.output[-1], sum(vm.output))
            except VMError as err:
                report = str(err)
            total += vm.steps
            if round_no == n - 1:
                print(name, "steps", vm.steps, "->", report, vm.text)
    print("all steps", total)
    try:
        assemble("push 1, jmp nowhere")
    except VMError as err:
        print("assembler:", err, "| cause hidden", err.__cause__ is None)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)

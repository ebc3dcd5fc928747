# One-way constraints of different strengths, planned as DeltaBlue does. args: variables.
# args: 3000
# quick: 20
import sys

REQUIRED, PREFERRED, DEFAULT, WEAK = 0, 1, 2, 3


class Variable:
    def __init__(self, name, value):
        self.name = name
        self.value = value
        self.constraints = []
        self.by = None
        self.strength = WEAK
        self.mark = 0
        self.stays = True


class Constraint:
    def __init__(self, strength):
        self.strength = strength

    def added(self, planner):
        for variable in self.variables():
            variable.constraints.append(self)
        planner.satisfy_all(self)

    def removed(self, planner):
        for variable in self.variables():
            variable.constraints.remove(self)
        if self.is_satisfied():
            planner.retract(self)

    def satisfy(self, mark, planner):
        """The constraint that gave way to this one, if there is one."""
        self.choose(mark)
        if not self.is_satisfied():
            if self.strength == REQUIRED:
                raise ValueError('a required constraint cannot be satisfied')
            return None
        for variable in self.inputs():
            variable.mark = mark
        out = self.output()
        before = out.by
        if before is not None:
            before.forget()
        out.by = self
        planner.propagate(self, mark)
        out.mark = mark
        return before

    def known(self, mark):
        return all(v.mark == mark or v.stays or v.by is None for v in self.inputs())

    is_input = False


class Unary(Constraint):
    def __init__(self, variable, strength, planner):
        super().__init__(strength)
        self.variable = variable
        self.satisfied = False
        self.added(planner)

    def variables(self):
        return (self.variable,)

    def inputs(self):
        return ()

    def output(self):
        return self.variable

    def is_satisfied(self):
        return self.satisfied

    def forget(self):
        self.satisfied = False

    def choose(self, mark):
        self.satisfied = self.variable.mark != mark and self.strength < self.variable.strength

    def recalculate(self):
        self.variable.strength = self.strength
        self.variable.stays = not self.is_input
        if self.variable.stays:
            self.execute()

    def execute(self):
        pass


class Stay(Unary):
    pass


class Edit(Unary):
    is_input = True


class Binary(Constraint):
    def __init__(self, first, second, strength, planner):
        super().__init__(strength)
        self.first = first
        self.second = second
        self.direction = 0
        self.added(planner)

    def variables(self):
        return (self.first, self.second)

    def inputs(self):
        return (self.first,) if self.direction > 0 else (self.second,)

    def output(self):
        return self.second if self.direction > 0 else self.first

    def is_satisfied(self):
        return self.direction != 0

    def forget(self):
        self.direction = 0

    def choose(self, mark):
        first, second = self.first, self.second
        if first.mark == mark:
            free = second.mark != mark and self.strength < second.strength
            self.direction = 1 if free else 0
        elif second.mark == mark:
            self.direction = -1 if self.strength < first.strength else 0
        elif first.strength > second.strength:
            self.direction = -1 if self.strength < first.strength else 0
        else:
            self.direction = 1 if self.strength < second.strength else 0

    def recalculate(self):
        source, out = self.inputs()[0], self.output()
        out.strength = max(self.strength, source.strength)
        out.stays = source.stays
        if out.stays:
            self.execute()


class Equal(Binary):
    def execute(self):
        self.output().value = self.inputs()[0].value


class Scale(Binary):
    def __init__(self, first, factor, offset, second, strength, planner):
        self.factor = factor
        self.offset = offset
        super().__init__(first, second, strength, planner)

    def execute(self):
        if self.direction > 0:
            self.second.value = self.first.value * self.factor + self.offset
        else:
            self.first.value = (self.second.value - self.offset) // self.factor


class Planner:
    def __init__(self):
        self.mark = 0

    def new_mark(self):
        self.mark += 1
        return self.mark

    def satisfy_all(self, constraint):
        mark = self.new_mark()
        while constraint is not None:
            constraint = constraint.satisfy(mark, self)

    def retract(self, constraint):
        out = constraint.output()
        constraint.forget()
        loose = []
        out.by, out.strength, out.stays = None, WEAK, True
        queue = [out]
        while queue:
            variable = queue.pop()
            for other in variable.constraints:
                if not other.is_satisfied():
                    loose.append(other)
                elif other is not variable.by:
                    other.recalculate()
                    queue.append(other.output())
        for other in sorted(loose, key=lambda other: other.strength):
            self.satisfy_all(other)

    def propagate(self, constraint, mark):
        queue = [constraint]
        while queue:
            constraint = queue.pop()
            if constraint.output().mark == mark:
                raise ValueError('the constraints go in a circle')
            constraint.recalculate()
            out = constraint.output()
            queue.extend([c for c in out.constraints if c is not out.by and c.is_satisfied()])

    def plan(self, sources):
        mark = self.new_mark()
        plan = []
        queue = [source for source in sources if source.is_input and source.is_satisfied()]
        while queue:
            constraint = queue.pop()
            out = constraint.output()
            if out.mark != mark and constraint.known(mark):
                plan.append(constraint)
                out.mark = mark
                queue.extend([c for c in out.constraints if c is not out.by and c.is_satisfied()])
        return plan


def changed(variable, values, planner):
    edit = Edit(variable, PREFERRED, planner)
    plan = planner.plan([edit])
    for value in values:
        variable.value = value
        for constraint in plan:
            constraint.execute()
    edit.removed(planner)


def chain(n):
    planner = Planner()
    variables = [Variable('v%d' % k, 0) for k in range(n)]
    for a, b in zip(variables, variables[1:]):
        Equal(a, b, REQUIRED, planner)
    Stay(variables[-1], DEFAULT, planner)
    changed(variables[0], range(10), planner)
    return variables[-1].value


def projection(n):
    planner = Planner()
    outs = []
    for k in range(n):
        source, out = Variable('s', k), Variable('o', k)
        outs.append(out)
        Stay(source, DEFAULT, planner)
        Scale(source, 10, 3, out, REQUIRED, planner)
    changed(source, [17], planner)
    first = out.value
    changed(out, [1053], planner)
    return first, source.value, sum([out.value for out in outs])


def main(n):
    print(chain(n), *projection(n))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)

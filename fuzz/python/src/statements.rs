//! Simple statements. In: how deep what they contain may be. Out: lines. Invariant: what is
//! assigned to a variable is of the kind that the variable holds, and bounded.

use super::writer::{Rank, Want, Writer};

/// What is done to the list in `X`, which stops growing.
const LISTS: &[&str] = &[
    "if len(X) < 30: X.append(I)",
    "if len(X) < 30: X.insert(I & 3, I)",
    "if len(X) < 30: X.extend(L)",
    "if len(X) < 30: X += [I, I]",
    "if len(X) < 30: X[1:1] = L[:5]",
    "if X: X.pop()",
    "if X: X.pop(0)",
    "if X: X[I % len(X)] = I",
    "if X: X[-1] += I & 15",
    "if X: del X[I % len(X)]",
    "X.reverse()",
    "X.sort()",
    "X[:] = X[1:9]",
    "del X[5:]",
    "if I in X: X.remove(X[0])",
    "X.clear()",
    "if len(X) > 2: X[::2] = [I] * len(X[::2])",
    "if len(X) > 1: X[0], X[1] = X[1], X[0]",
    "X[I & 3] = I",
];

/// The same for the dict in `X`.
const DICTS: &[&str] = &[
    "if len(X) < 20: X[K] = I",
    "if len(X) < 20: X[K] = X.get(K, 0) + (I & 7)",
    "if len(X) < 20: X.setdefault(K, I)",
    "if len(X) < 20: X.update({K: I, K: I})",
    "if len(X) < 20: X |= {K: I}",
    "X.pop(K, I)",
    "if K in X: del X[K]",
    "for key in X: X[key] = I",
    "for key, old in list(X.items()): X[key] = cut(old + I)",
    "if X: X.popitem()",
    "if X: X.pop(next(iter(X)))",
    "if len(X) > 10: X.clear()",
    "del X[K]",
];

/// The same for the set in `X`.
const SETS: &[&str] = &[
    "if len(X) < 20: X.add(I)",
    "if len(X) < 20: X.update(L)",
    "if len(X) < 20: X |= {I, I}",
    "X.discard(I)",
    "X -= {I, 1}",
    "X &= U",
    "X.remove(I)",
    "if len(X) > 10: X.clear()",
];

/// The same for the object in `X`.
const OBJECTS: &[&str] = &[
    "X.x = I",
    "X.y = I",
    "X.p = I",
    "X.x += I & 31",
    "X.z = I",
    "C0.k = I",
    "C1.k = I",
    "C0.k += 1",
    "setattr(X, 'y', I)",
    "X.bump()",
    "X[I & 3] = I",
    "C2.late = lambda self, v: cut(self.x + v)",
    "C0.late = lambda self, v: v ^ 5",
    "C1.other = property(lambda self: self.x & 7)",
    "if hasattr(X, 'z'): del X.z",
    "for each in pool: each.x = cut(each.m(I))",
    "for each in pool: show(type(each).__name__, each.m(I), each.k)",
    "for each in (1, 2.5, 's', (1,), X): show(each.p if each is X else size(poly(each, each)))",
    "for each in [X, *pool]: each.y = each.p & 255",
    "show(X, X.k, C1.k)",
    "show(X == X, X + 1, X < pool[0])",
];

/// What is there beside.
const OTHERS: &[&str] = &[
    "A, B = I, I",
    "A, *B = [I, *L]",
    "*A, B = T",
    "(A, B), C = (I, I), I",
    "A = B = I",
    "show(spread(*L[:3], k=I & 7, **{'q': I}))",
    "show(*T, sep='/')",
    "show(*[v for v in L], J)",
    "print(I, end=';\\n')",
    "show([poly(v, I) for v in (1, 2.5, 's', None, 2 ** 70)])",
    "show([size(v) for v in (J, L, T, D)])",
    "show(list(zip(L, S)), dict(enumerate(S)))",
    "show({v: [v] * 2 for v in L[:3]})",
    "show([[v, w] for v in L[:2] for w in T if v != w])",
    "show(sorted(L, key=lambda v: (v & 3, v)), J)",
    "show(f'{I!r:>8}{S}{B}')",
    "show(min(L, default=I), max(T), sum(L, I))",
    "A = iter(L)\nshow(next(A, I), list(A))",
    "A = count(I & 7)\nshow(next(A, 0), next(A, 0), list(A))",
    "A = safe(3)\nshow(next(A), A.throw(KeyError('k')), next(A, 'end'))",
    "A = safe(4)\nshow(next(A))\nA.close()",
    "A = count(9)\nshow(next(A), A.send(I & 3), list(A))",
    "show(list(chain(I & 3, 2)))",
    "show(list(safe(I & 3)))",
    "assert I != 3, S",
    "A = I\ndel A",
    "show((A := I) + 1, A)",
    "try:\n    forever(I & 7)\nexcept RecursionError:\n    show('deep')",
    "show(I if I > 3 else S)",
    "show(round(F, 1), round(I, -1), I / 4)",
    "show(I // 7, I % -7, divmod(I, 5), -I >> 1)",
    "show(F // 1 if -1e300 < F < 1e300 else 0)",
    "show(1 < I < 9 or S)",
    "show(type(I).__name__, type(F).__name__, type(L) is list)",
];

impl Writer<'_, '_> {
    /// A statement, which may have others in it.
    pub fn statement(&mut self, depth: usize) {
        if !self.affords(2) {
            return self.line("pass");
        }
        let kind = self
            .tape
            .weighted(&[12, 4, 3, 6, 4, 2, 6, 4, 3, 3, 3, 2, 2, 1, 1]);
        match kind {
            _ if depth == 0 && [3, 4, 5, 7, 8, 9, 10].contains(&kind) => self.assignment(),
            0 => self.assignment(),
            1 => self.mutation(Want::Ints, LISTS),
            2 => self.mutation(Want::Dict, DICTS),
            3 => self.condition(depth - 1),
            4 => self.counted(depth - 1),
            5 => self.bounded(depth - 1),
            6 => self.object(),
            7 => self.each(depth - 1),
            8 => self.guarded(depth - 1),
            9 => self.closure(depth - 1),
            10 => self.with(depth - 1),
            11 => self.other(),
            12 => self.mutation(Want::Set, SETS),
            13 => self.fault(),
            _ if self.loops > 0 => self.leave(),
            _ => self.assignment(),
        }
    }

    /// An assignment, or a new variable.
    pub fn assignment(&mut self) {
        if self.has_room() && self.tape.chance(1, 6) {
            let name = self.name("n");
            return self.define(&name);
        }
        let want = match self.tape.chance(1, 2) {
            true => self.some_want(),
            false => Want::Int,
        };
        let Some(target) = self.target(want) else {
            return self.line("pass");
        };
        let operators = match want {
            Want::Int => &["+", "-", "^", "|", "&"][..],
            Want::Float => &["+", "-", "*"],
            _ => &[],
        };
        if !operators.is_empty() && self.tape.chance(1, 3) {
            let operator = self.tape.pick(operators);
            let value = self.kept(want, 2);
            return self.line(&format!("{target} {operator}= {value}"));
        }
        let value = self.kept(want, 3);
        self.line(&format!("{target} = {value}"));
    }

    /// Something that changes a list, dict or set.
    fn mutation(&mut self, want: Want, forms: &[&str]) {
        let Some(target) = self.var(want).filter(|_| self.affords(20)) else {
            return self.assignment();
        };
        let form = self.tape.pick(forms);
        let text = self.simple(form).replace('X', &target);
        // An augmented assignment makes the variable one of the function.
        let assigns = form.contains("X += ") || form.contains("X |= ");
        let assigns = assigns || form.contains("X -= ") || form.contains("X &= ");
        let is_writable = |w: &Self| w.vars.iter().any(|v| v.name == target && v.writable);
        match assigns && !is_writable(self) {
            true => self.assignment(),
            false => self.line(&text),
        }
    }

    /// Something that changes an object or a class, or sees several classes at one place.
    fn object(&mut self) {
        let objects = self.rank == Rank::Function && self.affords(60);
        let Some(target) = self.var(Want::Obj).filter(|_| objects) else {
            return self.assignment();
        };
        if self.tape.chance(1, 5)
            && let Some(variable) = self.target(Want::Obj)
        {
            let value = self.expr(Want::Obj, 2);
            return self.line(&format!("{variable} = {value}"));
        }
        let form = self.tape.pick(OBJECTS);
        let text = self.simple(form).replace('X', &target);
        self.line(&text);
    }

    /// One of the other statements.
    fn other(&mut self) {
        let form = self.tape.pick(OTHERS);
        let expensive = ["forever", "chain", "safe", "poly"];
        let cost = match form {
            _ if form.contains("forever") => 1500,
            _ if expensive.iter().any(|name| form.contains(name)) => 40,
            _ => 10,
        };
        if self.rank < Rank::Closure || !self.has_room() || !self.affords(cost) {
            return self.assignment();
        }
        let names = ["A", "B", "C"].map(|_| self.name("n"));
        // What is unpacked is `A`, `B` and `C` there: no operands.
        let unpacks = ["A, ", "*A", "(A", "A = B"];
        let unpacks = unpacks.iter().any(|start| form.starts_with(start));
        let form = match unpacks {
            true => form
                .replace('A', "&0")
                .replace('B', "&1")
                .replace('C', "&2"),
            false => form.replace('A', "&0"),
        };
        let mut text = self.simple(&form);
        for (number, name) in names.iter().enumerate() {
            text = text.replace(&format!("&{number}"), name);
        }
        self.line(&text);
    }

    /// A form whose operands are small, and whose integers are kept.
    fn simple(&mut self, form: &str) -> String {
        // Binary `&` of a form is followed by a space, so that `&0` is a name to be.
        let outer = std::mem::take(&mut self.grew);
        let text = self.fill(form, 1);
        let grew = std::mem::replace(&mut self.grew, outer);
        match grew {
            // Once more, without what grows.
            true => self.fill(form, 0),
            false => text,
        }
    }
}

# A calculator whose mistakes are exceptions, raised deep and caught far away. args: lines.
# args: 12000
# quick: 100
import sys


class Mistake(Exception):
    def __init__(self, place, what):
        super().__init__(what)
        self.place = place


class Unknown(Mistake):
    pass


class Unexpected(Mistake):
    pass


class Calculator:
    def __init__(self):
        self.variables = {'one': 1, 'ten': 10}
        self.depth = 0

    def run(self, line):
        self.words = line.split()
        self.at = 0
        value = self.sum()
        if self.at < len(self.words):
            raise Unexpected(self.at, self.words[self.at])
        return value

    def next(self):
        try:
            word = self.words[self.at]
        except IndexError:
            raise Unexpected(self.at, 'end') from None
        self.at += 1
        return word

    def sum(self):
        self.depth += 1
        try:
            value = self.product()
            while self.at < len(self.words) and self.words[self.at] in ('+', '-'):
                sign = self.next()
                other = self.product()
                value = value + other if sign == '+' else value - other
            return value
        finally:
            self.depth -= 1

    def product(self):
        value = self.single()
        while self.at < len(self.words) and self.words[self.at] in ('*', '/'):
            if self.next() == '*':
                value *= self.single()
            else:
                value //= self.single()
        return value

    def single(self):
        word = self.next()
        if word == '(':
            value = self.sum()
            if self.next() != ')':
                raise Unexpected(self.at, 'no end')
            return value
        try:
            return int(word)
        except ValueError:
            pass
        try:
            return self.variables[word]
        except KeyError as e:
            raise Unknown(self.at, word) from e


LINES = (
    '1 + 2 * 3',
    '( one + 4 ) * ( ten - 2 )',
    '7 / ( 3 - 3 )',
    '2 * two',
    '( 1 + ( 2 * ( 3 + ( 4 ) ) ) )',
    '5 5',
    '( 1 + 2',
    'ten / 3 + one',
)


def main(n):
    calculator = Calculator()
    total = 0
    counts = {}
    for k in range(n):
        try:
            total += calculator.run(LINES[k % len(LINES)])
        except Unknown as e:
            counts['unknown'] = counts.get('unknown', 0) + e.place
        except Mistake as e:
            counts[str(e)] = counts.get(str(e), 0) + 1
        except ArithmeticError as e:
            counts[type(e).__name__] = counts.get(type(e).__name__, 0) + 1
        else:
            counts['right'] = counts.get('right', 0) + 1
        finally:
            total += calculator.depth
    print(total, sorted(counts.items()))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)

# Tables of people, joined and grouped by comprehensions of all kinds. args: people.
# args: 25000
# quick: 100
import sys


class Person:
    def __init__(self, number):
        self.number = number
        self.town = number * number % 97
        self.born = 1930 + number * 7 % 80
        self.friends = [(number * k + 3) % (number + 1) for k in (2, 3, 5)]

    @property
    def age(self):
        return 2020 - self.born


def grouped(people):
    towns = {person.town for person in people}
    return {town: [p for p in people if p.town == town] for town in sorted(towns)[:8]}


def main(n):
    people = [Person(number) for number in range(n)]
    ages = {p.number: p.age for p in people}
    old = {number for number, age in ages.items() if age > 60}
    pairs = [(p.number, f) for p in people for f in p.friends if f in old and f != p.number]
    within = [[a * b % 10 for a in range(12)] for b in range(n // 50)]
    flat = [cell for row in within for cell in row if cell & 1]
    groups = grouped(people)
    sizes = {town: len(group) for town, group in groups.items()}
    means = [sum(p.age for p in group) // (len(group) or 1) for group in groups.values()]
    print(len(pairs), sum(a ^ b for a, b in pairs), sum(flat), sum(sizes.values()), means[:3])


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)

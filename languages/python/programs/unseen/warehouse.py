# Bank and warehouse in one shop: dataclasses, custom exceptions, transactions that roll back. args: orders.
# args: 14500
# quick: 25
import sys
from collections import defaultdict, Counter
from dataclasses import dataclass, field, replace, asdict, astuple
from enum import Enum
from random import Random


class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SHIPPED = "shipped"
    REFUSED = "refused"

    @property
    def final(self) -> bool:
        return self in (Status.SHIPPED, Status.REFUSED)


class ShopError(Exception):
    code = 1


class OutOfStock(ShopError):
    code = 2

    def __init__(self, sku, wanted, available):
        super().__init__(f"{sku}: wanted {wanted}, have {available}")
        self.missing = wanted - available


class InsufficientFunds(ShopError):
    code = 3


class AccountFrozen(ShopError):
    code = 4


@dataclass(frozen=True, order=True)
class Product:
    sku: str
    price: int
    tags: tuple = field(default=(), compare=False)


@dataclass
class Account:
    owner: str
    balance: int = 0
    frozen: bool = False
    history: list = field(default_factory=list, repr=False)

    def __post_init__(self):
        if self.balance < 0:
            raise ValueError("negative opening balance")

    def withdraw(self, amount: int) -> None:
        if self.frozen:
            raise AccountFrozen(self.owner)
        if amount > self.balance:
            raise InsufficientFunds(f"{self.owner} lacks {amount - self.balance}")
        self.balance -= amount
        self.history.append(-amount)

    def deposit(self, amount: int) -> None:
        self.balance += amount
        self.history.append(amount)


@dataclass
class Order:
    number: int
    account: Account
    lines: dict
    status: Status = Status.NEW

    def total(self, catalogue) -> int:
        return sum(catalogue[sku].price * k for sku, k in self.lines.items())


class Transaction:
    """Context manager with an undo log."""

    def __init__(self, stats):
        self.undo = []
        self.stats = stats

    def on_rollback(self, fn, *args):
        self.undo.append((fn, args))

    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        if kind is None:
            self.stats["commits"] += 1
            return False
        while self.undo:
            fn, args = self.undo.pop()
            fn(*args)
        self.stats["rollbacks"] += 1
        return False


class Warehouse:
    def __init__(self, catalogue, initial):
        self.catalogue = catalogue
        self.stock = dict.fromkeys(catalogue, initial)
        self.stats = Counter()

    def take(self, sku, k):
        available = self.stock[sku]
        if k > available:
            raise OutOfStock(sku, k, available)
        self.stock[sku] = available - k

    def give(self, sku, k):
        self.stock[sku] += k

    def process(self, order, till):
        with Transaction(self.stats) as tx:
            for sku, k in order.lines.items():
                self.take(sku, k)
                tx.on_rollback(self.give, sku, k)
            amount = order.total(self.catalogue)
            order.account.withdraw(amount)
            tx.on_rollback(order.account.deposit, amount)
            order.status = Status.PAID
            if order.number % 13 == 12:
                raise ShopError("van broke down")
            till.deposit(amount)
            order.status = Status.SHIPPED

    def restock(self, sku, upto):
        added = max(0, upto - self.stock[sku])
        self.stock[sku] += added
        return added


def main(n):
    rng = Random("shop")
    catalogue = {p.sku: p for p in (Product(f"P{i:02d}", 5 + i * i % 37, ("even",) if i % 2 == 0 else ()) for i in range(20))}
    people = [Account(name, 1000 * (i + 1), name == "eve") for i, name in enumerate(["ann", "bob", "cy", "dee", "eve"])]
    till = Account("till")
    shop = Warehouse(catalogue, 30)
    failures = defaultdict(list)
    orders = []
    skus = list(catalogue)
    for number in range(n):
        lines = {rng.choice(skus): rng.randint(1, 6) for _ in range(rng.randint(1, 4))}
        order = Order(number, rng.choice(people), lines)
        orders.append(order)
        try:
            shop.process(order, till)
        except OutOfStock as e:
            order.status = Status.REFUSED
            failures[e.code].append(str(e))
            for sku in order.lines:
                shop.stats["restocked"] += shop.restock(sku, 12 + e.missing)
        except (InsufficientFunds, AccountFrozen) as e:
            order.status = Status.REFUSED
            failures[e.code].append(str(e))
            if e.code == 3:
                order.account.deposit(1500)
        except ShopError as e:
            failures[e.code].append(str(e))
        else:
            shop.stats["fine"] += 1
        finally:
            shop.stats["handled"] += 1
    print("stats", {k: shop.stats[k] for k in ("handled", "fine", "commits", "rollbacks", "restocked")})
    for code in sorted(failures):
        print("code", code, len(failures[code]), "last:", failures[code][-1])
    print("status", {s.name: sum(o.status is s for o in orders) for s in Status}, sum(o.status.final for o in orders))
    for p in people:
        print(p, len(p.history), sum(p.history))
    print(till.balance, sum(o.total(catalogue) for o in orders if o.status is Status("shipped")), sum(shop.stock.values()))
    best = max(orders, key=lambda o: (o.total(catalogue), -o.number))
    print("largest", best.number, best.total(catalogue), best.account.owner, sorted(best.lines.items()))
    cheap = min(catalogue.values(), key=lambda p: (p.price, p))
    print(cheap, replace(cheap, price=1) < cheap, asdict(cheap), astuple(cheap)[:2], cheap == Product(cheap.sku, cheap.price))
    try:
        cheap.price = 0
    except AttributeError as e:
        print("frozen:", type(e).__name__)
    try:
        Account("zed", -1)
    except ValueError as e:
        print("refused:", e)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 25)

"""An ORM in miniature: metaclasses, descriptors, operator overloading, __getattr__ tricks."""
import weakref, copy, pickle, pprint, types, sys
from collections import UserDict, UserList, abc


class Field:
    def __init__(self, kind=str, *, default=None, required=False):
        self.kind, self.default, self.required = kind, default, required

    def __set_name__(self, owner, name):
        self.name, self.slot = name, "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return Column(self)
        return obj.__dict__.get(self.slot, self.default)

    def __set__(self, obj, value):
        if value is not None and not isinstance(value, self.kind):
            try:
                value = self.kind(value)
            except (TypeError, ValueError) as e:
                raise TypeError(f"{type(obj).__name__}.{self.name}: {value!r} is no {self.kind.__name__}") from e
        obj.__dict__[self.slot] = value

    def __delete__(self, obj):
        obj.__dict__.pop(self.slot, None)


class Expr:
    def __init__(self, text, fn): self.text, self.fn = text, fn
    def __and__(self, o): return Expr(f"({self.text} AND {o.text})", lambda r: self.fn(r) and o.fn(r))
    def __or__(self, o): return Expr(f"({self.text} OR {o.text})", lambda r: self.fn(r) or o.fn(r))
    def __invert__(self): return Expr(f"NOT {self.text}", lambda r: not self.fn(r))
    def __bool__(self): raise TypeError("use & and |")


class Column:
    def __init__(self, field): self.field = field
    def _op(sign, fn):
        def method(self, other):
            name = self.field.name
            return Expr(f"{name} {sign} {other!r}", lambda r: fn(getattr(r, name), other))
        return method
    __eq__, __ne__, __lt__, __ge__ = _op("=", lambda a, b: a == b), _op("<>", lambda a, b: a != b), _op("<", lambda a, b: a < b), _op(">=", lambda a, b: a >= b)
    __hash__ = None
    del _op


class ModelMeta(type):
    registry = {}

    @classmethod
    def __prepare__(mcls, name, bases, **kw):
        return {"__created__": True} if kw.get("mark") else {}

    def __new__(mcls, name, bases, ns, *, table=None, **kw):
        cls = super().__new__(mcls, name, bases, ns)
        cls._fields = {}
        for b in reversed(cls.__mro__):
            cls._fields.update({k: v for k, v in vars(b).items() if isinstance(v, Field)})
        cls._table = table or name.lower() + "s"
        cls._rows = []
        mcls.registry[cls._table] = cls
        return cls

    def __init__(cls, name, bases, ns, **kw): super().__init__(name, bases, ns)
    def __call__(cls, *a, **k):
        obj = super().__call__(*a, **k)
        cls._rows.append(obj)
        return obj
    def __iter__(cls): return iter(cls._rows)
    def __len__(cls): return len(cls._rows)
    def __getitem__(cls, i): return cls._rows[i]
    def __contains__(cls, o): return o in cls._rows
    def __repr__(cls): return f"<model {cls.__name__}>"


class Model(metaclass=ModelMeta):
    def __init__(self, **kw):
        for n, f in self._fields.items():
            if f.required and n not in kw: raise ValueError(f"{n} is required")
            setattr(self, n, kw.pop(n, f.default))
        if kw: raise TypeError(f"unexpected {', '.join(sorted(kw))}")
    @classmethod
    def where(cls, e): return [r for r in cls if e.fn(r)]
    def __repr__(self): return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in self._fields)})"
    def __getattr__(self, n):
        if n.startswith("get_"): return lambda: getattr(self, n[4:])
        raise AttributeError(f"{type(self).__name__} has no {n}")


class Person(Model, table="people", mark=True):
    name = Field(required=True)
    age = Field(int, default=0)


class Employee(Person):
    boss = Field(Person)
    pay = Field(float, default=1.5)


ann = Person(name="Ann", age="41"); bob = Employee(name="Bob", age=30, boss=ann); Person(name="Cy")
print(ann, bob, Person, len(Person), list(Employee), ModelMeta.registry, Person.__created__, hasattr(Employee, "__created__"), "mark" in dir(Person))
q = (Person.age >= 18) & ~(Person.name == "Bob") | (Person.name < "B")
print(q.text, Person.where(q), bob.get_boss().name, Person[0] is ann, ann in Person)
for bad in (lambda: Person(), lambda: Person(name="x", z=1, y=2), lambda: setattr(ann, "age", "old"), lambda: ann.nope, lambda: bool(q), lambda: {Person.age: 1}, lambda: Employee.where(Employee.pay), lambda: type("X", (int, str), {}), lambda: type("Y", (bool,), {})):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e, "|", repr(e.__cause__))
del ann.age; print(ann.age, vars(ann), bob.__dict__)
class Weak:
    def __init__(self): self.obs = weakref.WeakSet()
w = weakref.WeakValueDictionary(); w["a"] = ann; print(list(w), w["a"] is ann)
c = copy.copy(bob); d = copy.deepcopy(bob); print(c.boss is bob.boss, d.boss is bob.boss, d.boss.name, len(Employee))
class Low(UserDict):
    def __setitem__(self, k, v): super().__setitem__(k.lower(), v)
    def __missing__(self, k): return k * 2
class Sq(abc.Sequence):
    def __len__(self): return 4
    def __getitem__(self, i):
        if not 0 <= i < 4: raise IndexError(i)
        return i * i
print(Low(A=1, B=2), Low()["zz"], "a" in Low(A=1), list(Sq()), 9 in Sq(), Sq().index(4), list(reversed(Sq())), UserList([3, 1]) + [2])
pprint.pprint({"k" * 10: list(range(12)), "nested": {"x": ("y" * 30, "z" * 40)}, "s": [3, 1, 2]}, width=50)
class P:
    def __init__(self, x): self.x = x
    def __reduce__(self): return P, (self.x + 1,)
    def __eq__(self, o): return self.x == o.x
print(pickle.loads(pickle.dumps([1, "a", (2.5, None), {"k": {1, 2}}])), pickle.loads(pickle.dumps(P(1))).x)
class Meta2(type):
    def __instancecheck__(cls, o): return o == 7
    def __subclasscheck__(cls, c): return c is int
    def __or__(cls, o): return "or"
class M2(metaclass=Meta2): pass
print(isinstance(7, M2), isinstance(8, M2), issubclass(int, M2), M2 | 1, types.new_class("Dyn", (Person,), {"table": "dyn"}, lambda ns: ns.update(z=5)).z)

# Finalizers: in a collection, where others of the kind are made, and at the end of the program.
import gc


class Counted:
    made = ended = 0

    def __init__(self):
        Counted.made += 1

    def __del__(self):
        Counted.ended += 1


def make(count):
    return [Counted() for _ in range(count)]


# A collector may take what is gone for something that is there, but not all of it.
for _ in range(40):
    make(50)
    gc.collect()
print(Counted.made, Counted.ended > 1000, Counted.ended <= Counted.made)


class Named:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("end of", self.name)


class Derived(Named):
    def __del__(self):
        super().__del__()
        print("and more of", self.name)


class Late:
    pass


class WithoutInit:
    __slots__ = ()

    def __new__(cls, *args):
        return super().__new__(cls)

    def __del__(self):
        print("end of", type(self).__name__)


first = Named("first")
second = Derived("second")
third = WithoutInit(1, 2)
Late.__del__ = lambda self: print("late")
fourth = Late()
circle = Named("a circle")
circle.other = circle
last = Named("last")
last.name = "the last one"
gc.collect()
print("end of the program")

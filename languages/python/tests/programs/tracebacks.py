# A program that ends with an exception that comes from another one.
def inner(n):
    return 10 // n


def middle(n):
    try:
        return inner(n)
    except ZeroDivisionError as e:
        raise ValueError('bad number') from e


def outer():
    for i in range(3, -1, -1):
        print(middle(i))


outer()

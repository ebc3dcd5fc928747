"""What builtin functions do with all items of a generator. Each generator gets copies of these
functions, so that the loop here and the code of the generator are compiled as one."""


def drain(iterable):
    items = []
    for item in iterable:
        items.append(item)
    return items


def total(iterable):
    result = 0
    for item in iterable:
        result = result + item
    return result


def holds_one(iterable):
    for item in iterable:
        if item:
            return True
    return False


def holds_all(iterable):
    for item in iterable:
        if not item:
            return False
    return True


def least(iterable):
    for best in iterable:
        break
    else:
        raise ValueError("min() arg is an empty sequence")
    for item in iterable:
        if item < best:
            best = item
    return best


def greatest(iterable):
    for best in iterable:
        break
    else:
        raise ValueError("max() arg is an empty sequence")
    for item in iterable:
        if item > best:
            best = item
    return best


def mapped(function, iterable):
    items = []
    for item in iterable:
        items.append(function(item))
    return items

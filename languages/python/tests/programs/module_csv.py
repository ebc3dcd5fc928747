# The module csv.
import csv
import io
import sys


def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


def written(row, **options):
    file = io.StringIO()
    count = csv.writer(file, **options).writerow(row)
    return file.getvalue(), count


def read(lines, **options):
    return list(csv.reader(lines, **options))


print("Options")
for options in [
    {"delimiter": ""}, {"delimiter": "ab"}, {"delimiter": 1}, {"delimiter": None}, {"quotechar": 1},
    {"quotechar": "ab"}, {"quotechar": None}, {"quotechar": None, "quoting": 1},
    {"quotechar": None, "quoting": 3}, {"escapechar": 3}, {"escapechar": "ab"},
    {"lineterminator": None}, {"lineterminator": 3}, {"quoting": 9}, {"quoting": "x"},
    {"quoting": None}, {"foo": 1}, {"dialect": "nope"}, {"dialect": 3}, {"strict": "x"},
    {"doublequote": []},
]:  # fmt: skip
    print(options)
    show(lambda: read(["a"], **options))
    show(lambda: written(["a", 'b"'], **options))

print("Reading")
show(lambda: read(["a,b,c", "1,2,3"]))
show(lambda: read(['a"b,c', '"a""b",c', '"a" b,"c', 'd",e', ' "x", y', "", "a,", '"a\nb"\n']))
show(lambda: read(["a\rb"]))
show(lambda: read(["a\r\n", "b\n", "c\r", "\n", "\r\n", ",\n", '""\n', '"",""']))
show(lambda: read(["a\nb"]))
show(lambda: read(['"a" b'], strict=True))
show(lambda: read(['"a'], strict=True))
show(lambda: read(['"a']))
show(lambda: read(['"a\n', "\n", 'b"\n', "c"]))
show(lambda: read(["a\\"], escapechar="\\"))
show(lambda: read(['a\\,b,"c\\"d"'], escapechar="\\"))
show(lambda: read(["a\\\nb"], escapechar="\\"))
show(lambda: read(["a\\"], escapechar="\\", strict=True))
show(lambda: read(['a,"b\\', 'c"'], escapechar="\\"))
show(lambda: read([' a, b,"c" , "d"'], skipinitialspace=True))
show(lambda: read(['1,"2",x'], quoting=csv.QUOTE_NONNUMERIC))
show(lambda: read(['1,"2",3.5,'], quoting=csv.QUOTE_NONNUMERIC))
show(lambda: read(['1,"2"'], quoting=csv.QUOTE_NONE))
show(lambda: read(["a;b|c"], delimiter="|"))
show(lambda: read(["'a,b',c"], quotechar="'"))
show(lambda: read(["'a''b',c"], quotechar="'", doublequote=False))
show(lambda: read([b"a"]))
show(lambda: read([1]))
show(lambda: read(1))
show(lambda: read("ab"))
rows = csv.reader(iter(["a\n", '"b\n', 'c"\n']))
show(lambda: (next(rows), rows.line_num, next(rows), rows.line_num))
show(lambda: next(rows))

print("Writing")
for row in [
    ["a", "b c", "d,e", 'f"g', "h\ni", "j\rk"], [1, 2.5, None, True, 1e300], [""], [None], [],
    ["", ""], [" a"], "abc", ["a\\b"], ["'"],
]:  # fmt: skip
    for options in [
        {}, {"quoting": 1}, {"quoting": 2}, {"quoting": 3}, {"quoting": 3, "escapechar": "\\"},
        {"escapechar": "\\", "doublequote": False}, {"doublequote": False}, {"lineterminator": "\n"},
        {"quotechar": "'"}, {"delimiter": " "}, {"escapechar": "\\"},
    ]:  # fmt: skip
        print(row, options, end=" ")
        show(lambda: written(row, **options))
show(lambda: written(1))
show(lambda: csv.writer(3))

print("Dialects")
show(lambda: csv.reader([], "excel").dialect.delimiter)
show(lambda: csv.list_dialects())
show(lambda: csv.get_dialect("unix").quoting)
show(lambda: csv.get_dialect("x"))
show(lambda: csv.unregister_dialect("x"))
show(lambda: csv.register_dialect(3))
show(lambda: csv.register_dialect("pipes", delimiter="|"))
show(lambda: written(["a|", "b"], dialect="pipes"))
show(lambda: (csv.unregister_dialect("pipes"), csv.list_dialects()))
show(lambda: csv.field_size_limit())
show(lambda: csv.field_size_limit(5))
show(lambda: read(["abcde", "abc,def,g"]))
show(lambda: read(["abcdefg"]))
show(lambda: csv.field_size_limit(131072))


class Long(csv.Dialect):
    delimiter = "ab"


class Empty(csv.Dialect):
    pass


class Semicolons(csv.excel):
    delimiter = ";"


show(lambda: Long())
show(lambda: Empty())
show(lambda: read(["a"], dialect=Long))
show(lambda: read(["a;b"], dialect=Semicolons))
show(lambda: read(["a;b|c"], dialect=Semicolons, delimiter="|"))
show(lambda: Semicolons().quotechar)

print("Dicts")
table = csv.DictReader(["a,b", "1,2", "", "3", "4,5,6"])
show(lambda: (table.fieldnames, list(table), table.line_num))
show(lambda: list(csv.DictReader(["1,2", "3"], ["x", "y"], restkey="r", restval="v")))
show(lambda: csv.DictReader([]).fieldnames)
file = io.StringIO()
table = csv.DictWriter(file, ["a", "b"], restval="-")
show(lambda: (table.writeheader(), table.writerow({"a": 1}), table.writerows([{"b": 2}]), file.getvalue()))
show(lambda: table.writerow({"c": 1}))
show(lambda: csv.DictWriter(file, ["a"], extrasaction="ignore").writerow({"a": 1, "z": 2}))
show(lambda: csv.DictWriter(file, ["a"], extrasaction="x"))

print("A file")
path = (sys.argv[1] if len(sys.argv) > 1 else "/tmp") + "/table.csv"
with open(path, "w", newline="") as file:
    csv.writer(file).writerows([[n, "x" * (n % 4), f'"{n}"', "a\nb"] for n in range(100)])
with open(path, newline="") as file:
    rows = list(csv.reader(file))
print(len(rows), rows[0], rows[-1], sum(int(row[0]) for row in rows))

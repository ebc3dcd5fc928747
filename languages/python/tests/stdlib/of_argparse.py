# The module `argparse` of CPython's folder.
# needs: re contextlib
import argparse, sys

parser = argparse.ArgumentParser(prog="weigh", description="Weighs stones.", epilog="the end")
parser.add_argument("stones", metavar="KG", type=int, nargs="+", help="how heavy a stone is")
parser.add_argument(
    "--sum",
    dest="result",
    action="store_const",
    const=sum,
    default=max,
    help="all together (default: the heaviest)",
)
parser.add_argument("-v", "--verbose", action="count", default=0)
parser.add_argument("--level", choices=["low", "high"], default="low", help="how %(default)s")
parser.add_argument("--pair", nargs=2, type=float, metavar=("A", "B"))
parser.add_argument("--no-x", action="store_false", dest="x")
parser.add_argument("--version", action="version", version="%(prog)s 2.0")
args = parser.parse_args(["1", "2", "3", "--sum", "-vv", "--pair", "1", "2"])
print(args.result(args.stones), args.verbose, args.pair, args.x, args.level)
parser.print_help()
parser.print_usage()
print(parser.format_usage())
print(parser.parse_known_args(["1", "--foo"]))
sys.stderr = sys.stdout
for bad in (["x"], ["1", "--level", "mid"], [], ["1", "--pair", "1"], ["--version"], ["-h"]):
    try:
        parser.parse_args(bad)
    except SystemExit as e:
        print("exit", e.code)
sub = argparse.ArgumentParser(prog="tool")
subs = sub.add_subparsers(dest="cmd", required=True, help="commands")
a = subs.add_parser("add", help="adds")
a.add_argument("x", type=int)
a.set_defaults(func=lambda ns: ns.x + 1)
b = subs.add_parser("rm", aliases=["remove"])
b.add_argument("--force", action="store_true")
ns = sub.parse_args(["add", "4"])
print(ns.func(ns), sorted(vars(ns)))
print(sub.parse_args(["remove", "--force"]))
sub.print_help()
g = argparse.ArgumentParser(
    prog="g", formatter_class=argparse.ArgumentDefaultsHelpFormatter, fromfile_prefix_chars="@"
)
grp = g.add_mutually_exclusive_group()
grp.add_argument("--foo", action="store_true", help="f")
grp.add_argument("--bar", default=5, help="b")
gg = g.add_argument_group("group", "about it")
gg.add_argument("--baz", type=int, default=3, help="z")
g.add_argument("--flag", action=argparse.BooleanOptionalAction, default=True, help="fl")
g.add_argument("rest", nargs=argparse.REMAINDER)
g.print_help()
try:
    g.parse_args(["--foo", "--bar", "1"])
except SystemExit as e:
    print(e.code)
print(g.parse_args(["--no-flag", "--baz=7", "a", "--other"]))
print(argparse.Namespace(x=1, y="2"), argparse.Namespace(x=1) == argparse.Namespace(x=1))


class Act(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, [values, option_string])


p = argparse.ArgumentParser(prog="p")
p.add_argument("--a", action=Act)
p.add_argument("b", nargs="?", default="d")
p.add_argument("--app", action="append")
p.add_argument("--ext", action="extend", nargs="+")
print(p.parse_args(["--a", "1", "--app", "x", "--app", "y", "--ext", "1", "2"]))

# The module `logging` of CPython's folder.
# needs: re contextlib
import logging, sys, io

out = io.StringIO()
logging.basicConfig(
    stream=sys.stdout,
    level=logging.DEBUG,
    format="%(levelname)s:%(name)s:%(funcName)s:%(lineno)d:%(message)s",
)


def work():
    logging.debug("debug %s %d", "x", 5)
    log = logging.getLogger("my.module")
    log.warning("warn")
    log.info("info %(a)s", {"a": 1})
    try:
        raise LookupError("lost")
    except LookupError:
        log.error("failed: %r", sys.exc_info()[1])


work()
h = logging.StreamHandler(out)
h.setFormatter(logging.Formatter("{asctime:.4s} {message}", style="{", datefmt="%Y"))
h.setLevel(logging.ERROR)
lg = logging.getLogger("other")
lg.addHandler(h)
lg.propagate = False
lg.error("err")
lg.info("no")
print(out.getvalue()[4:], lg.isEnabledFor(10), logging.getLevelName(30), lg.getEffectiveLevel())


class Fl(logging.Filter):
    def filter(self, record):
        return "secret" not in record.getMessage()


lg.addFilter(Fl())
lg.error("secret")
lg.error("open")
print(out.getvalue().split()[-1])
logging.getLogger().handlers[0].flush()
ad = logging.LoggerAdapter(logging.getLogger("ad"), {"k": 1})
ad.warning("adapted")
logging.log(25, "lvl")
logging.addLevelName(25, "NOTE")
logging.log(25, "lvl")

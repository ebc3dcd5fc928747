"""The numbers of signals. None is caught, so that only what the system does can be asked for."""

NSIG = 65
_NAMES = """SIGHUP SIGINT SIGQUIT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGKILL SIGUSR1 SIGSEGV SIGUSR2
SIGPIPE SIGALRM SIGTERM SIGSTKFLT SIGCHLD SIGCONT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGXCPU
SIGXFSZ SIGVTALRM SIGPROF SIGWINCH SIGIO SIGPWR SIGSYS"""
for _number, _name in enumerate(_NAMES.split(), 1):
    globals()[_name] = _number
del _name, _number
SIG_DFL = 0
SIG_IGN = 1
_known = {}


def default_int_handler(signalnum, frame):
    raise KeyboardInterrupt


def signal(signalnum, handler):
    if callable(handler) and handler is not default_int_handler:
        raise NotImplementedError("handlers of signals are not supported yet")
    if not callable(handler) and handler not in (SIG_DFL, SIG_IGN):
        raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
    before = getsignal(signalnum)
    _known[signalnum] = handler
    return before


def getsignal(signalnum):
    if not 0 < signalnum < NSIG:
        raise ValueError("signal number out of range")
    usual = default_int_handler if signalnum == SIGINT else SIG_DFL
    return _known.get(signalnum, usual)

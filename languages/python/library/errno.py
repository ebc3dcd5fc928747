"""The numbers of errors of the system."""

errorcode = {}
_NAMES = """EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT
ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC
ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP"""
for _number, _name in enumerate(_NAMES.split(), 1):
    globals()[_name] = _number
    errorcode[_number] = _name
EWOULDBLOCK = EAGAIN
for _name, _number in {
    "EPROTO": 71,
    "EOVERFLOW": 75,
    "EILSEQ": 84,
    "ENOTSOCK": 88,
    "EOPNOTSUPP": 95,
    "EADDRINUSE": 98,
    "EADDRNOTAVAIL": 99,
    "ENETUNREACH": 101,
    "ECONNABORTED": 103,
    "ECONNRESET": 104,
    "EISCONN": 106,
    "ENOTCONN": 107,
    "ETIMEDOUT": 110,
    "ECONNREFUSED": 111,
    "EALREADY": 114,
    "EINPROGRESS": 115,
    "ECANCELED": 125,
}.items():
    globals()[_name] = _number
    errorcode[_number] = _name
del _name, _number
ENOTSUP = EOPNOTSUPP

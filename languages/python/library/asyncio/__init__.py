"""Coroutines at the same time: an event loop, tasks, and what they wait for. There are no files,
sockets and processes in it."""

from asyncio.exceptions import *
from asyncio.events import *
from asyncio.events import _get_running_loop, _set_running_loop
from asyncio.futures import *
from asyncio.coroutines import *
from asyncio.tasks import *
from asyncio.locks import *
from asyncio.queues import *
from asyncio.timeouts import *
from asyncio.taskgroups import *
from asyncio.threads import *
from asyncio.runners import *


def _refused(name):
    def refused(*args, **keywords):
        raise NotImplementedError(f"'asyncio.{name}' is not supported yet")

    refused.__name__ = refused.__qualname__ = name
    return refused


open_connection = _refused("open_connection")
open_unix_connection = _refused("open_unix_connection")
start_server = _refused("start_server")
start_unix_server = _refused("start_unix_server")
create_subprocess_exec = _refused("create_subprocess_exec")
create_subprocess_shell = _refused("create_subprocess_shell")
get_event_loop_policy = _refused("get_event_loop_policy")
set_event_loop_policy = _refused("set_event_loop_policy")
StreamReader = _refused("StreamReader")
StreamWriter = _refused("StreamWriter")

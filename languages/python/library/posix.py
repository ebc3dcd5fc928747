"""What the system does for `os`, by the name that CPython has for it."""

from os import *

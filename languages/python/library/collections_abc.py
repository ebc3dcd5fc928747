"""The classes of `_collections_abc` under their name."""

import sys

import _collections_abc

sys.modules["collections.abc"] = _collections_abc

"""The classes of `_collections_abc` under their name."""

import sys

import _collections_abc
import collections

sys.modules["collections.abc"] = _collections_abc
_collections_abc.MutableSequence.register(collections.UserList)
_collections_abc.Sequence.register(collections.UserString)
for _class in (collections.UserDict, collections.ChainMap):
    _collections_abc.MutableMapping.register(_class)

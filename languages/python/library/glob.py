"""Files whose names match patterns of a shell."""

import fnmatch as _fnmatch
import os as _os
import re as _re

__all__ = ["escape", "glob", "iglob"]

_MAGIC = _re.compile("[*?[]")


def has_magic(s):
    return _MAGIC.search(s) is not None


def escape(pathname):
    drive, rest = _os.path.splitdrive(pathname)
    return drive + _re.sub("([*?[])", r"[\1]", rest)


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return list(
        iglob(
            pathname,
            root_dir=root_dir,
            dir_fd=dir_fd,
            recursive=recursive,
            include_hidden=include_hidden,
        )
    )


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    if isinstance(pathname, bytes):
        raise NotImplementedError("paths that are bytes are not supported yet")
    if dir_fd is not None:
        raise NotImplementedError("file descriptors are not supported yet")
    root = "" if root_dir is None else _os.fspath(root_dir)
    search = _Search(root, recursive, include_hidden)
    found = search.paths(_os.fspath(pathname), False)
    if not pathname or (recursive and pathname[:2] == "**"):
        # What stands for no folder at all is no path.
        return (path for path in found if path)
    return found


class _Search:
    def __init__(self, root, is_recursive, with_hidden):
        self.root = root
        self.is_recursive = is_recursive
        self.with_hidden = with_hidden

    def _real(self, path):
        return _os.path.join(self.root, path) if self.root else path

    def _is_folder(self, path):
        return _os.path.isdir(self._real(path) or ".")

    def paths(self, pattern, are_folders):
        """What matches a path; folders alone, if something is to be in them."""
        folder, name = _os.path.split(pattern)
        if not has_magic(pattern):
            real = self._real(pattern)
            is_there = _os.path.lexists(real) if name else self._is_folder(folder)
            if is_there:
                yield pattern
            return
        if folder and folder != pattern and has_magic(folder):
            folders = self.paths(folder, True)
        else:
            folders = [folder]
        for folder in folders:
            for found in self._names(folder, name, are_folders):
                yield _os.path.join(folder, found)

    def _names(self, folder, name, are_folders):
        """What in a folder matches a name; the empty name is the folder."""
        if not has_magic(name):
            path = _os.path.join(folder, name)
            is_there = _os.path.lexists(self._real(path)) if name else self._is_folder(folder)
            return [name] if is_there else []
        if name == "**" and self.is_recursive:
            return self._below(folder, are_folders)
        names = self._listed(folder, are_folders)
        if not self.with_hidden and name[0] != ".":
            names = [found for found in names if found[0] != "."]
        return _fnmatch.filter(names, name)

    def _listed(self, folder, are_folders):
        try:
            with _os.scandir(self._real(folder) or ".") as entries:
                return [entry.name for entry in entries if not are_folders or entry.is_dir()]
        except OSError:
            return []

    def _below(self, folder, are_folders):
        if folder and not self._is_folder(folder):
            return
        yield ""
        for name in self._listed(folder, are_folders):
            if name[0] == "." and not self.with_hidden:
                continue
            yield name
            path = _os.path.join(folder, name)
            if self._is_folder(path):
                for found in self._below(path, are_folders):
                    if found:
                        yield _os.path.join(name, found)

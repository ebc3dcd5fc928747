"""Words as a shell has them."""

import re as _re
from collections import deque as _deque
from io import StringIO as _StringIO

__all__ = ["shlex", "split", "quote", "join"]

_LETTERS = "abcdfeghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_CODES = (*range(0xDF, 0x100), *range(0xC0, 0xDF))
_MORE_LETTERS = "".join([chr(code) for code in _CODES if code not in (0xD7, 0xF7)])

# What a reader is at, beside in quotes and behind an escape, which are the characters themselves.
_BETWEEN, _WORD, _SIGNS = " ", "a", "c"


class shlex:
    def __init__(self, instream=None, infile=None, posix=False, punctuation_chars=False):
        if isinstance(instream, str):
            instream = _StringIO(instream)
        if instream is None:
            import sys

            instream = sys.stdin
        self.instream = instream
        self.infile = infile
        self.posix = posix
        self.eof = None if posix else ""
        self.commenters = "#"
        self.wordchars = _LETTERS + (_MORE_LETTERS if posix else "")
        self.whitespace = " \t\r\n"
        self.whitespace_split = False
        self.quotes = "'\""
        self.escape = "\\"
        self.escapedquotes = '"'
        self.state = _BETWEEN
        self.pushback = _deque()
        self.lineno = 1
        self.debug = 0
        self.token = ""
        self.filestack = _deque()
        self.source = None
        if not punctuation_chars:
            punctuation_chars = ""
        elif punctuation_chars is True:
            punctuation_chars = "();<>|&"
        self._punctuation_chars = punctuation_chars
        # Characters that have been read and belong to the next token.
        self._unread = _deque()
        if punctuation_chars:
            letters = self.wordchars + "~-./*?="
            self.wordchars = "".join([c for c in letters if c not in punctuation_chars])

    @property
    def punctuation_chars(self):
        return self._punctuation_chars

    def push_token(self, tok):
        self.pushback.appendleft(tok)

    def push_source(self, newstream, newfile=None):
        if isinstance(newstream, str):
            newstream = _StringIO(newstream)
        self.filestack.appendleft((self.infile, self.instream, self.lineno))
        self.infile = newfile
        self.instream = newstream
        self.lineno = 1

    def pop_source(self):
        self.instream.close()
        self.infile, self.instream, self.lineno = self.filestack.popleft()
        self.state = _BETWEEN

    def get_token(self):
        if self.pushback:
            return self.pushback.popleft()
        token = self.read_token()
        if self.source is not None:
            while token == self.source:
                found = self.sourcehook(self.read_token())
                if found:
                    self.push_source(found[1], found[0])
                token = self.get_token()
        while token == self.eof:
            if not self.filestack:
                return self.eof
            self.pop_source()
            token = self.get_token()
        return token

    def sourcehook(self, newfile):
        import os.path

        if newfile[:1] == '"':
            newfile = newfile[1:-1]
        if isinstance(self.infile, str) and not os.path.isabs(newfile):
            newfile = os.path.join(os.path.dirname(self.infile), newfile)
        return newfile, open(newfile)

    def error_leader(self, infile=None, lineno=None):
        infile = self.infile if infile is None else infile
        lineno = self.lineno if lineno is None else lineno
        return f'"{infile}", line {lineno}: '

    def __iter__(self):
        return self

    def __next__(self):
        token = self.get_token()
        if token == self.eof:
            raise StopIteration
        return token

    def read_token(self):
        self._is_quoted = False
        # Where it goes on behind an escape.
        self._escaped_in = _BETWEEN
        while True:
            if self._punctuation_chars and self._unread:
                c = self._unread.pop()
            else:
                c = self.instream.read(1)
            if c == "\n":
                self.lineno += 1
            if self.state is None:
                self.token = ""
                break
            if self._is_last(c):
                break
        token = self.token
        self.token = ""
        if self.posix and not self._is_quoted and token == "":
            return None
        return token

    def _has_token(self):
        return bool(self.token) or (self.posix and self._is_quoted)

    def _is_last(self, c):
        """Adds a character to the token; whether that is complete with it."""
        state = self.state
        if state == _BETWEEN:
            return self._between(c)
        if state in self.quotes:
            return self._in_quotes(c)
        if state in self.escape:
            return self._escaped(c)
        return self._in_word(c)

    def _begin_escape(self, c, state):
        self._escaped_in = state
        self.state = c

    def _skip_comment(self):
        self.instream.readline()
        self.lineno += 1

    def _between(self, c):
        if not c:
            self.state = None
            return True
        if c in self.whitespace:
            return self._has_token()
        if c in self.commenters:
            self._skip_comment()
        elif self.posix and c in self.escape:
            self._begin_escape(c, _WORD)
        elif c in self.wordchars:
            self.token = c
            self.state = _WORD
        elif c in self._punctuation_chars:
            self.token = c
            self.state = _SIGNS
        elif c in self.quotes:
            if not self.posix:
                self.token = c
            self.state = c
        elif self.whitespace_split:
            self.token = c
            self.state = _WORD
        else:
            self.token = c
            return True
        return False

    def _in_quotes(self, c):
        self._is_quoted = True
        if not c:
            raise ValueError("No closing quotation")
        if c == self.state:
            if self.posix:
                self.state = _WORD
                return False
            self.token += c
            self.state = _BETWEEN
            return True
        if self.posix and c in self.escape and self.state in self.escapedquotes:
            self._begin_escape(c, self.state)
        else:
            self.token += c
        return False

    def _escaped(self, c):
        if not c:
            raise ValueError("No escaped character")
        around = self._escaped_in
        # In quotes, what needs no escape keeps it.
        if around in self.quotes and c != self.state and c != around:
            self.token += self.state
        self.token += c
        self.state = around
        return False

    def _in_word(self, c):
        if not c:
            self.state = None
            return True
        if c in self.whitespace:
            self.state = _BETWEEN
            return self._has_token()
        if c in self.commenters:
            self._skip_comment()
            if not self.posix:
                return False
            self.state = _BETWEEN
            return self._has_token()
        if self.state == _SIGNS:
            if c in self._punctuation_chars:
                self.token += c
                return False
            self._unread.append(c)
            self.state = _BETWEEN
            return True
        if self.posix and c in self.quotes:
            self.state = c
            return False
        if self.posix and c in self.escape:
            self._begin_escape(c, _WORD)
            return False
        is_split_by_space = self.whitespace_split and c not in self._punctuation_chars
        if c in self.wordchars or c in self.quotes or is_split_by_space:
            self.token += c
            return False
        if self._punctuation_chars:
            self._unread.append(c)
        else:
            self.pushback.appendleft(c)
        self.state = _BETWEEN
        return self._has_token()


def split(s, comments=False, posix=True):
    lexer = shlex(s, posix=posix)
    lexer.whitespace_split = True
    if not comments:
        lexer.commenters = ""
    return list(lexer)


_UNSAFE = _re.compile(r"[^\w@%+=:,./-]", _re.ASCII)


def quote(s):
    if not s:
        return "''"
    if _UNSAFE.search(s) is None:
        return s
    return "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    return " ".join([quote(word) for word in split_command])

import unittest
from unittest import mock
import io
import contextlib


class Stack:
    def __init__(self, items=()):
        self._items = list(items)

    def push(self, x):
        self._items.append(x)
        return self

    def pop(self):
        if not self._items:
            raise IndexError("pop from empty stack")
        return self._items.pop()

    def __len__(self):
        return len(self._items)

    def __eq__(self, other):
        return isinstance(other, Stack) and self._items == other._items


class Mailer:
    def __init__(self, transport):
        self.transport = transport

    def notify(self, users, text, *, urgent=False):
        sent = 0
        for u in users:
            try:
                self.transport.send(u, text, priority=1 if urgent else 5)
                sent += 1
            except ConnectionError as e:
                print("failed", u, e)
        return sent


class StackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = []

    def setUp(self):
        self.stack = Stack([1, 2, 3])
        self.addCleanup(self.made.append, self.id().split(".")[-1])

    def test_pop(self):
        self.assertEqual(self.stack.pop(), 3)
        self.assertEqual(len(self.stack), 2)

    def test_empty(self):
        with self.assertRaises(IndexError) as cm:
            Stack().pop()
        self.assertIn("empty", str(cm.exception))
        self.assertRaisesRegex(IndexError, r"pop from \w+ stack", Stack().pop)

    def test_sub(self):
        for n in range(4):
            with self.subTest(n=n):
                self.assertNotEqual(n, 2)

    def test_fails(self):
        self.assertEqual([1, 2, 3, 4], [1, 2, 4, 4], "lists")

    def test_dict(self):
        self.assertDictEqual({"a": 1, "b": 2}, {"a": 1, "b": 3})

    @unittest.skip("not now")
    def test_skipped(self):
        self.fail()

    @unittest.expectedFailure
    def test_expected(self):
        self.assertTrue(False)

    def test_error(self):
        {}["missing"]

    def test_floats(self):
        self.assertAlmostEqual(0.1 + 0.2, 0.3)
        self.assertCountEqual([3, 1, 2], [1, 2, 3])
        self.assertIsNone(None)
        self.assertGreater(2, 1)


class MailerTest(unittest.TestCase):
    def test_sends(self):
        t = mock.Mock()
        self.assertEqual(Mailer(t).notify(["a", "b"], "hi", urgent=True), 2)
        t.send.assert_called_with("b", "hi", priority=1)
        self.assertEqual(t.send.call_count, 2)
        self.assertEqual(t.send.call_args_list[0], mock.call("a", "hi", priority=1))

    def test_failure(self):
        t = mock.MagicMock()
        t.send.side_effect = [None, ConnectionError("down"), None]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(Mailer(t).notify("xyz", "hi"), 2)
        self.assertEqual(out.getvalue(), "failed y down\n")

    def test_patch(self):
        with mock.patch.object(Stack, "pop", return_value=42) as p:
            self.assertEqual(Stack().pop(), 42)
        p.assert_called_once_with()
        with self.assertRaises(AssertionError):
            p.assert_called_once_with(1)
        with mock.patch.dict({"k": 1}, {"k": 2}) as d:
            self.assertEqual(d["k"], 2)
        m = mock.Mock(spec=Stack)
        self.assertIsInstance(m, Stack)
        with self.assertRaises(AttributeError):
            m.nothing


if __name__ == "__main__":
    import re
    stream = io.StringIO()
    suite = unittest.defaultTestLoader.loadTestsFromModule(__import__("__main__"))
    result = unittest.TextTestRunner(stream=stream, verbosity=2).run(suite)
    text = re.sub(r"in \d+\.\d+s", "in 0s", stream.getvalue())
    text = re.sub(r'File ".*[/\\]', 'File "', text)
    text = re.sub(r"line \d+", "line N", text)
    text = "\n".join(l for l in text.split("\n") if not set(l.strip()) <= set("~^") or not l.strip())
    print(text)
    print(result, sorted(StackTest.made))

# The module `unittest` of CPython's folder.
# needs: re contextlib
import unittest, io, sys
from unittest import TestCase


class Strings(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = 1

    def setUp(self):
        self.x = 1

    def tearDown(self):
        self.x = None

    def test_large(self):
        self.assertEqual("oak".upper(), "OAK")

    def test_truth(self):
        self.assertTrue("OAK".isupper())
        self.assertFalse("Oak".isupper())

    def test_parts(self):
        s = "one two"
        self.assertEqual(s.split(), ["one", "two"])
        with self.assertRaises(TypeError):
            s.split(2)

    def test_fail(self):
        self.assertEqual([1, 2], [1, 3])

    def test_error(self):
        raise RuntimeError("broken")

    @unittest.skip("not now")
    def test_skipped(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.assertIn(1, [])

    def test_more(self):
        self.assertAlmostEqual(1.0, 1.00000001)
        self.assertRaisesRegex(ValueError, "inv", int, "x")
        self.assertIsNone(None)
        self.assertIsInstance(1, int)
        self.assertDictEqual({1: 2}, {1: 2})
        self.assertCountEqual([1, 2], [2, 1])
        self.assertGreater(2, 1)
        self.assertRegex("abc", "b")
        self.addCleanup(lambda: None)

    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)

    def test_warn(self):
        import warnings

        with self.assertWarns(UserWarning):
            warnings.warn("w")

    def test_logs(self):
        import logging

        with self.assertLogs("tool", level="INFO") as cm:
            logging.getLogger("tool").info("first")
        self.assertEqual(cm.output, ["INFO:tool:first"])


out = io.StringIO()
suite = unittest.defaultTestLoader.loadTestsFromTestCase(Strings)
result = unittest.TextTestRunner(stream=out, verbosity=2).run(suite)
print(result)
print(sorted(str(t) for t, _ in result.failures + result.errors))
text = out.getvalue()
import re

print(re.sub(r"in [0-9.]+s", "in Xs", text).replace(__file__, "FILE"))

"""The pictures in web/posters are what the command draws. Run: python3 posters_test.py build/native/limelight"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
LIMELIGHT = pathlib.Path(sys.argv.pop(1)).resolve()
NUMBER = re.compile(r'-?\d+(?:\.\d+)?')
TOLERANCE = 0.05  # px, or the last digit shown: compilers round sums differently
OTHERS = 0.03     # the share of numbers that may be farther off: a draw that falls into the next bar


class Posters(unittest.TestCase):
    def test_each_scene_has_both_and_they_are_what_the_command_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ROOT / 'tools/posters', folder], check=True, env={**os.environ, 'LIMELIGHT': str(LIMELIGHT)})
            drawn = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
        shipped = {path.name: path.read_text() for path in (ROOT / 'web/posters').iterdir()}
        self.assertGreaterEqual(len(drawn), 22)
        self.assertEqual(sorted(drawn), sorted(shipped), 'Run tools/posters.')
        for name, text in drawn.items():
            with self.subTest(name, remedy='Run tools/posters.'):
                self.assertEqual(NUMBER.sub('0', text), NUMBER.sub('0', shipped[name]))
                pairs = list(zip(NUMBER.findall(text), NUMBER.findall(shipped[name])))
                off = [pair for pair in pairs if abs(float(pair[0]) - float(pair[1])) > TOLERANCE]
                self.assertLessEqual(len(off), OTHERS * len(pairs), off[:5])


if __name__ == '__main__':
    unittest.main()

"""What the tests of the headless command share: the command run as a reader runs it, in a folder of its own."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

import numpy as np

GOLDEN = pathlib.Path(__file__).parent.parent / 'golden'
sys.path.insert(0, str(GOLDEN))  # the references in NumPy
sys.dont_write_bytecode = True  # the tests leave the sources' folder as it was
PROGRAM = os.path.abspath(sys.argv.pop(1))
FINE, BAD_DATA, BAD_USAGE = 0, 1, 2


def png_size_and_pixels(data):
    """Checks every chunk; returns (width, height, the number of bytes of pixels)."""
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, pixels, size = 8, b'', None
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b'IHDR':
            size = struct.unpack('>II', body[:8])
        if kind == b'IDAT':
            pixels += body
        at += 12 + length
    assert kind == b'IEND'
    return (*size, len(zlib.decompress(pixels)))


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='limelight-command-')
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_limelight(self, *arguments):
        environment = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'WAYLAND_DISPLAY')}
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, env=environment, capture_output=True, timeout=300)

    def fine(self, *arguments):
        done = self.run_limelight(*arguments)
        self.assertEqual((done.returncode, done.stderr.decode()), (FINE, ''), arguments)
        return done.stdout

    def refused(self, exit_code, *arguments, says=()):
        """It says why in a sentence on stderr, prints nothing else, and leaves the folder as it was."""
        before = {p.name: p.read_bytes() for p in self.folder.iterdir() if p.is_file()}
        done = self.run_limelight(*arguments)
        said = done.stderr.decode()
        self.assertEqual(done.returncode, exit_code, (arguments, said))
        self.assertEqual(done.stdout, b'', arguments)
        sentence = next(line for line in said.splitlines() if not line.startswith('step '))  # a training's progress
        self.assertRegex(sentence, r'^limelight( \w+)?: .{15,600}[.?]$')
        for word in says:
            self.assertIn(word, sentence)
        self.assertEqual({p.name: p.read_bytes() for p in self.folder.iterdir() if p.is_file()}, before, arguments)

    def save(self, name, array):
        np.save(self.folder / name, array)

    def inputs(self, shape=(3, 7, 5, 2), dtype=np.float32, order='C', seed=1):
        t, s, d, v = shape
        random = np.random.default_rng(seed)
        matrices = [np.array(random.standard_normal(size), dtype=dtype, order=order) for size in ((t, d), (s, d), (s, v))]
        for name, matrix in zip('qkv', matrices):
            self.save(f'{name}.npy', matrix)
        return matrices

    ATTEND = ('attend', '--query', 'q.npy', '--key', 'k.npy', '--value', 'v.npy')
    BOTH = (*ATTEND, '--weights', 'w.npy', '--output', 'o.npy')

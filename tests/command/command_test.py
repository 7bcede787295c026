"""The headless command, run as a reader runs it: command_test.py PATH/limelight [unittest's arguments].

Attention is checked against NumPy in double precision (tests/golden/attention.py), files by readers of their own (NumPy,
minidom, csv, json).
"""
import csv
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom
import zlib

import numpy as np

GOLDEN = pathlib.Path(__file__).parent.parent / 'golden'
sys.path.insert(0, str(GOLDEN))
sys.dont_write_bytecode = True  # the tests leave the sources' folder as it was
import attention as reference

PROGRAM = os.path.abspath(sys.argv.pop(1))
GOLDENS = json.loads((GOLDEN / 'spotlight.json').read_text())
SHAPES = [(1, 1, 1, 1), (3, 7, 5, 2), (7, 3, 5, 4), (129, 65, 33, 17)]  # T queries, S keys, D key size, V value size
FINE, BAD_DATA, BAD_USAGE = 0, 1, 2


def attend(q, k, v, scale, causal):
    """The reference: weights and output, in double precision."""
    results = reference.attend({'query': q.astype(float), 'key': k.astype(float), 'value': v.astype(float)},
                               {'scale': scale, 'mask': ['causal'] if causal else []})
    return results['weights'], results['output']


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


class Attend(CommandTest):
    def check(self, matrices, *options, scale, causal=False):
        self.fine(*self.BOTH, *options)
        weights, output = attend(*matrices, scale, causal)
        for name, expected in (('w.npy', weights), ('o.npy', output)):
            got = np.load(self.folder / name)
            self.assertEqual(got.dtype, np.float32)
            self.assertTrue(got.flags.c_contiguous)
            # Single precision: scores of up to 33 products near 10, rounded at 1e-6, and exp carries that over.
            np.testing.assert_allclose(got, expected, rtol=0, atol=1e-5)
        if causal:
            above = np.triu_indices(weights.shape[0], 1, weights.shape[1])
            self.assertTrue((np.load(self.folder / 'w.npy')[above] == 0).all())

    def test_agrees_with_numpy_in_every_shape_type_order_and_mask(self):
        for shape in SHAPES:
            for dtype in (np.float32, np.float64, '>f4', '>f8'):
                for order in 'CF':
                    for mask in ('none', 'causal'):
                        with self.subTest(shape=shape, dtype=dtype, order=order, mask=mask):
                            matrices = self.inputs(shape, dtype, order)
                            self.check(matrices, '--mask', mask, scale=1 / np.sqrt(shape[2]), causal=mask == 'causal')

    def test_score_and_scale_set_the_factor(self):
        matrices = self.inputs()
        self.check(matrices, '--score', 'dot', scale=1)
        self.check(matrices, '--score', 'scaled-dot', scale=1 / np.sqrt(5))
        self.check(matrices, '--scale', '0.3', scale=0.3)
        self.check(matrices, '--score', 'dot', '--scale=-2', scale=-2)
        self.check(matrices, '--scale', '-1e-3', scale=-1e-3)
        self.check(matrices, '--scale', '0', scale=0)

    def test_writes_only_what_is_asked_for(self):
        self.inputs()
        self.fine(*self.ATTEND, '--output', 'o.npy')
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ['k.npy', 'o.npy', 'q.npy', 'v.npy'])
        self.fine(*self.ATTEND, '--weights', 'w.npy')
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ['k.npy', 'o.npy', 'q.npy', 'v.npy', 'w.npy'])

    def test_large_scores_are_no_reason_for_nan(self):
        q, k, v = self.inputs()
        self.save('q.npy', q * 1e4)
        self.fine(*self.BOTH)
        weights = np.load(self.folder / 'w.npy')
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)

    def test_a_file_that_is_replaced_keeps_its_permissions(self):
        self.inputs()
        self.save('o.npy', np.zeros((1, 1)))
        (self.folder / 'o.npy').chmod(0o640)
        self.fine(*self.ATTEND, '--output', 'o.npy')
        self.assertEqual((self.folder / 'o.npy').stat().st_mode & 0o777, 0o640)

    def test_no_input_is_overwritten(self):
        self.inputs((3, 3, 3, 3))
        self.save('m.npy', np.ones((3, 3), bool))
        (self.folder / 'o.npy').symlink_to('v.npy')
        for output, option in (('q.npy', '--query'), ('./k.npy', '--key'), ('o.npy', '--value'), ('m.npy', '--mask')):
            for result in ('--output', '--weights', '--summary'):
                self.refused(BAD_USAGE, *self.ATTEND, '--mask', 'm.npy', result, output, says=(result, option, 'same file'))

    def test_a_link_stays_a_link(self):
        q, k, v = self.inputs((3, 3, 3, 3))
        (self.folder / 'o.npy').symlink_to('there.npy')
        self.save('there.npy', np.zeros((1, 1)))
        self.fine(*self.ATTEND, '--output', 'o.npy')
        self.assertTrue((self.folder / 'o.npy').is_symlink())
        np.testing.assert_allclose(np.load(self.folder / 'there.npy'), attend(q, k, v, 1 / np.sqrt(3), False)[1], atol=1e-5)

    def test_mismatched_shapes_are_both_named(self):
        self.save('q.npy', np.zeros((3, 4), np.float32))
        self.save('k.npy', np.zeros((5, 6), np.float32))
        self.save('v.npy', np.zeros((5, 2), np.float32))
        self.refused(BAD_DATA, *self.BOTH, says=('q.npy is 3×4', 'k.npy is 5×6', 'columns'))
        self.save('k.npy', np.zeros((6, 4), np.float32))
        self.refused(BAD_DATA, *self.BOTH, says=('k.npy is 6×4', 'v.npy is 5×2', 'rows'))

    def test_broken_files_are_refused(self):
        self.inputs()
        whole = (self.folder / 'q.npy').read_bytes()
        for length in (0, 1, 6, 9, 60, 127, len(whole) - 1):
            (self.folder / 'q.npy').write_bytes(whole[:length])
            self.refused(BAD_DATA, *self.BOTH, says=('q.npy',))
        for broken in (whole + b'x', b'PK\x03\x04' + whole, whole.replace(b'NUMPY', b'BUMPY'), whole.replace(b'(3, 5)', b'(9, 5)'),
                       whole.replace(b'(3, 5)', b'(-3,5)'), whole.replace(b"'shape'", b"'shope'")):
            self.assertNotEqual(broken, whole)
            (self.folder / 'q.npy').write_bytes(broken)
            self.refused(BAD_DATA, *self.BOTH, says=('q.npy',))

    def test_other_types_dimensions_and_empty_arrays_are_refused(self):
        self.inputs()
        for array, word in ((np.zeros((3, 5), np.int64), 'int64'), (np.zeros((3, 5), np.float16), 'float16'),
                            (np.zeros((3, 5), complex), 'complex128'), (np.array([['a']]), 'text'), (np.zeros(5, np.float32), '(5,)'),
                            (np.zeros((2, 3, 5), np.float32), '(2, 3, 5)'), (np.float32(1), '()'), (np.zeros((0, 5), np.float32), '(0, 5)'),
                            (np.zeros((3, 0), np.float32), '(3, 0)'), (np.array([[None]], dtype=object), 'objects')):
            np.save(self.folder / 'q.npy', array, allow_pickle=True)
            self.refused(BAD_DATA, *self.BOTH, says=('q.npy', word))

    def test_numbers_that_are_not_finite_are_refused(self):
        q, k, v = self.inputs()
        for value in (np.nan, np.inf, -np.inf):
            for name, matrix in (('q.npy', q), ('v.npy', v)):
                broken = matrix.copy()
                broken[1, 1] = value
                self.save(name, broken)
                self.refused(BAD_DATA, *self.BOTH, says=(name, '[1, 1]'))
                self.save(name, matrix)
        self.save('q.npy', q.astype(np.float64) * 1e300)
        self.refused(BAD_DATA, *self.BOTH, says=('q.npy',))

    def test_scores_beyond_single_precision_are_refused(self):
        q, k, v = self.inputs()
        for sign in (1, -1):
            self.save('q.npy', np.full_like(q, 1e30))
            self.save('k.npy', np.full_like(k, sign * 1e30))
            self.refused(BAD_DATA, *self.BOTH, says=('q.npy', 'k.npy', 'float32'))
        self.inputs()
        self.refused(BAD_DATA, *self.BOTH, '--scale', '3e38')

    def test_what_would_not_fit_into_memory_is_refused_before_it_is_computed(self):
        self.save('q.npy', np.zeros((30000, 1), np.float32))
        self.save('k.npy', np.zeros((30000, 1), np.float32))
        self.save('v.npy', np.zeros((30000, 1), np.float32))
        self.refused(BAD_DATA, *self.BOTH, says=('30000×1', 'GiB'))
        self.save('k.npy', np.zeros((1, 1), np.float32))
        self.save('v.npy', np.zeros((1, 30000), np.float32))
        self.refused(BAD_DATA, *self.BOTH, says=('GiB',))

    def test_files_that_cannot_be_read_or_written_are_named(self):
        self.inputs()
        self.refused(BAD_DATA, 'attend', '--query', 'none.npy', '--key', 'k.npy', '--value', 'v.npy', '--output', 'o.npy', says=('none.npy',))
        self.refused(BAD_DATA, 'attend', '--query', '.', '--key', 'k.npy', '--value', 'v.npy', '--output', 'o.npy')
        self.refused(BAD_DATA, *self.ATTEND, '--output', 'no/such/folder/o.npy', says=('no/such/folder/o.npy',))
        self.refused(BAD_DATA, *self.ATTEND, '--output', '.', says=('folder',))
        self.refused(BAD_DATA, *self.ATTEND, '--output', '/dev/null', says=('/dev/null',))

    def test_of_two_outputs_both_appear_or_neither(self):
        self.inputs()
        self.refused(BAD_DATA, *self.ATTEND, '--weights', 'w.npy', '--output', 'no/such/folder/o.npy')
        self.refused(BAD_DATA, *self.ATTEND, '--weights', 'no/such/folder/w.npy', '--output', 'o.npy')

    @unittest.skipUnless(os.path.exists('/dev/full'), 'needs /dev/full')
    def test_no_file_appears_when_the_summary_cannot_be_printed(self):
        self.inputs()
        before = sorted(p.name for p in self.folder.iterdir())
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([PROGRAM, *self.ATTEND, '--output', 'o.npy', '--summary', '-'], cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, BAD_DATA)
        self.assertIn(b'could not be written', done.stderr)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before)

    def test_when_one_file_cannot_be_replaced_the_others_are_as_they_were(self):
        self.inputs((3000, 2, 2, 2))  # a summary that no pipe holds: the command waits for its reader before it replaces files
        (self.folder / 'w.npy').write_bytes(b'old')
        process = subprocess.Popen([PROGRAM, *self.BOTH, '--grad-value', 'gv.npy', '--gradient-output', 'q.npy', '--summary', '-'], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(6000):
            if len(list(self.folder.glob('*.part*'))) == 3:
                break
            time.sleep(0.01)
        (self.folder / 'gv.npy').mkdir()
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, BAD_DATA)
        self.assertIn(b'gv.npy', said)
        self.assertEqual((self.folder / 'w.npy').read_bytes(), b'old')
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ['gv.npy', 'k.npy', 'q.npy', 'v.npy', 'w.npy'])

    def test_bad_usage(self):
        self.inputs()
        for more, word in ((('--scale', 'nan'), 'nan'), (('--scale', 'inf'), 'inf'), (('--scale', '1e400'), '1e400'), (('--scale', '1e39'), '1e39'),
                           (('--scale', 'x'), 'x'), (('--scale', ''), '--scale'), (('--scale',), '--scale X'), (('--score', 'cosign'), 'scaled-dot'),
                           (('--mask', 'casual'), 'Did you mean causal?'), (('--quary', 'x'), 'Did you mean --query?'),
                           (('--score', 'dot', '--score', 'dot'), 'twice'), (('extra',), 'extra'), (('--weights', 'v.npy', 'w.npy'), 'twice')):
            self.refused(BAD_USAGE, *self.BOTH, *more, says=(word,))
        self.refused(BAD_USAGE, *self.ATTEND, says=('--weights', '--output'))
        for same in ('a.npy', './a.npy', str(self.folder / 'a.npy')):
            self.refused(BAD_USAGE, *self.ATTEND, '--weights', same, '--output', 'a.npy', says=('same file',))
        (self.folder / 'link.npy').symlink_to('q.npy')
        self.refused(BAD_USAGE, *self.ATTEND, '--weights', 'link.npy', '--output', 'q.npy', says=('same file',))
        self.refused(BAD_USAGE, *self.ATTEND, '--weights', '--output', 'a.npy', says=('--weights',))
        self.refused(BAD_USAGE, 'attend', '--key', 'k.npy', '--value', 'v.npy', '--output', 'o.npy', says=('--query',))


class AttendOptions(CommandTest):
    """Every option against the reference; inputs are named as there."""
    FILES = {'query': 'q.npy', 'key': 'k.npy', 'value': 'v.npy', 'w_query': 'wq.npy', 'w_key': 'wk.npy', 'w_general': 'wg.npy', 'v': 'vector.npy',
             'bias': 'b.npy', 'grad_output': 'g.npy'}
    RESULTS = {'weights': 'w.npy', 'output': 'o.npy', 'grad_query': 'gq.npy', 'grad_key': 'gk.npy', 'grad_value': 'gv.npy'}
    ADDITIVE = ('--score', 'additive', '--w-query', 'wq.npy', '--w-key', 'wk.npy', '--v', 'vector.npy')
    GRADIENTS = ('--gradient-output', 'g.npy', '--grad-query', 'gq.npy', '--grad-key', 'gk.npy', '--grad-value', 'gv.npy')

    def arguments(self, inputs, options):
        """Saves the inputs; the command line for them and the reference's options."""
        arguments = ['attend']
        for name, array in inputs.items():
            if name == 'mask':
                self.save('m.npy', array.astype(bool))
                continue
            self.save(self.FILES[name], array)
            arguments += ['--gradient-output' if name == 'grad_output' else '--' + name.replace('_', '-'), self.FILES[name]]
        for name, value in options.items():
            for one in value if name == 'mask' else [value]:
                arguments += [f'--{name}', 'm.npy' if one == 'matrix' else str(one)]
        return arguments

    def compute(self, inputs, options, *more, results=('weights', 'output'), noted=False):
        arguments = self.arguments(inputs, options)
        for result in results:
            arguments += ['--' + result.replace('_', '-'), self.RESULTS[result]]
        done = self.run_limelight(*arguments, *more)
        said = done.stderr.decode()
        self.assertEqual(done.returncode, FINE, (arguments, said))
        self.assertRegex(said, r'^(note: .+\.\n)*$')
        if not noted:
            self.assertEqual(said, '', arguments)
        loaded = {result: np.load(self.folder / self.RESULTS[result]) for result in results}
        for array in loaded.values():
            self.assertEqual(array.dtype, np.float32)
            self.assertTrue(array.flags.c_contiguous)
        return loaded

    def assert_near(self, got, expected, message=''):
        self.assertEqual(got.shape, expected.shape, message)
        # Single precision, as in tests/unit/golden_attention_test.cpp.
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-5 * max(1, np.abs(expected).max()), err_msg=str(message))

    def draw(self, t, s, d, value_size, seed=1, batch=(), **more):
        random = np.random.default_rng(seed)
        shapes = {'query': (*batch, t, d), 'key': (*batch, s, d), 'value': (*batch, s, value_size), **more}
        return {name: random.standard_normal(shape).astype(np.float32).astype(float) for name, shape in shapes.items()}

    def test_every_golden_vector_comes_out_of_the_command(self):
        compared = 0
        for case in json.loads((GOLDEN / 'attention.json').read_text(encoding='utf-8'))['cases']:
            if case['kind'] != 'attend' or 'position_table' in case['inputs']:
                continue
            compared += 1
            with self.subTest(case['name']):
                tensor = lambda t: np.array(t['data'], float).reshape(t['shape'])
                expected = {name: tensor(t) for name, t in case['expected'].items() if name in self.RESULTS}
                self.assertEqual(len(expected), 5)
                got = self.compute({name: tensor(t) for name, t in case['inputs'].items()}, case['options'], results=expected, noted=True)
                for name in expected:
                    self.assert_near(got[name], expected[name], name)
        self.assertGreater(compared, 55)

    def test_the_golden_vectors_are_what_their_script_writes(self):
        stored, written = (json.loads(text)['cases'] for text in ((GOLDEN / 'attention.json').read_text(encoding='utf-8'), reference.text()))
        numbers = lambda case: np.concatenate([tensor['data'] for tensor in case['expected'].values()])
        but_numbers = lambda case: {**case, 'expected': {name: tensor['shape'] for name, tensor in case['expected'].items()}}
        self.assertEqual([but_numbers(case) for case in stored], [but_numbers(case) for case in written])
        for a, b in zip(stored, written):
            # Nine digits; another machine's exp may round the last one the other way.
            np.testing.assert_allclose(numbers(a), numbers(b), rtol=1e-8, atol=1e-13, err_msg=a['name'])

    def test_every_option_on_odd_shapes(self):
        general, additive = {'w_general': (32, 32)}, {'w_query': (32, 5), 'w_key': (32, 5), 'v': (5, 1), 'bias': (1, 5)}
        for more, options in (({}, {'score': 'cosine', 'scale': 3}), (general, {'score': 'general', 'scale': 0.1}), (additive, {'score': 'additive'}),
                              ({}, {'temperature': 2.5}), ({}, {'normalizer': 'hard'}), ({}, {'normalizer': 'gumbel', 'seed': 3}),
                              ({}, {'normalizer': 'sparsemax'}), ({}, {'normalizer': 'entmax15', 'mask': ['window:9']}), ({}, {'mask': ['window:20', 'causal']}),
                              ({}, {'mask': ['block:17']}), ({}, {'mask': ['none', 'lengths:40', 'matrix']}), ({}, {'positions': 'sinusoidal'}),
                              ({}, {'positions': 'rope', 'mask': ['causal']}), ({}, {'positions': 'alibi'}), ({}, {'heads': 4, 'positions': 'alibi'}),
                              ({}, {'heads': 8, 'positions': 'rope', 'score': 'dot', 'scale': 0.2}), ({}, {'heads': 1})):
            for t, s in ((1, 1), (65, 63), (31, 129)):
                with self.subTest(options=options, queries=t, keys=s):
                    options_here = {**options, 'mask': [m for m in options.get('mask', []) if s > 40 or not m.startswith('lengths')]}
                    inputs = self.draw(t, s, 32, 8, **more)
                    if 'matrix' in options_here['mask']:
                        inputs['mask'] = np.random.default_rng(2).random((t, s)) < 0.7
                    got = self.compute(inputs, options_here, noted=True)
                    expected = reference.multi_head(inputs, options_here)
                    self.assert_near(got['weights'], expected['weights'] if 'heads' in options else expected['weights'][0])
                    self.assert_near(got['output'], expected['output'])

    def test_vectors_come_in_three_shapes(self):
        inputs = self.draw(3, 5, 4, 2, w_query=(4, 6), w_key=(4, 6), v=(6, 1), bias=(1, 6))
        expected = reference.attend(inputs, {'score': 'additive'})['output']
        for v in ((6,), (6, 1), (1, 6)):
            for bias in ((6,), (6, 1), (1, 6)):
                shaped = {**inputs, 'v': inputs['v'].reshape(v), 'bias': inputs['bias'].reshape(bias)}
                self.assert_near(self.compute(shaped, {'score': 'additive'})['output'], expected)

    def test_batches_of_three_dimensions(self):
        for options in ({}, {'heads': 2}, {'heads': 2, 'positions': 'alibi', 'mask': ['causal']}, {'normalizer': 'gumbel', 'seed': 11},
                        {'heads': 2, 'normalizer': 'gumbel', 'seed': 11}, {'positions': 'rope', 'normalizer': 'sparsemax'}):
            for order in 'CF':
                with self.subTest(options=options, order=order):
                    inputs = self.draw(3, 5, 4, 6, batch=(3,), grad_output=(3, 3, 6))
                    got = self.compute({name: np.array(array, order=order) for name, array in inputs.items()}, options, '--batch', results=self.RESULTS, noted=True)
                    heads = options.get('heads', 1)
                    self.assertEqual(got['weights'].shape, (3, 2, 3, 5) if heads == 2 else (3, 3, 5))
                    for b in range(3):
                        entry = {name: array[b] for name, array in inputs.items()}
                        own = {**options, 'seed': options.get('seed', 0) + b * heads}
                        expected = {**reference.attend(entry, own), **reference.gradients('attend', entry, own)}
                        for name in self.RESULTS:
                            self.assert_near(got[name][b], expected[name], (name, b))

    def test_more_heads_than_can_be_meant_are_refused(self):
        for name in 'qkv':
            np.save(self.folder / f'{name}.npy', np.zeros((1, 70000, 1, 1), np.float32))
        self.refused(BAD_DATA, 'attend', '--query', 'q.npy', '--key', 'k.npy', '--value', 'v.npy', '--batch',
                     '--output', 'o.npy', says=('70000 heads', '65536'))

    def test_batches_of_four_dimensions(self):
        columns = lambda x: x.transpose(1, 0, 2).reshape(x.shape[1], -1)  # [heads, tokens, size] to [tokens, heads · size]
        for options in ({}, {'positions': 'alibi', 'score': 'dot'}, {'normalizer': 'gumbel', 'seed': 4}, {'positions': 'rope', 'mask': ['window:1']}):
            with self.subTest(options=options):
                inputs = self.draw(3, 5, 4, 2, batch=(2, 3), grad_output=(2, 3, 3, 2))
                got = self.compute(inputs, options, '--batch', results=self.RESULTS, noted=True)
                self.assertEqual(got['output'].shape, (2, 3, 3, 2))
                for b in range(2):
                    entry = {name: columns(array[b]) for name, array in inputs.items()}
                    own = {**options, 'heads': 3, 'seed': options.get('seed', 0) + b * 3}
                    expected = {**reference.attend(entry, own), **reference.gradients('attend', entry, own)}
                    self.assert_near(got['weights'][b], expected['weights'])
                    for name in ('output', 'grad_query', 'grad_key', 'grad_value'):
                        self.assert_near(columns(got[name][b]), expected[name], (name, b))

    def test_lengths_count_the_keys_of_each_entry(self):
        inputs = self.draw(3, 5, 4, 2, batch=(3,))
        got = self.compute(inputs, {'mask': ['lengths:5,2,1']}, '--batch')
        for b, length in enumerate((5, 2, 1)):
            entry = {name: array[b] for name, array in inputs.items()}
            self.assert_near(got['weights'][b], reference.attend(entry, {'mask': [f'lengths:{length}']})['weights'])
            self.assertTrue((got['weights'][b][:, length:] == 0).all())

    def test_queries_that_see_nothing_are_zero_and_noted(self):
        inputs = self.draw(4, 5, 4, 2, grad_output=(4, 2))
        inputs['mask'] = np.ones((4, 5))
        inputs['mask'][[1, 3]] = 0
        got = self.compute(inputs, {'mask': ['matrix']}, results=self.RESULTS, noted=True)
        for name in ('weights', 'output', 'grad_query'):
            self.assertTrue((got[name][[1, 3]] == 0).all())
            self.assertTrue((got[name][[0, 2]] != 0).any())
        self.assertTrue(all(np.isfinite(array).all() for array in got.values()))
        arguments = self.arguments(inputs, {'mask': ['matrix']})
        done = self.run_limelight(*arguments, '--output', 'o.npy', '--grad-query', 'gq.npy')
        self.assertEqual((done.returncode, done.stderr.decode()),
                         (FINE, 'note: queries 1 and 3 see no key; their weights and output are 0. Queries count from 0.\n'))
        batch = {name: np.stack([array, array]) for name, array in self.draw(4, 5, 4, 2).items()}
        done = self.run_limelight(*self.arguments(batch, {'mask': ['lengths:5,0']}), '--batch', '--output', 'o.npy', '--fused')
        self.assertIn('note: in batch entry 1 queries 0, 1, 2 and 3 see no key', done.stderr.decode())
        self.assertTrue((np.load(self.folder / 'o.npy')[1] == 0).all())

    def test_hard_weights_say_that_their_gradient_is_zero(self):
        inputs = self.draw(3, 5, 4, 2, grad_output=(3, 2))
        for normalizer in ('hard', 'gumbel'):
            done = self.run_limelight(*self.arguments(inputs, {'normalizer': normalizer}), '--grad-query', 'gq.npy', '--grad-value', 'gv.npy')
            self.assertEqual(done.returncode, FINE)
            self.assertIn('almost everywhere', done.stderr.decode())
            self.assertTrue((np.load(self.folder / 'gq.npy') == 0).all())
            self.assertTrue((np.load(self.folder / 'gv.npy') != 0).any())

    def test_gradients_are_written_only_where_asked_for(self):
        self.fine(*self.arguments(self.draw(3, 5, 4, 2, grad_output=(3, 2)), {}), '--grad-key', 'gk.npy')
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ['g.npy', 'gk.npy', 'k.npy', 'q.npy', 'v.npy'])

    def test_fused_has_the_same_output(self):
        for options in ({}, {'score': 'dot', 'scale': 0.3, 'temperature': 1.5}, {'mask': ['causal']}, {'mask': ['window:7', 'lengths:60']}, {'mask': ['matrix']},
                        {'positions': 'sinusoidal'}, {'positions': 'rope'}, {'positions': 'alibi', 'mask': ['causal']}, {'heads': 4, 'positions': 'alibi'},
                        {'heads': 2, 'positions': 'rope'}):
            for t, s in ((1, 61), (65, 63), (131, 257)):
                with self.subTest(options=options, queries=t, keys=s):
                    inputs = self.draw(t, s, 32, 12)
                    inputs['mask'] = np.random.default_rng(2).random((t, s)) < 0.7
                    got = self.compute(inputs, options, '--fused', results=('output',), noted=True)
                    self.assert_near(got['output'], reference.attend(inputs, options)['output'])
        inputs = self.draw(9, 7, 4, 6, batch=(2, 3))
        got = self.compute(inputs, {'mask': ['lengths:7,3'], 'positions': 'alibi'}, '--batch', results=('output',))
        fused = self.compute(inputs, {'mask': ['lengths:7,3'], 'positions': 'alibi'}, '--batch', '--fused', results=('output',))
        self.assert_near(fused['output'], got['output'])

    def test_fused_takes_what_would_not_fit_with_its_steps(self):
        inputs = self.draw(2000, 30001, 8, 3)
        arguments = self.arguments(inputs, {})
        self.refused(BAD_DATA, *arguments, '--output', 'o.npy', says=('GiB', '--fused'))
        output = self.compute(inputs, {}, '--fused', results=('output',))['output']
        rows = [0, 1, 999, 1999]
        expected = reference.attend({**inputs, 'query': inputs['query'][rows]}, {})['output']
        np.testing.assert_allclose(output[rows], expected, rtol=0, atol=1e-5)

    def test_summary_is_as_documented(self):
        inputs = self.draw(4, 5, 6, 2)
        inputs['mask'] = np.ones((4, 5))
        inputs['mask'][2] = 0
        names = ('entropy', 'effective_keys', 'largest_weight', 'softmax_jacobian_norm', 'query_jacobian_norm')
        for options in ({}, {'temperature': 0.5, 'scale': 0.7}, {'heads': 2}, {'positions': 'sinusoidal'}, {'positions': 'rope'}, {'heads': 2, 'positions': 'alibi'}):
            with self.subTest(options=options):
                options = {**options, 'mask': ['matrix']}
                self.compute(inputs, options, '--summary', 's.json', noted=True)
                summary = json.loads((self.folder / 's.json').read_text())
                self.assertEqual(set(summary), {'score', 'scale', 'temperature', 'queries', 'keys', 'entries'})
                heads = options.get('heads', 1)
                self.assertEqual((summary['score'], summary['queries'], summary['keys'], len(summary['entries'])), ('scaled-dot', 4, 5, heads))
                weights = reference.multi_head(inputs, options)['weights']
                positions = {'sinusoidal': lambda k: k + reference.sinusoidal(*k.shape), 'rope': reference.rope}.get(options.get('positions'), lambda k: k)
                for h, entry in enumerate(summary['entries']):
                    self.assertEqual(set(entry), {'batch', 'head', 'fully_masked', *names})
                    self.assertEqual((entry['batch'], entry['head'], entry['fully_masked']), (0, h, [2]))
                    key = positions(np.split(inputs['key'], heads, axis=1)[h])
                    expected = reference.analysis({'weights': weights[h], 'key': key}, {'scale': summary['scale'], 'temperature': summary['temperature']})
                    for name in names:
                        self.assert_near(np.array(entry[name])[:, None], expected[name], name)

    def test_summary_is_null_where_a_norm_is_not_defined(self):
        inputs = self.draw(3, 5, 4, 2)
        for options, nulls in (({'score': 'cosine'}, {'query_jacobian_norm'}), ({'normalizer': 'sparsemax'}, {'softmax_jacobian_norm', 'query_jacobian_norm'})):
            entry = json.loads(self.fine(*self.arguments(inputs, options), '--summary', '-'))['entries'][0]
            self.assertEqual({name for name, value in entry.items() if value is None}, nulls)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ['k.npy', 'q.npy', 'v.npy'])

    def test_bad_options_are_refused(self):
        inputs = self.draw(3, 5, 4, 2, w_query=(4, 6), w_key=(4, 6), v=(6,), bias=(6,), w_general=(4, 4), grad_output=(3, 2))
        self.arguments(inputs, {})
        for more, words in ((('--temperature', '0'), ('--temperature', 'above 0')), (('--temperature', '-1'), ('above 0',)), (('--temperature', 'nan'), ('nan',)),
                            (('--heads', '0'), ('from 1',)), (('--heads', '2.5'), ('whole',)), (('--heads', '-1'), ('from 1',)),
                            (('--normalizer', 'softmacks'), ('Did you mean softmax?',)), (('--positions', 'rotary'), ('rope',)),
                            (('--mask', 'window'), ('window:W',)), (('--mask', 'window:-1'), ('from 0',)), (('--mask', 'window:x'), ('window:W',)),
                            (('--mask', 'block:0'), ('from 1',)), (('--mask', 'lengths:'), ('lengths:a,b',)), (('--mask', 'lengths:3,'), ('lengths:a,b',)),
                            (('--mask', 'lengths:-1'), ('from 0',)), (('--mask', 'none:3'), ('it can be',)), (('--mask', 'm.txt'), ('FILE.npy',)),
                            (('--mask', '.npy'), ('FILE.npy',)), (('--seed', '1'), ('gumbel', 'softmax')), (('--seed', '-1', '--normalizer', 'gumbel'), ('from 0',)),
                            (('--seed', '1.5', '--normalizer', 'gumbel'), ('whole',)), (('--seed', '1e17', '--normalizer', 'gumbel'), ('9007199254740991',)),
                            (('--v', 'vector.npy'), ('additive', 'scaled-dot')), (('--bias', 'b.npy', '--score', 'dot'), ('additive', 'dot')),
                            (('--w-general', 'wg.npy', '--score', 'additive'), ('general', 'additive')), (('--score', 'general'), ('--w-general FILE.npy',)),
                            (('--score', 'additive', '--w-query', 'wq.npy', '--w-key', 'wk.npy'), ('--v FILE.npy',)), (('--score', 'additive'), ('--w-query FILE.npy',)),
                            (('--gradient-output', 'g.npy'), ('--grad-query',)), (('--grad-value', 'gv.npy'), ('--gradient-output FILE.npy',)),
                            (('--fused', '--weights', 'w.npy'), ('--fused', '--weights')), (('--fused', '--summary', '-'), ('--fused', '--summary')),
                            (('--fused', '--normalizer', 'sparsemax'), ('softmax', 'sparsemax')), (('--fused', '--score', 'cosine'), ('dot', 'cosine')),
                            (('--fused', *self.GRADIENTS), ('--fused', '--gradient-output')), (('--fused=yes',), ('no value',)),
                            (('--batch', '--batch'), ('twice',)), (('--summary', 'o.npy'), ('same file',)),
                            ((*self.GRADIENTS[:2], '--grad-query', 'x.npy', '--grad-key', './x.npy'), ('same file', '--grad-query', '--grad-key'))):
            with self.subTest(more):
                self.refused(BAD_USAGE, *self.ATTEND, '--output', 'o.npy', *more, says=words)

    def test_bad_shapes_are_refused_with_both_sides(self):
        zeros = lambda *shape: np.zeros(shape, np.float32)
        files = {'q': zeros(3, 4), 'k': zeros(5, 4), 'v': zeros(5, 2), 'wq': zeros(4, 6), 'wk': zeros(4, 6), 'vector': zeros(6), 'b': zeros(6),
                 'wg': zeros(4, 4), 'g': zeros(3, 2)}
        three = {'q': zeros(2, 3, 4), 'k': zeros(2, 5, 4), 'v': zeros(2, 5, 2)}
        four = {'q': zeros(2, 3, 3, 4), 'k': zeros(2, 3, 5, 4), 'v': zeros(2, 3, 5, 2)}
        additive, general = (*self.ADDITIVE, '--bias', 'b.npy'), ('--score', 'general', '--w-general', 'wg.npy')
        mask = ('--mask', 'm.npy')
        for changed, more, words in (
                ({}, ('--batch',), ('q.npy', '(3, 4)', '(batch, tokens, size)')), (three, (), ('q.npy', '(2, 3, 4)', '--batch')),
                ({'q': zeros(4)}, (), ('q.npy', '(4,)')), ({'q': zeros(1, 1, 1, 3, 4)}, (), ('q.npy', '(1, 1, 1, 3, 4)')),
                ({**three, 'k': zeros(2, 1, 5, 4)}, ('--batch',), ('q.npy is 2×3×4', 'k.npy is 2×1×5×4', 'dimensions')),
                ({**three, 'v': zeros(1, 5, 2)}, ('--batch',), ('k.npy is 2×5×4', 'v.npy is 1×5×2', 'batch')),
                ({**four, 'k': zeros(2, 1, 5, 4)}, ('--batch',), ('q.npy is 2×3×3×4', 'k.npy is 2×1×5×4', 'heads')),
                (four, ('--batch', '--heads', '2'), ('2×3×3×4', '--heads')), ({}, ('--heads', '3'), ('q.npy is 3×4', '--heads is 3')),
                ({'v': zeros(5, 3)}, ('--heads', '2'), ('v.npy is 5×3', '--heads is 2')), ({'v': zeros(4, 2)}, (), ('k.npy is 5×4', 'v.npy is 4×2', 'rows')),
                ({'q': zeros(3, 6)}, ('--score', 'cosine'), ('q.npy is 3×6', 'k.npy is 5×4', 'columns')),
                ({'wg': zeros(3, 4)}, general, ('wg.npy is 3×4', 'q.npy is 3×4')), ({'wg': zeros(4, 3)}, general, ('wg.npy is 4×3', 'k.npy is 5×4')),
                ({'wg': zeros(4)}, general, ('wg.npy is 4',)), ({}, (*general, '--heads', '2'), ('wg.npy is 4×4', '2 rows')),
                ({'wq': zeros(5, 6)}, additive, ('wq.npy is 5×6', 'q.npy is 3×4')), ({'wk': zeros(5, 6)}, additive, ('wk.npy is 5×6', 'k.npy is 5×4')),
                ({'wk': zeros(4, 5)}, additive, ('wq.npy', '6 columns', 'wk.npy', '5')), ({'vector': zeros(5)}, additive, ('vector.npy is 5', '6 columns')),
                ({'vector': zeros(2, 3)}, additive, ('vector.npy is 2×3', '6 columns')), ({'b': zeros(7, 1)}, additive, ('b.npy is 7×1', '6 columns')),
                ({'b': zeros(1, 1, 6)}, additive, ('b.npy is 1×1×6',)), ({'g': zeros(3, 3)}, self.GRADIENTS, ('g.npy is 3×3', '3×2')),
                ({'g': zeros(1, 3, 2)}, self.GRADIENTS, ('g.npy is 1×3×2', '3×2')), ({**three, 'g': zeros(3, 2)}, ('--batch', *self.GRADIENTS), ('3×2', '2×3×2')),
                ({'m': np.ones((5, 3), bool)}, mask, ('m.npy is 5×3', '3 queries', '5 keys')), ({'m': np.ones((3, 5), np.float32)}, mask, ('m.npy', 'float32', 'bool')),
                ({'m': np.ones((3, 5), np.int64)}, mask, ('m.npy', 'int64', 'bool')), ({'m': np.ones((1, 3, 5), bool)}, mask, ('m.npy', '(1, 3, 5)')),
                ({}, ('--mask', 'none.npy'), ('none.npy',)), ({}, ('--mask', 'lengths:6'), ('6', 'k.npy is 5×4')),
                ({}, ('--mask', 'lengths:5,5'), ('2 numbers', 'k.npy is 5×4')), (three, ('--batch', '--mask', 'lengths:5'), ('1 number ', 'k.npy is 2×5×4', '2')),
                ({'q': zeros(3, 3), 'k': zeros(5, 3)}, ('--positions', 'rope'), ('q.npy is 3×3', 'even')),
                ({'q': zeros(3, 6), 'k': zeros(5, 6)}, ('--positions', 'rope', '--heads', '2'), ('q.npy is 3×6', '3 columns'))):
            with self.subTest(more=more, changed={name: array.shape for name, array in changed.items()}):
                for name, array in {**files, **changed}.items():
                    self.save(name + '.npy', array)
                self.refused(BAD_DATA, *self.ATTEND, '--output', 'o.npy', '--summary', 's.json', *more, says=words)

    def test_what_overflows_is_refused_in_every_path(self):
        inputs = self.draw(3, 5, 4, 2, grad_output=(3, 2))
        large = {**inputs, 'query': np.full((3, 4), 1e30), 'key': np.full((5, 4), 1e30)}
        for sign in (1, -1):
            arguments = self.arguments({**large, 'key': sign * large['key']}, {})
            for more in (('--fused',), ('--normalizer', 'hard'), ('--normalizer', 'entmax15'), ('--summary', 's.json')):
                self.refused(BAD_DATA, *arguments[:7], '--output', 'o.npy', *more, says=('q.npy', 'k.npy', 'float32'))
        arguments = self.arguments(inputs, {})[:7]
        for more in (('--scale', '3e38'), ('--scale', '-3e38', '--normalizer', 'sparsemax'), ('--scale', '3e38', '--fused')):
            self.refused(BAD_DATA, *arguments, '--output', 'o.npy', *more, says=('q.npy', 'k.npy', 'float32'))
        for query in (inputs['query'], np.zeros((3, 4))):  # the factor is refused by itself, whatever the scores
            self.save('q.npy', query)
            for more in (('--temperature', '1e-39'), ('--temperature', '1e-39', '--fused'), ('--scale', '-1e30', '--temperature', '1e-30')):
                self.refused(BAD_DATA, *arguments, '--output', 'o.npy', *more, says=('scale', 'temperature', 'float32'))
        arguments = self.arguments({**inputs, 'value': np.full((5, 2), 3e38), 'grad_output': np.full((3, 2), 3e38)}, {})
        self.refused(BAD_DATA, *arguments, '--output', 'o.npy', '--grad-query', 'gq.npy', says=('g.npy', 'float32'))

    def test_of_all_results_each_appears_or_none(self):
        arguments = self.arguments(self.draw(3, 5, 4, 2, grad_output=(3, 2)), {})
        self.refused(BAD_DATA, *arguments, '--output', 'o.npy', '--weights', 'w.npy', '--summary', 'no/such/folder/s.json', '--grad-query', 'gq.npy')
        self.refused(BAD_DATA, *arguments, '--output', 'o.npy', '--summary', '-', '--grad-query', 'no/such/folder/gq.npy')


class Render(CommandTest):
    STEPS = [str(step) for step in range(1, 10)] + [f'7.{part}' for part in range(1, 5)]
    PRESETS = ('coffee', 'day1', 'fox', 'cat', 'apple', 'own')

    def render(self, name, *options):
        self.fine('render', 'spotlight', '--out', name, *options)
        data = (self.folder / name).read_bytes()
        (self.folder / name).unlink()
        self.assertEqual(list(self.folder.iterdir()), [])
        return data

    def json(self, *options):
        return json.loads(self.render('a.json', *options))

    def test_a_batch_draws_each_line_as_if_it_were_alone_and_names_those_that_it_cannot(self):
        lines = [['spotlight', '--step', '9', '--theme', 'dark', '--out', 'a.svg'], ['nowhere', '--out', 'b.svg'], [],
                 ['heads', '--step', '3', '--state', 'preset=apple', '--out', 'c.py', '--language', 'pytorch'],
                 ['spotlight', '--state', 'temperature=-1', '--out', 'd.svg'], ['--batch', 'lines'], ['scale', '--out', 'e.csv']]
        (self.folder / 'lines').write_text('\n'.join('\t'.join(line) for line in lines))
        done = self.run_limelight('render', '--batch', 'lines')
        self.assertEqual(done.returncode, BAD_USAGE)
        sentences = done.stderr.decode().splitlines()
        for line, words in [(2, 'nowhere'), (5, 'Temperature'), (6, 'tabs')]:
            self.assertEqual(sum(f'lines:{line}: ' in sentence and words in sentence for sentence in sentences), 1, done.stderr)
        drawn = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.name != 'lines'}
        self.assertEqual(sorted(drawn), ['a.svg', 'c.py', 'e.csv'])
        for line in (lines[0], lines[3], lines[6]):
            self.fine('render', *line)
        self.assertEqual(drawn, {name: (self.folder / name).read_bytes() for name in drawn})

    def test_a_batch_stands_alone(self):
        (self.folder / 'lines').write_text('spotlight\t--out\ta.svg\n')
        self.refused(BAD_USAGE, 'render', 'spotlight', '--batch', 'lines', says=['one argument too many'])
        self.refused(BAD_USAGE, 'render', '--batch', 'lines', '--theme', 'dark', says=['--batch stands alone'])
        self.refused(BAD_DATA, 'render', '--batch', 'nowhere', says=['nowhere'])

    def test_every_step_of_every_preset_is_valid_svg_with_text_and_no_script(self):
        for preset in self.PRESETS:
            for step in self.STEPS:
                with self.subTest(preset=preset, step=step):
                    data = self.render('a.svg', '--state', f'preset={preset}', '--step', step, '--theme', 'dark' if step == '3' else 'light')
                    document = xml.dom.minidom.parseString(data)
                    svg = document.documentElement
                    self.assertEqual(svg.tagName, 'svg')
                    self.assertEqual(float(svg.getAttribute('width')), 756)
                    self.assertGreaterEqual(float(svg.getAttribute('height')), 592)
                    title, description = (svg.getElementsByTagName(tag)[0].firstChild.data for tag in ('title', 'desc'))
                    self.assertIn('Spotlight', title)
                    self.assertIn(f'step {step[0]} of 9', title)
                    self.assertTrue(description.endswith('.'))
                    self.assertNotIn('**', description)
                    self.assertGreater(len(document.getElementsByTagName('text')), 5)
                    self.assertEqual(document.getElementsByTagName('script').length, 0)
                    ids = [e.getAttribute('id') for e in document.getElementsByTagName('*') if e.hasAttribute('id')]
                    self.assertEqual(len(ids), len(set(ids)))

    def test_png_is_whole_and_as_large_as_asked(self):
        for step in self.STEPS:
            width, height, pixels = png_size_and_pixels(self.render('a.png', '--step', step))
            self.assertEqual(width, 756)
            self.assertGreaterEqual(height, 592)
            self.assertEqual(pixels, height * (1 + 4 * width))  # RGBA, a filter byte before each row
        self.assertEqual(png_size_and_pixels(self.render('a.PNG', '--size', '500x900', '--scale', '2'))[:2], (1000, 1800))
        self.assertEqual(png_size_and_pixels(self.render('a.png', '--size', '500x900', '--scale', '0.5'))[:2], (250, 450))

    def test_the_same_command_writes_the_same_bytes(self):
        for name in ('a.svg', 'a.png', 'a.csv', 'a.npy', 'a.tex', 'a.json'):
            self.assertEqual(self.render(name, '--step', '9'), self.render(name, '--step', '9'))

    def test_the_page_s_static_figures_are_what_the_command_draws(self):
        # web/fallback-THEME.svg: limelight render spotlight --step 9 --theme THEME --out web/fallback-THEME.svg
        for theme in ('light', 'dark'):
            shipped = pathlib.Path(__file__).parents[2] / 'web' / f'fallback-{theme}.svg'
            self.assertEqual(self.render('a.svg', '--step', '9', '--theme', theme), shipped.read_bytes())

    def test_csv_is_the_principal_tensor_with_its_labels(self):
        for step, tensor in (('1', 'X'), ('2', 'X'), ('3', 'W_q'), ('4', 'Q'), ('5', 'scores'), ('6', 'scaled'), ('7', 'weights'), ('7.1', 'shifted'),
                             ('7.2', 'exponentials'), ('7.3', 'sum'), ('7.4', 'weights'), ('8', 'output'), ('9', 'weights')):
            text = self.render('a.csv', '--step', step).decode()
            self.assertTrue(text.endswith('\r\n'))
            rows = list(csv.reader(io.StringIO(text, newline='')))
            numbers = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]], dtype=np.float32)
            whole = self.json('--step', step)['tensors'][tensor]
            self.assertEqual(list(numbers.shape), whole['shape'], tensor)
            # Full precision: the same float.
            np.testing.assert_array_equal(numbers.ravel(), np.array(whole['data'], dtype=np.float32))
            if tensor == 'weights':
                self.assertEqual(rows[0], ['weights', 'she', 'likes', 'coffee'])
                self.assertEqual([row[0] for row in rows[1:]], ['she', 'likes', 'coffee'])

    def test_npy_and_tex_hold_the_same_numbers_as_csv(self):
        for step in ('1', '7.2', '8', '9'):
            rows = list(csv.reader(io.StringIO(self.render('a.csv', '--step', step).decode(), newline='')))
            numbers = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]], dtype=np.float32)
            array = np.load(io.BytesIO(self.render('a.npy', '--step', step)))
            self.assertEqual(array.dtype, np.float32)
            np.testing.assert_array_equal(array, numbers)
            lines = [line for line in self.render('a.tex', '--step', step).decode().splitlines() if line.endswith('\\\\')]
            self.assertEqual([line.strip(' \\').split(' & ')[0].replace('\\_', '_') for line in lines], [row[0] for row in rows])
            rounded = np.array([[float(cell.strip(' \\').strip('$')) for cell in line.split(' & ')[1:]] for line in lines[1:]])
            np.testing.assert_allclose(rounded, numbers, rtol=6e-4, atol=1e-12)

    def test_tex_escapes_labels_and_writes_masked_scores_as_minus_infinity(self):
        text = self.render('a.tex', '--step', '6', '--state', 'text=50%25+a_b+%26+%5Bx%5D&mask=causal').decode()
        for part in ('\\% & ', '{}[ & ', 'a\\_b', '\\&', '$-\\infty$'):
            self.assertIn(part, text)

    def test_csv_quotes_labels_and_writes_masked_scores_as_minus_infinity(self):
        text = self.render('a.csv', '--step', '6', '--state', 'text=say+%22no%22,+then&mask=causal').decode()
        rows = list(csv.reader(io.StringIO(text, newline='')))
        self.assertEqual(rows[0][1:], ['say', '"', 'no', '"', ',', 'then'])
        self.assertEqual(rows[1][2:], ['-inf'] * 5)
        self.assertIn('""""', text)

    def test_json_holds_everything(self):
        whole = self.json('--state', 'preset=fox&temperature=0.5&W_q=1.2:0.35&mask=causal', '--step', '7.2', '--size', '900x700')
        self.assertEqual(set(whole), {'scene', 'step', 'part', 'state', 'tensors', 'narration', 'figure'})
        self.assertEqual((whole['scene'], whole['step'], whole['part']), ('spotlight', 7, 2))
        state = whole['state']
        self.assertEqual((state['preset'], state['temperature'], state['W_q'], state['mask'], state['query']), ('fox', 0.5, '1.2:0.35', 'causal', 4))
        for name, tensor in whole['tensors'].items():
            self.assertEqual(int(np.prod(tensor['shape'])), len(tensor['data']), name)
        self.assertEqual(whole['tensors']['W_q']['data'][1 * 6 + 2], 0.35)
        self.assertEqual(whole['tensors']['scaled']['data'][1], '-Infinity')
        self.assertNotIn('**', whole['narration'])
        figure = whole['figure']
        self.assertEqual(figure['width'], 900)
        self.assertGreaterEqual(figure['height'], 700)
        for element in figure['elements']:
            self.assertEqual(set(element), {'id', 'kind', 'role', 'label', 'rect', 'source', 'edit'})
            self.assertEqual(set(element['rect']), {'x', 'y', 'w', 'h'})
        with_role = [e['id'] for e in figure['elements'] if e['role'] != 'none']
        self.assertEqual(len(with_role), len(set(with_role)))
        self.assertIn('exponentials', with_role)

    def test_json_of_a_whole_step_has_exactly_the_documented_members(self):
        self.assertEqual(set(self.json('--step', '7')), {'scene', 'step', 'state', 'tensors', 'narration', 'figure'})

    def test_json_has_the_numbers_of_the_seed_articles(self):
        for preset, golden in GOLDENS.items():
            tensors = self.json('--state', f'preset={preset}')['tensors']
            compared = 0
            for name, expected in golden.items():
                if name not in tensors:
                    continue
                compared += 1
                expected = np.array(expected)
                self.assertEqual(tensors[name]['shape'], list(expected.shape))
                got = np.array(tensors[name]['data']).reshape(expected.shape)
                self.assertTrue((np.abs(got - expected) <= 1e-6 * np.maximum(1, np.abs(expected))).all(), (preset, name))
            self.assertGreaterEqual(compared, 6)

    def test_any_script_can_be_rendered(self):
        for text in ('🙂 👩‍👩‍👧 👍🏽', 'السلام عليكم', 'e\u0301a\u0308', '日本語の文です', '<b>&amp;</b> "quoted"', '\x01\x02 a', 'x' * 4000):
            state = 'text=' + ''.join(f'%{byte:02X}' for byte in text.encode())
            for step in ('1', '7', '9'):
                xml.dom.minidom.parseString(self.render('a.svg', '--state', state, '--step', step))
            png_size_and_pixels(self.render('a.png', '--state', state, '--step', '9'))

    def test_any_allowed_size_can_be_rendered(self):
        for size in ('240x240', '360x640', '390×844', '8192x240', '240x8192'):
            xml.dom.minidom.parseString(self.render('a.svg', '--size', size, '--step', '9', '--state', 'preset=fox'))
        words = '+'.join(f'w{i}' for i in range(64))
        for step in ('1', '5', '9'):
            xml.dom.minidom.parseString(self.render('a.svg', '--size', '240x240', '--step', step, '--state', f'text={words}&d=64'))

    def test_bad_usage(self):
        out = ('--out', 'a.svg')
        for arguments, word in ((('spotligt', *out), 'Did you mean spotlight?'), (('spotlight',), '--out'), (out, 'scene'), (('spotlight', 'x', *out), '"x"'),
                                (('spotlight', '--out', 'a.gif'), '.svg'), (('spotlight', '--out', '.svg'), '.svg'), (('spotlight', '--out'), '--out FILE'),
                                (('spotlight', '--stat', 'x', *out), 'Did you mean --state?'), (('spotlight', *out, *out), 'twice')):
            self.refused(BAD_USAGE, 'render', *arguments, says=(word,))
        for option, values in (('--step', ('0', '10', '-1', 'y', 'softmax.', 'softmax.2', '', '7.5', '7.0', '1.1', '7.', '1e1', 'nan')),
                               ('--size', ('0x0', '100', 'x', '756x', 'x592', '239x592', '756x8193', '1e3x592', '-756x592', 'nanxnan', '99999999999x592')),
                               ('--theme', ('blue', 'Light', '')), ('--scale', ('0', '-1', 'nan', 'inf', '9', 'x'))):
            for value in values:
                kind = 'a.png' if option == '--scale' else 'a.svg'
                self.refused(BAD_USAGE, 'render', 'spotlight', '--out', kind, option, value, says=() if option == '--step' else (option,))
        self.refused(BAD_USAGE, 'render', 'spotlight', *out, '--scale', '2', says=('PNG',))
        self.refused(BAD_USAGE, 'render', 'spotlight', '--out', 'a.png', '--size', '8192x8192', '--scale', '8', says=('pixels',))

    def test_a_whole_link_is_a_state_too_and_options_come_first(self):
        link = 'v=1&scene=spotlight&step=7.2&preset=fox&pin=weights%5B0%2C1%5D&zoom=&guess=1&theme=dark&embed=1&debug=0'
        plain = self.render('a.svg', '--state', 'preset=fox', '--step', '7.2', '--theme', 'dark')
        self.assertEqual(self.render('a.svg', '--state', link), plain)
        self.assertEqual(self.render('a.svg', '--state', link, '--step', '3', '--theme', 'light'),
                         self.render('a.svg', '--state', 'preset=fox', '--step', '3'))
        for state, word in (('v=3', 'version'), ('scene=elsewhere', 'elsewhere'), ('step=99', '99')):
            self.refused(BAD_DATA, 'render', 'spotlight', '--out', 'a.svg', '--state', state, says=(word,))

    def test_bad_states(self):
        words = '+'.join(f'w{i}' for i in range(10000))[:30000]
        for state, word in (('preset=latte', 'coffee'), ('presett=fox', 'preset'), ('preset', 'key=value'), ('text=', 'words'), ('text=+++', 'words'),
                            ('text=' + '+'.join(['w'] * 65), '65'), ('text=' + words, 'shorten'), ('d=1', '2 to 64'), ('d=65', '2 to 64'), ('d=8.5', 'whole'),
                            ('d=nan', 'nan'), ('temperature=0', '0.05'), ('temperature=inf', 'inf'), ('temperature=nan', 'nan'), ('temperature=1e999', '1e999'),
                            ('W_q=9.9:1', '4×4'), ('W_q=0.0:1e9', '1000'), ('W_q=0.0:nan', 'nan'), ('W_q=x', 'row.column:value'), ('Q=0.0:1', 'Q'),
                            ('weights=0.0:2', '1'), ('d=4&d=5', 'twice'), ('d=%', '%25'), ('mask=casual', 'causal'), ('a' * 40000, '32768'),
                            ('query=64', '0 to 2'), ('preset=day1&X=0.0:1', 'X')):
            self.refused(BAD_DATA, 'render', 'spotlight', '--out', 'a.svg', '--state', state, says=(word,))

    def test_a_file_that_cannot_be_written_is_named(self):
        self.refused(BAD_DATA, 'render', 'spotlight', '--out', 'no/such/folder/a.svg', says=('no/such/folder/a.svg',))

    def test_a_file_that_is_there_is_replaced_whole(self):
        (self.folder / 'a.csv').write_text('old\n' * 10000)
        self.assertTrue(self.render('a.csv').startswith(b'X,'))


class Scenes(CommandTest):
    def test_scenes_are_listed_as_documented(self):
        scenes = json.loads(self.fine('scenes'))
        self.assertIn('spotlight', [scene['name'] for scene in scenes])
        for scene in scenes:
            self.assertEqual(set(scene), {'name', 'title', 'steps', 'fields'})
            for step in scene['steps']:
                self.assertLessEqual({'id', 'name', 'caption'}, set(step))
            self.assertEqual(scene['fields'][0]['name'], 'preset')
            for field in scene['fields']:
                self.assertLessEqual({'name', 'type', 'label', 'min', 'max', 'default'}, set(field))
                self.assertIn(field['type'], ('integer', 'real', 'toggle', 'choice', 'text', 'cells', 'order'))
                kind = {'integer': int, 'real': (int, float), 'toggle': bool}.get(field['type'], str)
                self.assertIsInstance(field['default'], kind)
                if field['type'] in ('integer', 'real'):
                    self.assertLessEqual(field['min'], field['default'])
                    self.assertLessEqual(field['default'], field['max'])
                if field['type'] == 'choice':
                    self.assertIn(field['default'], field['choices'])

    def test_every_listed_step_can_be_rendered(self):
        for scene in json.loads(self.fine('scenes')):
            for step in range(1, len(scene['steps']) + 1):
                self.fine('render', scene['name'], '--step', step, '--out', 'a.csv')


class Generate(CommandTest):
    def lines(self, *options):
        return [json.loads(line) for line in self.fine('generate', 'french', *options).decode().splitlines()]

    def test_each_line_is_a_sentence_its_translation_and_links_between_their_tokens(self):
        lines = self.lines('--seed', 5, '--count', 200)
        self.assertEqual(len(lines), 200)
        for line in lines:
            self.assertTrue({'source', 'target', 'alignment'} <= line.keys())
            for text, tokens in ((line['source'], line['source_tokens']), (line['target'], line['target_tokens'])):
                self.assertEqual(text.replace(' ', '').lower(), ''.join(tokens).lower())
                self.assertTrue(text[0].isupper() and text.endswith('.'))
            self.assertEqual({t for t, _ in line['alignment']}, set(range(len(line['target_tokens']))))
            self.assertTrue({s for _, s in line['alignment']} <= set(range(len(line['source_tokens']))))

    def test_the_seed_and_the_bounds_are_what_was_asked_for(self):
        self.assertEqual(self.lines('--seed', 7), self.lines('--seed', 7))
        self.assertNotEqual(self.lines('--seed', 7), self.lines('--seed', 8))
        self.assertEqual(len(self.lines()), 10)
        for line in self.lines('--min-words', 5, '--max-words', 6, '--split', 'held-out', '--count', 50):
            self.assertIn(sum(token not in '.,' for token in line['source_tokens']), (5, 6))
            self.assertTrue(line['held_out'])

    def test_every_task_has_lines(self):
        for task in ('copy', 'reverse', 'sort', 'dates'):
            lines = [json.loads(line) for line in self.fine('generate', task, '--count', 20).decode().splitlines()]
            self.assertEqual(len(lines), 20)
            for line in lines:
                self.assertEqual(line['source'], ''.join(line['source_tokens']))
                for to, source in line['alignment']:
                    self.assertEqual(line['target_tokens'][to], line['source_tokens'][source])
                self.assertEqual(len(line['alignment']), 0 if task == 'dates' else len(line['source']))

    def test_bad_usage_is_named(self):
        for arguments, word in ((('german',), 'french'), ((), 'TASK'), (('french', '--count', '0'), '--count'),
                                (('french', '--seed', '-1'), '--seed'), (('french', '--seed', 'x'), '--seed'),
                                (('french', '--min-words', '2'), '"2"; it must be a whole number from 3 to 30. The task french'),
                                (('dates', '--max-words', '19'), '"19"; it must be a whole number from 8 to 18. The task dates'),
                                (('french', '--min-words', '9', '--max-words', '8'), '--min-words'), (('copy', '--max-words', '201'), '--max-words'),
                                (('french', '--split', 'test'), 'held-out')):
            self.refused(BAD_USAGE, 'generate', *arguments, says=(word,))


class Program(CommandTest):
    def test_help_is_printed_for_each_command(self):
        overview = self.fine('--help').decode()
        self.assertEqual(self.fine('-h').decode(), overview)
        for command in ('scenes', 'render', 'attend'):
            self.assertIn(command, overview)
            usage = self.fine(command, '--help').decode()
            self.assertIn(f'limelight {command}', usage)
            self.assertEqual(self.fine(command, '--no-such-option', '--help').decode(), usage)
        for option in ('--state', '--step', '--size', '--theme', '--scale', '--out'):
            self.assertIn(option, self.fine('render', '--help').decode())

    def test_version_is_one_line(self):
        self.assertRegex(self.fine('--version').decode(), r'^limelight \d+\.\d+\.\d+\n$')

    @unittest.skipUnless(sys.platform == 'linux', 'other systems always have a display')
    def test_without_a_display_the_window_is_refused_in_a_sentence(self):
        for display in (None, ':77'):
            environment = {name: value for name, value in os.environ.items()
                           if name not in ('DISPLAY', 'WAYLAND_DISPLAY', 'SDL_VIDEODRIVER')}
            # No message bus either: with a display's name, libdbus would start one and wait for it.
            environment['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent'
            if display:
                environment['DISPLAY'] = display
            done = subprocess.run([PROGRAM], env=environment, capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (BAD_DATA, b''))
            self.assertRegex(done.stderr.decode(), r'No window could be opened: .+ --help')

    def test_unknown_commands_are_refused(self):
        self.refused(BAD_USAGE, 'rendr', says=('Did you mean render?',))
        self.refused(BAD_USAGE, '--sceens')
        self.refused(BAD_USAGE, '')
        self.refused(BAD_USAGE, 'x' * 100000)
        self.refused(BAD_USAGE, 'scenes', 'spotlight', says=('spotlight', 'limelight scenes.'))
        self.refused(BAD_USAGE, 'scenes', '--json')

    @unittest.skipUnless(os.path.exists('/dev/full'), 'needs /dev/full')
    def test_what_cannot_be_printed_is_an_error(self):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([PROGRAM, 'scenes'], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, BAD_DATA)
        self.assertIn(b'could not be written', done.stderr)


if __name__ == '__main__':
    unittest.main()

"""limelight attend against NumPy in double precision (tests/golden/attention.py): its kernels and its files."""
import os
import subprocess
import time
import unittest

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, PROGRAM, CommandTest

import attention as reference

SHAPES = [(1, 1, 1, 1), (3, 7, 5, 2), (7, 3, 5, 4), (129, 65, 33, 17)]  # T queries, S keys, D key size, V value size


def attend(q, k, v, scale, causal):
    """The reference: weights and output, in double precision."""
    results = reference.attend({'query': q.astype(float), 'key': k.astype(float), 'value': v.astype(float)},
                               {'scale': scale, 'mask': ['causal'] if causal else []})
    return results['weights'], results['output']


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


if __name__ == '__main__':
    unittest.main()

"""Captioners, run as a reader runs them: caption_test.py PATH/limelight [unittest's arguments]."""
import json
import pathlib
import unittest

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, FINE, CommandTest, png_size_and_pixels

MODELS = pathlib.Path(__file__).resolve().parents[2] / 'web' / 'models'
SMALL = ('--grid', 3, '--features', 12, '--hidden', 16, '--attention-size', 8, '--embedding', 8, '--batch', 8)


class Caption(CommandTest):
    def train(self, *arguments):
        done = self.run_limelight('train', 'caption', *arguments)
        self.assertEqual(done.returncode, FINE, done.stderr.decode())
        return json.loads(done.stdout)

    def json_of(self, *arguments):
        return json.loads(self.fine(*arguments))

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def test_trains_soft_then_hard_from_it_and_says_where_it_looks(self):
        report = self.train(*SMALL, '--steps', 30, '--out', 's.safetensors', '--half', 'half.safetensors')
        self.assertEqual((report['task'], report['step']), ('caption', 30))
        self.train('--attention', 'hard', '--from', 's.safetensors', '--steps', 10, '--batch', 8, '--out', 'h.safetensors')
        for model, attention, look in (('s', 'soft', 'soft'), ('half', 'soft', 'soft'), ('h', 'hard', 'likeliest')):
            result = self.json_of('evaluate', model + '.safetensors', '--count', 60)
            self.assertEqual((result['attention'], result['look'], result['grid']), (attention, look, 3))
            self.assertEqual(result['from'], 's.safetensors' if model == 'h' else '')
            self.assertEqual(result['count'], sum(score['count'] for score in result['by_objects']))
            self.assertEqual(result['exact'], sum(score['exact'] for score in result['by_objects']))
            self.assertTrue(0 <= result['on_object'] <= 1)
        drawn = ('infer', 'h.safetensors', '--picture', 'big red circle 20 30; blue star 44 31', '--look', 'drawn', '--seed')
        self.assertEqual(self.fine(*drawn, 3), self.fine(*drawn, 3))
        result = self.json_of(*drawn, 3, '--weights', 'w.npy')
        weights = np.load(self.folder / 'w.npy')
        self.assertEqual(weights.shape, (len(result['target']), 9))
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
        self.assertEqual(result['true_caption'], 'a big red circle left of a blue star')
        self.assertTrue(all(0 <= row < 3 and 0 <= column < 3 for row, column in result['places']))
        self.assertIsNone(self.json_of('infer', 's.safetensors', '--picture', 5)['places'])

    def test_goes_on_to_the_same_digits(self):
        for attention in ('soft', 'hard'):
            # The rate's fall and the rise of sharpness depend on the number of steps in all.
            whole = ('--attention', attention, *SMALL, '--decay', 'off', '--sharpness', 0)
            self.train(*whole, '--steps', 8, '--out', 'whole.safetensors')
            self.train(*whole, '--steps', 3, '--out', 'part.safetensors')
            self.train('--resume', 'part.safetensors', '--steps', 8)
            self.assertEqual(self.bytes_of('part.safetensors'), self.bytes_of('whole.safetensors'))

    def test_generates_pictures_and_captions(self):
        (self.folder / 'pictures').mkdir()
        arguments = ('generate', 'caption', '--seed', 4, '--count', 30)
        printed = self.fine(*arguments)
        self.assertEqual(self.fine(*arguments, '--out', 'pictures'), printed)
        self.assertEqual(len(list((self.folder / 'pictures').iterdir())), 30)
        width, height, _ = png_size_and_pixels(self.bytes_of('pictures/7.png'))
        self.assertEqual((width, height), (64, 64))
        for line in map(json.loads, printed.splitlines()):
            self.assertEqual(len(line['words']), len(line['word_objects']))
            for word, objects in zip(line['words'], line['word_objects']):
                for index in objects:
                    thing = line['objects'][index]
                    self.assertTrue(word in ('a', 'an', 'two', 'three', thing['size'], thing['colour']) or word.startswith(thing['shape']))
        for split, held_out in (('training', False), ('held-out', True)):
            for line in self.fine('generate', 'caption', '--count', 20, '--split', split).splitlines():
                self.assertEqual(json.loads(line)['held_out'], held_out)

    def test_what_cannot_be_is_refused(self):
        self.train(*SMALL, '--steps', 1, '--out', 'm.safetensors', '--half', 'h.safetensors')
        self.run_limelight('train', 'copy', '--steps', 1, '--hidden', 4, '--out', 'copy.safetensors')
        usage = (
            (('train', 'caption', '--out', 'x', '--grid', 5), ('8 or 3',)),
            (('train', 'caption', '--out', 'x', '--attention', 'on'), ('--attention', 'soft or hard')),
            (('train', 'caption', '--out', 'x', '--symbols', 5), ('--symbols', 'caption')),
            (('train', 'copy', '--out', 'x', '--grid', 3), ('--grid', 'copy')),
            (('train', 'caption', '--out', 'x', '--from', 'm.safetensors', '--hidden', 8), ('m.safetensors', 'other sizes')),
            (('train', 'caption', '--resume', 'm.safetensors', '--grid', 8), ('--grid', 'leave it out')),
            (('evaluate', 'm.safetensors', '--count', 0), ('--count', '"0"')),
            (('evaluate', 'm.safetensors', '--min-words', 3), ('--min-words',)),
            (('evaluate', 'm.safetensors', '--look', 'hard'), ('--look', 'soft, likeliest or drawn')),
            (('evaluate', 'copy.safetensors', '--look', 'soft'), ('--look', 'captioner')),
            (('infer', 'm.safetensors'), ('--picture', 'missing')),
            (('infer', 'copy.safetensors', '--input', 'ab', '--picture', 3), ('--picture', 'captioner')),
            (('infer', 'm.safetensors', '--picture', 3, '--weights', 'm.safetensors'), ('same file',)),
            (('generate', 'caption', '--min-words', 3), ('--min-words',)),
            (('generate', 'french', '--out', 'x'), ('--out',)),
            (('generate', 'caption', '--split', 'both'), ('--split', '"both"')))
        (self.folder / 'broken.safetensors').write_bytes(self.bytes_of('m.safetensors')[:999])
        data = (
            (('infer', 'broken.safetensors', '--picture', 7), ('broken.safetensors',)),
            (('evaluate', 'broken.safetensors', '--look', 'soft'), ('broken.safetensors',)),
            (('infer', 'm.safetensors', '--picture', 'red blob 3 4'), ('"red blob 3 4"', 'neither an object')),
            (('infer', 'm.safetensors', '--picture', 'red circle 3 70'), ('0 to 64',)),
            (('evaluate', 'm.safetensors', '--task', 'copy'), ('trained on caption',)),
            (('train', 'caption', '--out', 'x', '--from', 'copy.safetensors'), ('not a captioner',)),
            (('train', 'caption', '--resume', 'h.safetensors'), ('weights only',)),
            (('train', 'copy', '--resume', 'm.safetensors'), ('m.safetensors',)),
            (('generate', 'caption', '--out', 'none'), ('none',)))
        for exit_code, cases in ((BAD_USAGE, usage), (BAD_DATA, data)):
            for arguments, says in cases:
                with self.subTest(arguments=arguments):
                    self.refused(exit_code, *arguments, says=says)


class CommittedModels(CommandTest):
    """What docs/training.md states of the captioners in web/models, in short."""

    def evaluate(self, name):
        return json.loads(self.fine('evaluate', MODELS / name, '--task', 'caption', '--count', 300))

    def test_soft_attention_describes_pictures_and_looks_at_what_it_speaks_of(self):
        seen = self.evaluate('caption-soft.safetensors')
        self.assertGreaterEqual(seen['exact_match'], 0.85)
        self.assertGreaterEqual(seen['on_object'], 0.8)
        self.assertLess(seen['uniform_on_object'], 0.15)

    def test_hard_attention_looks_at_what_it_speaks_of(self):
        seen = self.evaluate('caption-hard.safetensors')
        self.assertEqual((seen['attention'], seen['look']), ('hard', 'likeliest'))
        self.assertGreaterEqual(seen['exact_match'], 0.45)
        self.assertGreaterEqual(seen['on_object'], 0.8)

    def test_the_files_of_both_grids_are_small_together(self):
        sizes = [(MODELS / f'caption-{kind}.safetensors').stat().st_size for kind in ('soft', 'hard', 'soft-3', 'hard-3')]
        self.assertLessEqual(sum(sizes), 1_200_000)


if __name__ == '__main__':
    unittest.main()

"""Training and what comes of it, run as a reader runs them: learn_test.py PATH/limelight [unittest's arguments].

Files are read by readers of their own: NumPy, and the format's own words for .safetensors.
"""
import csv
import io
import json
import re
import signal
import struct
import subprocess
import unittest
from pathlib import Path

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, FINE, PROGRAM, CommandTest

MODELS = Path(__file__).parents[2] / 'web' / 'models'
SMALL = ('--symbols', 5, '--max-words', 6, '--hidden', 16, '--attention-size', 16, '--embedding', 8, '--batch', 16, '--rate', 0.01)


def read_safetensors(data):
    """The metadata, and the tensors by name."""
    length = struct.unpack('<Q', data[:8])[0]
    header = json.loads(data[8:8 + length])
    numbers = data[8 + length:]
    metadata = header.pop('__metadata__')
    kinds = {'F32': np.float32, 'F16': np.float16}
    tensors = {name: np.frombuffer(numbers[slice(*entry['data_offsets'])], kinds[entry['dtype']]).reshape(entry['shape'])
               for name, entry in header.items()}
    return metadata, tensors


def shortened(half):
    """The nearest whose last two bits are 0, ties to even, sign and all."""
    bits = half.view(np.uint16)
    size = bits & 0x7FFF
    return ((bits & 0x8000) | ((size + 1 + ((size >> 2) & 1)) & 0xFFFC)).view(np.float16)


class Learn(CommandTest):
    def train(self, *arguments, task='reverse'):
        """What it prints, and what it says on the way."""
        done = self.run_limelight('train', task, *arguments)
        self.assertEqual(done.returncode, FINE, done.stderr.decode())
        return json.loads(done.stdout), done.stderr.decode()

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def test_learns_from_scratch_and_writes_what_it_learned(self):
        report, said = self.train(*SMALL, '--steps', 400, '--out', 'm.safetensors', '--half', 'h.safetensors')
        self.assertEqual((report['task'], report['step'], report['file']), ('reverse', 400, 'm.safetensors'))
        self.assertLess(report['loss'], 0.3)
        self.assertGreater(report['held_out'], 0.8)
        self.assertRegex(said, r'step 400 of 400 · \d+ words/s · loss 0\.\d{4} · held out .* right · 0:00 left\n$')
        metadata, tensors = read_safetensors(self.bytes_of('m.safetensors'))
        self.assertEqual((metadata['task'], metadata['hidden'], metadata['step']), ('reverse', '16', '400'))
        self.assertEqual(tensors['decoder.input_weight'].shape, (8 + 2 * 16, 3 * 16))
        _, half = read_safetensors(self.bytes_of('h.safetensors'))
        self.assertNotIn('adam.mean.output.bias', half)
        for name, tensor in half.items():
            np.testing.assert_array_equal(tensor, shortened(tensors[name].astype(np.float16)))

        for model in ('m.safetensors', 'h.safetensors'):
            result = json.loads(self.fine('evaluate', model, '--task', 'reverse', '--count', 200))
            self.assertEqual(result['count'], sum(score['count'] for score in result['by_words']))
            self.assertEqual(result['exact'], sum(score['exact'] for score in result['by_words']))
            self.assertGreater(result['exact_match'], 0.8)
            self.assertLess(result['alignment_error_rate'], result['uniform_alignment_error_rate'])
        recorded = json.loads(self.fine('evaluate', 'm.safetensors', '--count', 200, '--record', 'r.safetensors'))
        self.assertEqual(recorded, json.loads(self.fine('evaluate', 'r.safetensors', '--count', 200)))
        self.refused(BAD_USAGE, 'evaluate', 'm.safetensors', '--record', 'm.safetensors', says=('--record', 'checkpoint'))
        metadata, tensors = read_safetensors(self.bytes_of('r.safetensors'))
        self.assertEqual(metadata['by_length'], '\n'.join(f"{score['words']} {score['count']} {score['exact']}" for score in recorded['by_words']))
        self.assertEqual(tensors.keys(), half.keys())
        longer = json.loads(self.fine('evaluate', 'm.safetensors', '--count', 50, '--min-words', 8, '--max-words', 9, '--seed', 2))
        self.assertEqual([score['words'] for score in longer['by_words']], [8, 9])

        written = json.loads(self.fine('infer', 'm.safetensors', '--input', 'abcd', '--weights', 'w.npy'))
        self.assertEqual((written['output'], written['target'][-1]), ('dcba', '[STOP]'))
        self.assertEqual(written['source'], ['a', 'b', 'c', 'd', '[STOP]'])
        weights = np.load(self.folder / 'w.npy')
        self.assertEqual(weights.shape, (5, 5))
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)

    def test_goes_on_to_the_same_digits(self):
        self.train(*SMALL, '--steps', 40, '--out', 'whole.safetensors')
        self.train(*SMALL, '--steps', 15, '--out', 'part.safetensors')
        self.train('--resume', 'part.safetensors', '--steps', 40)
        self.assertEqual(self.bytes_of('part.safetensors'), self.bytes_of('whole.safetensors'))

    def test_an_interrupted_training_saves_and_goes_on(self):
        self.train(*SMALL, '--steps', 60, '--out', 'whole.safetensors')
        for interrupt in (signal.SIGINT, signal.SIGTERM):
            running = subprocess.Popen([PROGRAM, 'train', 'reverse', *map(str, SMALL), '--steps', '1000000', '--out', 'm.safetensors'],
                                       cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertIn(b'step 1 of 1000000', running.stderr.readline())  # told at once: it can be interrupted now
            running.send_signal(interrupt)
            stdout, stderr = running.communicate(timeout=60)
            self.assertEqual(running.returncode, FINE, stderr)
            self.assertIn('limelight train reverse --resume m.safetensors', stderr.decode())
            step = json.loads(stdout)['step']
            self.assertGreater(step, 0)
            report, _ = self.train('--resume', 'm.safetensors', '--steps', step + 1)
            self.assertEqual(report['step'], step + 1)

    def test_settings_that_a_checkpoint_has_are_options_and_train_the_same(self):
        others = {'format', 'task', 'words', 'source_words', 'target_words', 'adam_steps', 'step', 'tokens', 'loss', 'first_loss', 'held_out'}
        for task, small in (('reverse', SMALL), ('caption', ('--grid', 3, '--features', 12, '--hidden', 16, '--batch', 8)),
                            ('sentence', ('--layers', 1, '--heads', 2, '--size', 12, '--hidden', 12, '--batch', 8))):
            self.train(*small, '--seed', 5, '--steps', 2, '--out', 'one.safetensors', task=task)
            said = {key: value for key, value in read_safetensors(self.bytes_of('one.safetensors'))[0].items() if key not in others and value}
            self.assertGreater(len(said), 10, task)
            options = [word for key, value in said.items() for word in ('--' + key.replace('_', '-'), value)]
            self.train(*options, '--out', 'other.safetensors', task=task)
            self.assertEqual(self.bytes_of('one.safetensors'), self.bytes_of('other.safetensors'), task)

    def test_every_task_that_the_help_lists_is_generated_and_trained(self):
        for command in ('generate', 'train'):
            listed = re.search(r'^TASK is (.+)\.$', self.fine(command, '--help').decode(), re.MULTILINE)[1]
            tasks = re.split(r', | or ', re.sub(r' \([^)]*\)', '', listed))
            self.assertLessEqual({'copy', 'french', 'caption', 'sentence'}, set(tasks))
            for task in tasks:
                if command == 'generate':
                    self.assertEqual(len(self.fine('generate', task, '--count', 2).splitlines()), 2)
                else:
                    self.train('--hidden', 6, '--batch', 1, '--steps', 1, '--out', 'm.safetensors', task=task)

    def test_without_attention(self):
        self.train(*SMALL, '--steps', 5, '--attention', 'off', '--out', 'm.safetensors')
        self.assertNotIn('additive.v', read_safetensors(self.bytes_of('m.safetensors'))[1])
        self.assertIsNone(json.loads(self.fine('evaluate', 'm.safetensors', '--count', 5))['alignment_error_rate'])
        self.fine('infer', 'm.safetensors', '--input', 'abc')
        self.refused(BAD_DATA, 'infer', 'm.safetensors', '--input', 'abc', '--weights', 'w.npy', says=('no attention',))

    def test_a_scene_is_rendered_with_the_weights_in_a_folder(self):
        tiny = ('--hidden', 6, '--attention-size', 5, '--embedding', 4, '--batch', 1, '--min-words', 3, '--max-words', 30, '--steps', 1)
        (self.folder / 'models').mkdir()
        for name, attention in (('attention', 'on'), ('fixed', 'off')):
            self.train(*tiny, '--attention', attention, '--out', 'm.safetensors', '--half', f'models/french-{name}.safetensors', task='french')
        render = ('render', 'translate', '--models', 'models', '--state', 'preset=agreement')
        self.fine(*render, '--step', 4, '--out', 'weights.csv')
        rows = list(csv.reader(io.StringIO(self.bytes_of('weights.csv').decode(), newline='')))
        self.assertEqual(rows[0][1:3] + rows[0][-1:], ['the', 'agreement', '[STOP]'])
        np.testing.assert_allclose(np.array([row[1:] for row in rows[1:]], dtype=np.float32).sum(axis=1), 1, rtol=1e-5)
        for step in range(1, 9):
            self.fine(*render, '--step', step, '--out', 'a.svg')
        # Without the weights: the example by hand needs none.
        nowhere = ('render', 'translate', '--models', 'nowhere', '--step', 4, '--out', 'b.svg')
        self.fine(*nowhere, '--state', 'preset=constructed')
        (self.folder / 'b.svg').unlink()
        self.refused(BAD_DATA, *nowhere, '--state', 'preset=agreement', says=('nowhere/french-attention.safetensors', '--models'))
        whole = self.bytes_of('models/french-attention.safetensors')
        (self.folder / 'models/french-attention.safetensors').write_bytes(whole[:-100])
        self.refused(BAD_DATA, *render, '--step', 4, '--out', 'b.svg', says=('french-attention.safetensors', 'truncated'))

    def test_a_rate_that_diverges_is_said_and_leaves_the_checkpoint(self):
        self.train(*SMALL, '--steps', 5, '--out', 'm.safetensors')
        self.refused(BAD_DATA, 'train', 'reverse', '--resume', 'm.safetensors', '--rate', 500, '--steps', 500,
                     says=('diverged', 'try 50', 'm.safetensors'))

    def test_what_cannot_be_is_refused(self):
        self.train(*SMALL, '--steps', 2, '--out', 'm.safetensors', '--half', 'h.safetensors')
        self.train('--steps', 1, '--out', 'd.safetensors', task='dates')
        whole = self.bytes_of('m.safetensors')
        (self.folder / 'cut.safetensors').write_bytes(whole[:-5])
        (self.folder / 'nan.safetensors').write_bytes(whole[:-4] + struct.pack('<f', float('nan')))
        (self.folder / 'foreign.safetensors').write_bytes(b'PK\x03\x04 nothing of ours')
        usage = (
            (('train',), ('TASK', 'missing')),
            (('train', 'revers', '--out', 'x'), ('Did you mean reverse?',)),
            (('train', 'captoin', '--out', 'x'), ('a task is copy', 'caption or sentence', 'Did you mean caption?')),
            (('generate', 'sentense'), ('Did you mean sentence?',)),
            (('train', 'reverse'), ('--out', 'missing')),
            (('train', 'reverse', '--out', 'x', '--hidden', 0), ('--hidden', '"0"', '512')),
            (('train', 'reverse', '--out', 'x', '--attention', 'maybe'), ('--attention', 'on or off')),
            (('train', 'reverse', '--out', 'x', '--rate', 'fast'), ('--rate', '"fast"')),
            (('train', 'reverse', '--out', 'x', '--min-words', 5, '--max-words', 4), ('below the least',)),
            (('train', 'reverse', '--out', 'x', '--half', './x'), ('same file',)),
            (('train', 'reverse', '--resume', 'm.safetensors', '--hidden', 8), ('--hidden', 'leave it out')),
            (('train', 'reverse', '--resume', 'm.safetensors', '--rate', 'fast'), ('--rate', '"fast"')),
            (('evaluate',), ('MODEL', 'missing')),
            (('evaluate', 'm.safetensors', '--count', 0), ('--count', '"0"')),
            (('evaluate', 'm.safetensors', '--min-words', 5, '--max-words', 4), ('--max-words',)),
            (('evaluate', 'd.safetensors', '--min-words', 7), ('--min-words', '"7"', '8 to 18', 'task dates')),
            (('evaluate', 'd.safetensors', '--min-words', 40, '--max-words', 50), ('"40"', '8 to 18', 'task dates')),
            (('infer', 'm.safetensors'), ('--input', 'missing')),
            (('infer', 'm.safetensors', '--input', 'ab', '--weights', 'm.safetensors'), ('same file',)))
        data = (
            (('train', 'copy', '--resume', 'm.safetensors'), ('trained on reverse',)),
            (('train', 'reverse', '--resume', 'h.safetensors'), ('weights only',)),
            (('train', 'reverse', '--resume', 'none.safetensors'), ('cannot be opened',)),
            (('evaluate', 'cut.safetensors'), ('cut.safetensors', 'truncated')),
            (('evaluate', 'nan.safetensors'), ('nan.safetensors', 'finite')),
            (('infer', 'foreign.safetensors', '--input', 'a'), ('foreign.safetensors', 'not a .safetensors file')),
            (('train', 'reverse', '--out', 'none/x', '--steps', 1000000), ('none/x', 'cannot be written')),
            (('train', 'reverse', '--out', '.', '--steps', 1000000), ('is a folder',)),
            (('evaluate', 'm.safetensors', '--task', 'copy'), ('trained on reverse',)),
            (('infer', 'm.safetensors', '--input', 'abé'), ('"é"', 'vocabulary')),
            (('infer', 'm.safetensors', '--input', 'a' * 201), ('201', '200')))
        for exit_code, cases in ((BAD_USAGE, usage), (BAD_DATA, data)):
            for arguments, says in cases:
                with self.subTest(arguments=arguments):
                    self.refused(exit_code, *arguments, says=says)

    def test_help_says_every_option(self):
        for command, options in (('train', ('--out', '--resume', '--half', '--steps', '--seed', '--batch', '--rate', '--hidden',
                                            '--embedding', '--attention', '--max-words')),
                                 ('evaluate', ('--task', '--seed', '--count', '--min-words')), ('infer', ('--input', '--weights'))):
            said = self.fine(command, '--help').decode()
            for option in options:
                self.assertIn(option, said)


class CommittedModels(CommandTest):
    """What docs/training.md states of the weights in web/models, in short."""

    def evaluate(self, name, *options):
        return json.loads(self.fine('evaluate', MODELS / name, '--task', 'french', *options))

    def test_translation_with_attention_is_right_and_looks_where_the_words_come_from(self):
        seen = self.evaluate('french-attention.safetensors', '--count', 300, '--max-words', 15)
        self.assertGreaterEqual(seen['exact_match'], 0.95)
        self.assertLessEqual(seen['alignment_error_rate'], 0.10)
        self.assertGreater(seen['uniform_alignment_error_rate'], 0.8)

    def test_without_attention_long_sentences_are_lost(self):
        long = ('--count', 60, '--min-words', 20)
        self.assertGreater(self.evaluate('french-attention.safetensors', *long)['exact_match'],
                           self.evaluate('french-fixed.safetensors', *long)['exact_match'] + 0.5)

    def test_the_example_comes_out_whole_with_its_adjectives_reversed(self):
        said = json.loads(self.fine('infer', MODELS / 'french-attention.safetensors', '--weights', 'w.npy', '--input',
                                    'The agreement on the European Economic Area was signed in August 1992.'))
        self.assertEqual(said['output'], "L'accord sur la zone économique européenne a été signé en août 1992.")
        looks = dict(zip(said['target'], (said['source'][i] for i in np.load(self.folder / 'w.npy').argmax(axis=1))))
        self.assertEqual((looks['économique'], looks['européenne'], looks['zone'], looks['signé']),
                         ('Economic', 'European', 'Area', 'signed'))

    def test_the_files_are_small_and_carry_the_curve_by_length(self):
        for name in ('french-attention.safetensors', 'french-fixed.safetensors'):
            data = (MODELS / name).read_bytes()
            self.assertLessEqual(len(data), 1_000_000)
            lengths = [int(line.split()[0]) for line in read_safetensors(data)[0]['by_length'].split('\n')]
            self.assertEqual(lengths, list(range(3, 31)))


if __name__ == '__main__':
    unittest.main()

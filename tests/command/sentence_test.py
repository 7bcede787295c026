"""Encoders of sentences, run as a reader runs them: sentence_test.py PATH/limelight [unittest's arguments]."""
import json
import pathlib
import unittest

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, FINE, CommandTest

MODELS = pathlib.Path(__file__).resolve().parents[2] / 'web' / 'models'
SMALL = ('--layers', 2, '--heads', 2, '--size', 12, '--hidden', 12, '--letters', 24, '--batch', 8)


class Sentence(CommandTest):
    def train(self, *arguments):
        done = self.run_limelight('train', 'sentence', *arguments)
        self.assertEqual(done.returncode, FINE, done.stderr.decode())
        return json.loads(done.stdout)

    def json_of(self, *arguments):
        return json.loads(self.fine(*arguments))

    def test_trains_says_how_good_it_is_and_reads(self):
        report = self.train(*SMALL, '--steps', 20, '--out', 'm.safetensors', '--half', 'half.safetensors')
        self.assertEqual((report['task'], report['step']), ('sentence', 20))
        for model in ('m', 'half'):
            result = self.json_of('evaluate', model + '.safetensors', '--count', 40)
            self.assertEqual((result['task'], result['layers'], result['heads'], result['count']), ('sentence', 2, 2, 40))
            self.assertEqual([(head['layer'], head['head']) for head in result['head_roles']], [(1, 1), (1, 2), (2, 1), (2, 2)])
            for share in ('masked_accuracy', 'agreement', 'pronouns', 'likeliest_pronoun'):
                self.assertTrue(0 <= result[share] <= 1, share)
        result = self.json_of('infer', 'm.safetensors', '--input', "The [MASK] didn't see [MASK] zogs", '--weights', 'w.npy')
        self.assertEqual(result['words'], ['[START]', 'the', '[MASK]', 'did', 'not', 'see', '[MASK]', 'zogs', '.'])
        self.assertEqual(result['unknown'], ['zogs'])
        self.assertEqual([guess['word'] for guess in result['masked']], [2, 6])
        weights = np.load(self.folder / 'w.npy')
        self.assertEqual(weights.shape, (2, 2, 9, 9))
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)

    def test_goes_on_to_the_same_digits(self):
        whole = (*SMALL, '--decay', 'off')  # the rate's fall depends on the number of steps in all
        self.train(*whole, '--steps', 8, '--out', 'whole.safetensors')
        self.train(*whole, '--steps', 3, '--out', 'part.safetensors')
        self.train('--resume', 'part.safetensors', '--steps', 8)
        self.assertEqual((self.folder / 'part.safetensors').read_bytes(), (self.folder / 'whole.safetensors').read_bytes())

    def test_generates_sentences_with_what_belongs_to_what(self):
        arguments = ('generate', 'sentence', '--seed', 4, '--count', 200)
        printed = self.fine(*arguments)
        self.assertEqual(self.fine(*arguments), printed)
        lines = [json.loads(line) for line in printed.splitlines()]
        self.assertEqual(len(lines), 200)
        for line in lines:
            self.assertEqual(line['words'][-1], '.')
            for link in line['links']:
                self.assertTrue(0 <= link['from'] < len(line['words']) and 0 <= link['to'] < len(line['words']))
            for reference in line['references']:
                self.assertIn({'relation': 'antecedent', 'from': reference['pronoun'], 'to': reference['antecedent']}, line['links'])
        self.assertGreater(sum(bool(line['references']) for line in lines), 50)
        for split, held_out in (('training', False), ('held-out', True)):
            for line in self.fine('generate', 'sentence', '--count', 20, '--split', split).splitlines():
                self.assertEqual(json.loads(line)['held_out'], held_out)

    def test_what_cannot_be_is_refused(self):
        self.train(*SMALL, '--steps', 1, '--out', 'm.safetensors', '--half', 'h.safetensors')
        self.run_limelight('train', 'copy', '--steps', 1, '--hidden', 4, '--out', 'copy.safetensors')
        usage = (
            (('train', 'sentence', '--out', 'x', '--size', 10, '--heads', 3), ('10', '3 heads')),
            (('train', 'sentence', '--out', 'x', '--layers', 5), ('--layers',)),
            (('train', 'sentence', '--out', 'x', '--embedding', 5), ('--embedding', 'sentence')),
            (('train', 'copy', '--out', 'x', '--layers', 2), ('--layers', 'copy')),
            (('train', 'sentence', '--resume', 'm.safetensors', '--heads', 4), ('--heads', 'leave it out')),
            (('evaluate', 'm.safetensors', '--count', 0), ('--count', '"0"')),
            (('evaluate', 'm.safetensors', '--min-words', 3), ('--min-words',)),
            (('infer', 'm.safetensors'), ('--input', 'missing')),
            (('infer', 'm.safetensors', '--input', 'a cat', '--weights', 'm.safetensors'), ('same file',)),
            (('generate', 'sentence', '--min-words', 3), ('--min-words',)),
            (('generate', 'sentence', '--split', 'both'), ('--split', '"both"')))
        data = (
            (('infer', 'm.safetensors', '--input', ' '), ('--input', 'no word')),
            (('infer', 'm.safetensors', '--input', 'cat ' * 30), ('31', 'up to 24')),
            (('evaluate', 'm.safetensors', '--task', 'copy'), ('trained on sentence',)),
            (('train', 'sentence', '--resume', 'h.safetensors'), ('weights only',)),
            (('train', 'sentence', '--resume', 'copy.safetensors'), ('not an encoder',)),
            (('train', 'copy', '--resume', 'm.safetensors'), ('m.safetensors',)))
        for exit_code, cases in ((BAD_USAGE, usage), (BAD_DATA, data)):
            for arguments, says in cases:
                with self.subTest(arguments=arguments):
                    self.refused(exit_code, *arguments, says=says)


if __name__ == '__main__':
    unittest.main()

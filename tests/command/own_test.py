"""Models and weights of the reader's own in a scene: own_test.py PATH/limelight [unittest's arguments]."""
import json
import shutil
import unittest

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, GOLDEN, CommandTest

CHECKPOINTS = GOLDEN / 'pretrained'


class Own(CommandTest):
    def state(self, own, *options):
        self.fine('render', 'sentence', '--own', own, *options, '--out', 'o.json')
        return json.loads((self.folder / 'o.json').read_text())['state']

    def save(self, weights, name='w.npy'):
        np.save(self.folder / name, weights)
        return self.folder / name

    def test_a_folder_and_a_file_of_weights_are_shown_under_names_of_their_own(self):
        names = [self.state(CHECKPOINTS / 'gpt2')['own'], self.state(CHECKPOINTS / 'bert')['own'],
                 self.state(self.save(np.full((2, 3, 3), 1 / 3, np.float16)))['own']]
        self.assertEqual(len(set(names)), 3)
        for name in names:
            self.assertRegex(name, '^[0-9a-f]{16}$')
        self.assertEqual(self.state(str(CHECKPOINTS / 'gpt2') + '/')['own'], names[0])
        shutil.copytree(CHECKPOINTS / 'gpt2', self.folder / 'copy')
        self.assertEqual(self.state('copy')['own'], names[0], 'a name is that of what is in the files')

    def test_the_rest_of_the_state_is_kept(self):
        state = self.state(CHECKPOINTS / 'gpt2', '--state', 'head=2.3')
        self.assertEqual(state['head'], '2.3')

    def test_what_cannot_be_shown_is_refused(self):
        def refused(own, *says, exit=BAD_DATA, scene='sentence'):
            self.refused(exit, 'render', scene, '--own', own, '--out', 'o.svg', says=says)
        refused(CHECKPOINTS / 'gpt2', 'Spotlight shows no models', exit=BAD_USAGE, scene='spotlight')
        refused('nowhere', 'nowhere is neither a folder nor a file')
        (self.folder / 'empty').mkdir()
        refused('empty', 'empty has no files')
        (self.folder / 'empty' / 'config.json').write_text('{}')
        refused('empty', 'model.safetensors is missing')
        folder = self.folder / 'cut'
        shutil.copytree(CHECKPOINTS / 'gpt2', folder)
        data = (folder / 'model.safetensors').read_bytes()
        (folder / 'model.safetensors').write_bytes(data[:-4])
        refused('cut', 'cut/model.safetensors is truncated')
        (folder / 'model.safetensors').write_bytes(data)
        shutil.copy(GOLDEN / 'tokenizers' / 'word_piece.json', folder / 'tokenizer.json')
        refused('cut', 'The tokenizer of cut is of the BERT family')
        refused(self.save(np.eye(3) * 2), 'w.npy has 3 rows whose weights do not sum to 1: layer 1, head 1, row 1 sums to 2')
        refused(self.save(np.eye(4097, dtype=np.float32)), '4097 queries; 1 to 4096 are shown')

    def test_numbers_that_there_are_not_are_not_written(self):
        own = CHECKPOINTS / 'gpt2'  # has no tokenizer beside it
        for ending in ('csv', 'npy', 'tex', 'py'):
            self.refused(BAD_DATA, 'render', 'sentence', '--own', own, '--out', f'o.{ending}', says=['There is no tokenizer beside'])
            self.assertFalse((self.folder / f'o.{ending}').exists())
        self.fine('render', 'sentence', '--own', own, '--out', 'o.svg')
        self.assertIn('There is no tokenizer beside', (self.folder / 'o.svg').read_text())


if __name__ == '__main__':
    unittest.main()

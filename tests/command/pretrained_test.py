"""Checkpoints of GPT-2 and BERT, run as a reader runs them: pretrained_test.py PATH/limelight [unittest's arguments].

The checkpoints and what they compute are those of tests/golden/pretrained.py.
"""
import json
import os
import resource
import shutil
import struct
import subprocess
import unittest

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, FINE, GOLDEN, PROGRAM, CommandTest

CHECKPOINTS = GOLDEN / 'pretrained'
EXPECTED = json.loads((GOLDEN / 'pretrained.json').read_text())
VOCABULARY = 40


def tensor(expected):
    return np.array(expected['data']).reshape(expected['shape'])


class Pretrained(CommandTest):
    def copy(self, name='gpt2', to='model'):
        shutil.copytree(CHECKPOINTS / name, self.folder / to)
        return self.folder / to

    def test_both_families_agree_with_numpy_in_every_precision(self):
        for name, expected in EXPECTED.items():
            tokens = ','.join(map(str, expected['tokens']))
            printed = json.loads(self.fine('infer', CHECKPOINTS / name, '--tokens', tokens, '--weights', 'w.npy', '--logits', 'l.npy'))
            weights, logits = np.load(self.folder / 'w.npy'), np.load(self.folder / 'l.npy')
            np.testing.assert_allclose(weights, tensor(expected['attentions']), rtol=0, atol=1e-4)
            reference = tensor(expected['logits'])
            self.assertLess(np.max(np.abs(logits - reference) / np.maximum(1, np.abs(reference))), 1e-4)
            self.assertEqual((printed['family'], printed['layers'], printed['heads'], printed['tokens']),
                             (name[:4], 2, 4, expected['tokens']))
            last = len(expected['tokens']) - 1
            self.assertEqual([p['position'] for p in printed['predictions']], [last] if name == 'gpt2' else list(range(last + 1)))
            for prediction in printed['predictions']:
                row = reference[prediction['position']]
                probabilities = np.exp(row - row.max()) / np.exp(row - row.max()).sum()
                order = np.argsort(-row)[:5]
                self.assertEqual([top['token'] for top in prediction['top']], list(order))
                np.testing.assert_allclose([top['probability'] for top in prediction['top']], probabilities[order], rtol=0, atol=1e-4)
            # The same without files, to rounding: of GPT-2 only the last row is computed.
            again = json.loads(self.fine('infer', CHECKPOINTS / name, '--tokens', tokens))
            for one, other in zip(again['predictions'], printed['predictions'], strict=True):
                self.assertEqual([top['token'] for top in one['top']], [top['token'] for top in other['top']])
                np.testing.assert_allclose([top['probability'] for top in one['top']], [top['probability'] for top in other['top']], rtol=1e-5)

    def test_one_token_and_as_many_as_there_are_positions(self):
        for count in (1, 12):
            self.fine('infer', CHECKPOINTS / 'gpt2', '--tokens', ','.join(['7'] * count), '--weights', 'w.npy')
            weights = np.load(self.folder / 'w.npy')
            self.assertEqual(weights.shape, (2, 4, count, count))
            np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
            np.testing.assert_array_equal(np.triu(weights, 1), 0)

    def test_tokens_that_the_model_does_not_have_are_refused(self):
        folder = CHECKPOINTS / 'gpt2'
        self.refused(BAD_USAGE, 'infer', folder, says=('--input TEXT', '--tokens IDS'))
        for tokens in ('40', '-1', '3,,5', 'a', '1.5', '3;5', ','):
            self.refused(BAD_USAGE, 'infer', folder, '--tokens', tokens, says=('--tokens', 'from 0 to 39'))
        self.refused(BAD_USAGE, 'infer', folder, '--tokens', ','.join(['1'] * 13), says=('13 tokens', 'at most 12'))
        self.refused(BAD_USAGE, 'infer', 'm.safetensors', '--tokens', '1', says=('--tokens', 'GPT-2'))
        self.refused(BAD_USAGE, 'infer', folder, '--tokens', '1', '--input', 'a', says=('--tokens and --input',))
        for option in ('--picture', '--look', '--seed'):
            self.refused(BAD_USAGE, 'infer', folder, '--tokens', '1', option, '1', says=(option,))

    def with_tokenizer(self, name, *, lower_case=None):
        """A checkpoint beside the tokenizer of the golden cases, its embedding grown to as many tokens."""
        folder = self.copy(name, to=name)
        tokenizers = GOLDEN / 'tokenizers'
        names = ('vocab.json', 'merges.txt') if name == 'gpt2' else ('vocab.txt',)
        for file in names:
            shutil.copy(tokenizers / file, folder / file)
        if lower_case is not None:
            (folder / 'tokenizer_config.json').write_text(json.dumps({'do_lower_case': lower_case}))
        size = len(json.loads((tokenizers / 'vocab.json').read_text())) if name == 'gpt2' else len((tokenizers / 'vocab.txt').read_text().splitlines())
        config = json.loads((folder / 'config.json').read_text())
        data = (folder / 'model.safetensors').read_bytes()
        length = struct.unpack('<Q', data[:8])[0]
        header, numbers = json.loads(data[8:8 + length]), data[8 + length:]
        written, grown = {}, b''
        for key, entry in header.items():
            if key == '__metadata__':
                continue
            begin, end = entry['data_offsets']
            shape, piece = entry['shape'], numbers[begin:end]
            if shape[:1] == [VOCABULARY]:
                row = len(piece) // VOCABULARY
                piece = (piece * (size // VOCABULARY + 1))[:size * row]
                shape = [size, *shape[1:]]
            written[key] = {'dtype': entry['dtype'], 'shape': shape, 'data_offsets': [len(grown), len(grown) + len(piece)]}
            grown += piece
        text = json.dumps(written).encode()
        (folder / 'model.safetensors').write_bytes(struct.pack('<Q', len(text)) + text + grown)
        (folder / 'config.json').write_text(json.dumps(config | {'vocab_size': size}))
        return folder

    def test_a_text_is_read_through_the_tokenizer_beside_the_model(self):
        gpt2 = self.with_tokenizer('gpt2')
        printed = json.loads(self.fine('infer', gpt2, '--input', 'the cat', '--weights', 'w.npy'))
        ids = json.loads(self.fine('infer', gpt2, '--tokens', ','.join(map(str, printed['tokens']))))
        self.assertEqual(''.join(printed['texts']).replace('·', ' '), 'the cat')
        self.assertEqual(len(printed['tokens']), np.load(self.folder / 'w.npy').shape[-1])
        self.assertEqual([top['token'] for top in printed['predictions'][0]['top']], [top['token'] for top in ids['predictions'][0]['top']])
        self.assertTrue(all(top['text'] for top in printed['predictions'][0]['top']))
        self.assertNotIn('texts', ids)
        bert = self.with_tokenizer('bert')
        printed = json.loads(self.fine('infer', bert, '--input', 'The [MASK] sat'))
        self.assertEqual((printed['texts'][0], printed['texts'][-1]), ('[CLS]', '[SEP]'))
        self.assertEqual([prediction['position'] for prediction in printed['predictions']], [printed['texts'].index('[MASK]')])
        self.assertEqual(json.loads(self.fine('infer', bert, '--input', 'the'))['predictions'], [])

    def test_case_is_kept_where_the_tokenizer_says_so(self):
        texts = {lower: json.loads(self.fine('infer', self.with_tokenizer('bert', lower_case=lower), '--input', 'THE'))['texts']
                 for lower in (True,)}
        shutil.rmtree(self.folder / 'bert')
        texts[False] = json.loads(self.fine('infer', self.with_tokenizer('bert', lower_case=False), '--input', 'THE'))['texts']
        self.assertNotEqual(texts[True], texts[False])

    def test_a_tokenizer_that_does_not_fit_is_refused(self):
        self.refused(BAD_DATA, 'infer', CHECKPOINTS / 'gpt2', '--input', 'a', says=('tokenizer.json is needed', 'vocab.json and merges.txt'))
        self.refused(BAD_DATA, 'infer', CHECKPOINTS / 'bert', '--input', 'a', says=('tokenizer.json is needed', 'vocab.txt'))
        folder = self.copy('gpt2', to='small')
        for file in ('vocab.json', 'merges.txt'):
            shutil.copy(GOLDEN / 'tokenizers' / file, folder / file)
        self.refused(BAD_DATA, 'infer', 'small', '--input', 'a', says=('tokens, but its model has embeddings of 40',))
        shutil.copy(GOLDEN / 'tokenizers' / 'word_piece.json', folder / 'tokenizer.json')
        self.refused(BAD_DATA, 'infer', 'small', '--input', 'a', says=('of the BERT family', 'of a GPT-2'))
        (folder / 'tokenizer.json').write_text('{"model": {')
        self.refused(BAD_DATA, 'infer', 'small', '--input', 'a', says=('tokenizer.json is truncated',))
        gpt2 = self.with_tokenizer('gpt2')
        self.refused(BAD_USAGE, 'infer', gpt2, '--input', '', says=('--input has an empty value',))
        self.refused(BAD_DATA, 'infer', gpt2, '--input', 'x ' * 40, says=('at most 12',))
        (gpt2 / 'merges.txt').unlink()
        self.refused(BAD_DATA, 'infer', gpt2, '--input', 'a', says=('merges.txt',))

    def test_more_than_a_gibibyte_is_refused_before_it_is_computed(self):
        folder = self.copy()
        config = json.loads((folder / 'config.json').read_text())
        (folder / 'config.json').write_text(json.dumps(config | {'n_positions': 20000, 'n_layer': 100}))
        self.refused(BAD_USAGE, 'infer', 'model', '--tokens', ','.join(['1'] * 16385), says=('The attention weights would take 1024 MiB',))
        self.refused(BAD_USAGE, 'infer', 'model', '--tokens', ','.join(['1'] * 820), '--weights', 'w.npy', says=('1026 MiB; at most 1024',))
        # As many as fit go on, to the weights that are missing.
        self.refused(BAD_DATA, 'infer', 'model', '--tokens', ','.join(['1'] * 819), '--weights', 'w.npy', says=('[20000, 16]',))

    def test_no_file_of_the_model_and_no_other_result_is_overwritten(self):
        folder = self.copy()
        before = {p.name: p.read_bytes() for p in folder.iterdir()}
        for name in ('config.json', 'model.safetensors'):
            for option in ('--weights', '--logits'):
                self.refused(BAD_USAGE, 'infer', 'model', '--tokens', '1', option, f'model/{name}', says=(option, 'the model'))
        self.refused(BAD_USAGE, 'infer', 'model', '--tokens', '1', '--weights', 'x.npy', '--logits', './x.npy', says=('--logits', '--weights'))
        self.assertEqual({p.name: p.read_bytes() for p in folder.iterdir()}, before)

    def test_bad_files_are_refused_in_a_sentence_that_names_them(self):
        folder = self.copy()
        model, config = folder / 'model.safetensors', folder / 'config.json'
        good, good_config = model.read_bytes(), config.read_text()

        def says(*words):
            self.refused(BAD_DATA, 'infer', 'model', '--tokens', '1,2', '--weights', 'w.npy', says=words)
            model.write_bytes(good)
            config.write_text(good_config)

        model.write_bytes(b'')
        says('model/model.safetensors is not a .safetensors file')
        model.write_bytes(good[:-40])
        says('model/model.safetensors is truncated')
        model.write_bytes(good + bytes(8))
        says('8 bytes after its last tensor')
        model.write_bytes(good.replace(b'"F32"', b'"I32"', 1))
        says('"wte.weight" of model/model.safetensors', 'I32')
        model.write_bytes(good.replace(b'[0,2560]', b'[0,9560]', 1))
        says('"wte.weight" of model/model.safetensors', 'do not match')
        model.write_bytes(good.replace(b'wpe.weight', b'wpe.waight', 1))
        says('model/model.safetensors has no tensor "wpe.weight"', '[12, 16]')
        numbers = 8 + struct.unpack('<Q', good[:8])[0]  # of wte.weight, the first tensor
        model.write_bytes(good[:numbers + 20] + struct.pack('<f', float('nan')) + good[numbers + 24:])
        says('"wte.weight" of model/model.safetensors', 'not a finite number, at 5')
        config.write_text(good_config.replace('"n_layer": 2', '"n_layer": 3'))
        says('"h.2.ln_1.weight"', '[16]')
        config.write_text(good_config.replace('"gpt2"', '"t5"'))
        says('model/config.json', '"t5"')
        config.write_text('{')
        says('model/config.json is not a JSON object')
        config.unlink()
        says('model/config.json cannot be opened')
        model.unlink()
        says('model/model.safetensors cannot be opened')
        model.unlink()
        model.mkdir()
        self.refused(BAD_DATA, 'infer', 'model', '--tokens', '1', says=('model/model.safetensors is not a regular file',))

    def test_weights_whose_numbers_leave_single_precision_are_refused(self):
        folder = self.copy()
        model = folder / 'model.safetensors'
        data = bytearray(model.read_bytes())
        length = struct.unpack('<Q', data[:8])[0]
        begin, end = json.loads(data[8:8 + length])['h.0.attn.c_attn.weight']['data_offsets']
        numbers = np.frombuffer(data, '<f4', (end - begin) // 4, 8 + length + begin)
        data[8 + length + begin:8 + length + end] = (numbers * np.float32(1e25)).tobytes()
        model.write_bytes(data)
        self.refused(BAD_DATA, 'infer', 'model', '--tokens', '1,2', says=('model/model.safetensors', 'single precision'))

    def test_a_file_of_half_a_gigabyte_is_loaded_without_a_copy(self):
        # Wide embeddings of zeros, as a hole in the file: the program may hold less than them of its own.
        folder = self.copy()
        rows, size = 7_500_000, 16
        config = json.loads((folder / 'config.json').read_text())
        (folder / 'config.json').write_text(json.dumps(config | {'vocab_size': rows}))
        data = (folder / 'model.safetensors').read_bytes()
        length = struct.unpack('<Q', data[:8])[0]
        header, more = json.loads(data[8:8 + length]), rows * size * 4 - VOCABULARY * size * 4
        for name, entry in header.items():
            if name == 'wte.weight':
                entry['shape'][0] = rows
                entry['data_offsets'][1] += more
            elif name != '__metadata__':
                entry['data_offsets'] = [offset + more for offset in entry['data_offsets']]
        text = json.dumps(header).encode()
        text += b' ' * (-len(text) % 8)
        with open(folder / 'model.safetensors', 'wb') as file:
            file.write(struct.pack('<Q', len(text)) + text)
            file.seek(rows * size * 4, os.SEEK_CUR)
            file.write(data[8 + length + VOCABULARY * size * 4:])
        run = lambda *arguments: subprocess.run(
            [PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=300,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (300 << 20, 300 << 20)))
        if run('--version').returncode != 0:
            self.skipTest('the program takes more memory by itself, as under a sanitizer')
        done = run('infer', 'model', '--tokens', '1,2')
        self.assertEqual((done.returncode, done.stderr), (FINE, b''))
        self.assertEqual(len(json.loads(done.stdout)['predictions'][0]['top']), 5)


if __name__ == '__main__':
    unittest.main()

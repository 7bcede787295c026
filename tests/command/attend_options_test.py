"""limelight attend: every option against the reference in NumPy (tests/golden/attention.py)."""
import json
import unittest

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, FINE, GOLDEN, CommandTest

import attention as reference


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


if __name__ == '__main__':
    unittest.main()

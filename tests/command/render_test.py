"""limelight render, its files read by readers of their own (NumPy, minidom, csv, json)."""
import csv
import io
import json
import pathlib
import unittest
import xml.dom.minidom

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, GOLDEN, CommandTest, png_size_and_pixels

GOLDENS = json.loads((GOLDEN / 'spotlight.json').read_text())
FOX = 'the quick brown fox jumped over the lazy dog'.split()


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
                self.assertEqual(rows[0], ['weights', *FOX])
                self.assertEqual([row[0] for row in rows[1:]], FOX)

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
        link = 'v=1&scene=spotlight&step=7.2&preset=fox&pin=weights%5B0%2C1%5D&zoom=&guess=1&theme=dark&projector=1&embed=1&debug=0'
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


if __name__ == '__main__':
    unittest.main()

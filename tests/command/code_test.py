"""Code that reproduces a figure's numbers: code_test.py PATH/limelight [unittest's arguments].

Every scene's code is run at every step, and for every choice of every field of choices and for states of its own at one of
them, and each of its values is compared with the figure's tensor of that name. PyTorch's is run where there is PyTorch, else only compiled.
"""
import ast
import contextlib
import io
import json
import keyword
import os
import pathlib
import re
import unittest

import numpy as np

from command_support import BAD_DATA, BAD_USAGE, FINE, CommandTest

try:
    import torch
except ImportError:
    torch = None

LANGUAGES = ('numpy', 'pytorch')
TOLERANCE = 3e-5  # times what is computed, or 1: single precision, and sums of up to 128 terms in another order
# Beyond the choices of every field: what has no choices.
STATES = {
    'spotlight': ['temperature=0.3&mask=causal', 'scale=own&factor=2', 'mask=causal&weights=1.0:0.25&preset=fox', 'weights=0.0:0.5,0.1:0.2,2.2:0',
                  'trained=on', 'preset=day1&weights=1.2:1', 'preset=own&text=a+rose+is+a+rose&d=5&matrices=random', 'X=0.0:3&W_q=1.1:-2'],
    'score': ['q=0.0:0,0.1:0', 'K=0.0:0,0.1:0', 'temperature=0.2&seed=3', 'doubled=on', 'preset=equal&doubled=on&unit=5', 'W=0.0:2&v_a=0.0:-1'],
    'scale': ['d=1', 'd=2', 'd=3&keys=2', 'temperature=0.1&power=0.7', 'sigma_q=0.5&sigma_k=3&d=7'],
    'layer': ['wrong_axis=on', 'causal=on', 'causal=on&positions=rotary', 'preset=own&d_q=5&positions=rotary', 'order=3,2,1,0&positions=linear_bias&slope=2',
              'preset=translate&similarity=additive&d_x=4&d_q=3', 'preset=own&matrices=random&similarity=general&d_q=7', 'query=1'],
    'heads': ['alike=on', 'alike=on&head_1=computed', 'M=0.0:0,1.2:0', 'A_1=0.1:0.5,2.0:0.25', 'mask=causal&A_2=3.1:0.4',
              'trained=on&heads=8', 'trained=on&mask=causal', 'off_1=on&off_3=on', 'attention=cross', 'heads=2&d_model=4'],
    'sentence': ['head=3.2', 'hidden=0.3:1', 'off=1.1:1&head=2.2', 'place=2&instead=cat', 'query=3'],
    'translate': ['attention=hard', 'preset=agreement', 'preset=visit&attention=hard', 'weights=0.1:0.5', 'scores=1.1:2&context=0.0:0.3', 's=1.0:0.2&h=2.0:0.9',
                  'preset=agreement&s_0=random&word=2', 'preset=visit&weights=1.1:0.7&translation=le', 'U=0.0:3&W=0.1:-2&v_a=1.0:4'],
    'train': ['attention=off', 'task=dates', 'input=abc', 'score=dot'],
    'caption': ['attention=hard', 'attention=hard&temperature=0.5', 'grid=3', 'grid=3&attention=hard', 'temperature=3&word=1'],
    'patches': ['itself=off', 'itself=off&look=hard', 'look=top&k=2', 'temperature=0.2&look=top', 'compare=distance&place=1', 'preset=landscape&edges=0',
                'preset=gradient&grid=16', 'query=0&grid=4'],
    'cost': ['d=20&window=7', 'd=128&window=1', 'data=alike'],
    'limits': ['move=-1', 'move=0.3&key=1', 'factor=-2&raise=-3', 'E=0.1:9&V=1.0:3', 'claim=square&d=37', 'claim=certain&ahead=0.5', 'claim=angle&length=1',
               'preset=sequence&size=16&seed=4', 'temperature=0.1&preset=review'],
}
PYTHONS_OWN = set(keyword.kwlist) | {'abs', 'dict', 'enumerate', 'float', 'int', 'len', 'list', 'math', 'max', 'min', 'np', 'print', 'range', 'round', 'shown',
                                     'sum', 'torch'}
FUNCTIONS = set(re.findall(r'^def (\w+)', (pathlib.Path(__file__).parents[2] / 'src/scenes/common/code_functions.h').read_text().replace('R"(def', '\ndef'), re.M))
LOOKS = {'colours', 'map', 'tool', 'ink'}  # fields that change no number


def identifier(name):
    """The same rule, written again."""
    made = re.sub(r'[^0-9A-Za-z_Α-ΡΣ-ω]', '_', name)
    made = '_' + made if made[:1].isdigit() else made
    return made + '_' if made in PYTHONS_OWN | FUNCTIONS else made


def array(entry):
    return np.array([float(x) for x in entry['data']]).reshape(entry['shape'])


def assigned(text):
    """The names that a module gives values to, in order."""
    return [node.targets[0].id for node in ast.parse(text).body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]


class Code(CommandTest):
    def run_code(self, text):
        """What its top level defines; its own check is part of it."""
        names, before = {}, os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(io.StringIO()), np.errstate(all='ignore'):
                exec(compile(text, 'code', 'exec'), names)
        finally:
            os.chdir(before)
            if torch is not None:
                torch.set_default_dtype(torch.float32)
        return {name: np.asarray(names[name]) for name in assigned(text) if name != 'shown'}

    def tolerance(self, name):
        return 1e-4 if name == 'features' else TOLERANCE  # of Patches: the root of a mean makes 1e-4 of a rounding of 1e-8

    def compare(self, values, tensors):
        """Each value with the tensor of its name; how many there were."""
        of = {identifier(name): entry for name, entry in tensors.items()}
        found = [name for name in values if name in of]
        for name in found:
            value, expected = values[name], array(of[name])
            if name == 'measures':  # of Scale
                expected = expected[:, :4]  # what the last column is computed from is not in the figure
            self.assertEqual(value.shape, expected.shape, name)
            with np.errstate(invalid='ignore'):  # -inf from -inf
                off = np.abs(value - expected) > self.tolerance(name) * np.maximum(1, np.abs(expected))
            self.assertFalse((off | (np.isnan(value) != np.isnan(expected))).any(), (name, value[off][:4], expected[off][:4]))
            infinite = ~np.isfinite(expected) & ~np.isnan(expected)
            self.assertTrue((value[infinite] == expected[infinite]).all(), name)
        return len(found)

    def draw(self, scene, figures):
        """Of the figure n, (step, state): the files n.json, n.numpy.py and n.pytorch.py, if the scene does not refuse the state."""
        lines = []
        for n, (step, state) in enumerate(figures):
            figure = [scene, '--step', step, *(['--state', state] if state else []), '--out']
            lines += [[*figure, f'{n}.json'], *([*figure, f'{n}.{language}.py', '--language', language] for language in LANGUAGES)]
        (self.folder / 'lines').write_text('\n'.join('\t'.join(line) for line in lines))
        self.assertIn(self.run_limelight('render', '--batch', 'lines').returncode, (FINE, BAD_DATA, BAD_USAGE))

    def check(self, n):
        """False where the scene refuses the state."""
        if not (self.folder / f'{n}.json').exists():
            return False
        tensors = json.loads((self.folder / f'{n}.json').read_text())['tensors']
        texts = {language: (self.folder / f'{n}.{language}.py').read_text() for language in LANGUAGES}
        for name in re.findall(r'np\.load\("(.*?)\.npy"\)', texts['numpy']):
            entry = next(entry for tensor, entry in tensors.items() if identifier(tensor) == name)
            np.save(self.folder / f'{name}.npy', array(entry).astype(np.float32))
        self.assertGreater(self.compare(self.run_code(texts['numpy']), tensors), 0)
        self.assertEqual(assigned(texts['numpy']), assigned(texts['pytorch']))
        self.assertNotRegex(texts['pytorch'], r'\bnp\.(?!load)')
        compile(texts['pytorch'], 'code', 'exec')
        if torch is not None:
            self.compare(self.run_code(texts['pytorch']), tensors)
        return True

    def check_all(self, scene):
        known = next(one for one in json.loads(self.fine('scenes')) if one['name'] == scene)
        states = [''] + [f'{field["name"]}={choice}' for field in known['fields'] if field['name'] not in LOOKS for choice in field.get('choices', [])]
        states += [f'{field["name"]}=on' for field in known['fields'] if field['type'] == 'toggle']
        figures = []
        for turn, state in enumerate(states + STATES[scene]):
            for place, step in enumerate(known['steps'], 1):
                if state and place != turn % len(known['steps']) + 1:
                    continue  # each state at one step, the example at all of them
                parts = [f'.{part["id"]}' for part in step['parts']] if state == '' else []
                figures += [(step['id'] + part, state) for part in ['', *parts]]
        self.draw(scene, figures)
        shown = 0
        for n, (step, state) in enumerate(figures):
            with self.subTest(state=state, step=step):
                is_shown = self.check(n)
                self.assertTrue(is_shown or state not in ['', *STATES[scene]], 'refused')
                shown += is_shown
        self.assertGreater(shown, (len(known['steps']) + len(states)) / 2)

    def test_what_cannot_be_written_is_refused(self):
        self.refused(BAD_USAGE, 'render', 'spotlight', '--language', 'fortran', '--out', 'x.py', says=['"fortran"', 'numpy or pytorch'])
        self.refused(BAD_USAGE, 'render', 'spotlight', '--language', 'numpy', '--out', 'x.svg', says=['--language is for code'])


def add(scene):
    setattr(Code, f'test_{scene}_computes_the_numbers_of_its_figures', lambda self: self.check_all(scene))


for one in STATES:
    if one not in os.environ.get('LIMELIGHT_UNCHANGED', '').split():  # tests/unit/unchanged.h
        add(one)

if __name__ == '__main__':
    unittest.main()

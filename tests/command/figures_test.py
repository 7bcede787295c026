"""limelight figures, and what tools/figures says of two of its outputs. Run: python3 figures_test.py build/native/limelight"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
LIMELIGHT = pathlib.Path(sys.argv.pop(1)).resolve()
UNCHANGED = os.environ.get('LIMELIGHT_UNCHANGED', '').split()  # tests/unit/unchanged.h


def run(*arguments):
    return subprocess.run([LIMELIGHT, 'figures', *arguments], capture_output=True, text=True)


def views(scene):
    """name of the view → {kind: hash}"""
    done = run('--scene', scene)
    assert done.returncode == 0, done.stderr
    lines = [line.split('\t') for line in done.stdout.splitlines()]
    return {name: dict(pair.split('=') for pair in pairs) for name, *pairs in lines}


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scenes = json.loads(subprocess.run([LIMELIGHT, 'scenes'], capture_output=True, text=True, check=True).stdout)
        cls.scenes = {scene['name']: scene for scene in scenes}

    def test_the_same_program_prints_the_same_times_that_a_job_measures_too(self):
        for scene in {'cost', 'train'}.difference(UNCHANGED):
            with self.subTest(scene):
                self.assertEqual(views(scene), views(scene))

    @unittest.skipIf('spotlight' in UNCHANGED, 'as it was')
    def test_every_example_step_part_and_stage_has_its_line(self):
        scene = self.scenes['spotlight']
        seen = views('spotlight')
        places = [str(i + 1) for i in range(len(scene['steps']))]
        places += [f"{i + 1}.{j + 1}" for i, step in enumerate(scene['steps']) for j in range(len(step['parts']))]
        self.assertGreater(len(places), len(scene['steps']))
        examples = next(field for field in scene['fields'] if field['name'] == 'preset')['choices']
        for example in examples:
            for place in places:
                name = f'spotlight {example} {place}'
                self.assertIn('trace', seen[name])
                for theme in ('light', 'dark'):
                    for width in ('328x300', '328x560', '500x640', '756x592', '1240x820'):
                        self.assertEqual(set(seen[f'{name} {width} {theme}']), {'figure', 'narration'})

    @unittest.skipIf('score' in UNCHANGED, 'as it was')
    def test_what_differs_is_told_apart(self):
        seen = views('score')
        stages = [view for view in seen if view.endswith('756x592 light')]
        for kind in ('figure', 'narration'):
            self.assertGreater(len({seen[view][kind] for view in stages}), len(self.scenes['score']['steps']))
        cells = {view.split()[-1]: hashes['inspector'] for view, hashes in seen.items() if 'inspector' in hashes}
        self.assertGreater(len(cells), 10)
        self.assertEqual(len(set(cells.values())), len(cells))

    def test_two_outputs_are_compared_view_by_view(self):
        before = 'a 1\ttrace=1\tplay=2\nb 1\tfigure=3\nc 1\tfigure=4\n'
        after = 'a 1\ttrace=9\tplay=2\nb 1\tfigure=3\nd 1\tfigure=4\n'
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ('before', 'after')]
            files[0].write_text(before)
            files[1].write_text(after)
            compare = lambda *paths: subprocess.run(['node', ROOT / 'tools/figures.mjs', *paths], capture_output=True, text=True)
            differs = compare(*files)
            self.assertEqual(differs.stdout, 'a 1: trace\nc 1: is gone\nd 1: is new\n3 views, 3 differ\n')
            self.assertEqual(differs.returncode, 1)
            same = compare(files[0], files[0])
            self.assertEqual((same.stdout, same.returncode), ('3 views, 0 differ\n', 0))

    def test_a_scene_that_there_is_not_is_told(self):
        done = run('--scene', 'spotlite')
        self.assertEqual((done.returncode, done.stdout), (2, ''))
        self.assertIn('spotlight', done.stderr)
        missing = run('--scene', 'sentence', '--models', '/nowhere')
        self.assertEqual(missing.returncode, 1)
        self.assertIn('--models says where', missing.stderr)


if __name__ == '__main__':
    unittest.main()

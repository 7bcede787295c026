"""What the documents say of the repository is so: links, tools, commands, options, scenes. Run: python3 documents_test.py build/native/limelight"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]
LIMELIGHT = pathlib.Path(sys.argv.pop(1)).resolve()
DOCUMENTS = [ROOT / 'README.md', ROOT / 'web/embedding.md', *sorted((ROOT / 'docs').glob('*.md'))]


def run(*arguments):
    return subprocess.run([LIMELIGHT, *arguments], capture_output=True, text=True)


def scenes():
    return {scene['name']: scene for scene in json.loads(run('scenes').stdout)}


def shell_lines(text):
    """The lines of ```sh blocks, those that go on joined, without comments."""
    for block in re.findall(r'```sh\n(.*?)```', text, re.S):
        for line in block.replace('\\\n', ' ').splitlines():
            yield re.sub(r'\s+#.*', '', line)


class Documents(unittest.TestCase):
    def each(self):
        for path in DOCUMENTS:
            with self.subTest(path.name):
                yield path, path.read_text()

    def test_links_lead_to_files_that_there_are(self):
        found = 0
        for path, text in self.each():
            for target in re.findall(r'\]\(([^)#\s]+)[^)]*\)', text):
                if '://' in target:
                    continue
                found += 1
                self.assertTrue((path.parent / target).exists(), target)
        self.assertGreater(found, 8)

    def test_tools_and_folders_exist(self):
        for _, text in self.each():
            for named in re.findall(r'\b(?:tools|src|tests|web|docs)/[\w./-]*\w', text):
                self.assertTrue((ROOT / named).exists(), named)

    def test_commands_have_the_options_that_they_are_given(self):
        seen = 0
        for _, text in self.each():
            aliases = {'limelight': '', 'build/native/limelight': ''}
            for line in shell_lines(text):
                if named := re.match(r'(\w+)\(\) \{ (\w+) (.*) "\$@"; \}', line):
                    aliases[named[1]] = f'{aliases[named[2]]} {named[3]}'.strip()
                    line = f'{named[2]} {named[3]}'
                words = line.split()
                if not words or words[0] not in aliases or len(words) == 1:
                    continue
                words = [*aliases[words[0]].split(), *words[1:]]
                said = run(words[0], '--help')
                self.assertEqual(said.returncode, 0, line)
                for option in re.findall(r'(?<!\S)--[a-z][\w-]*', ' '.join(words)):
                    seen += 1
                    self.assertRegex(said.stdout, rf'{option}\b', line)
        self.assertGreater(seen, 60)

    def test_steps_and_scenes_that_are_named_exist(self):
        known = scenes()
        seen = 0
        for _, text in self.each():
            text = text.replace('&amp;', '&')
            pairs = [*re.findall(r'scene="(\w+)"[^>]*?step="([\w.]+)"', text), *re.findall(r'scene=(\w+)[^"\s)]*?step=([\w.]+)', text),
                     *re.findall(r'limelight render (\w+)[^\n]*?--step ([\w.]+)', text)]
            for scene, step in pairs:
                seen += 1
                step, _, part = step.partition('.')
                parts = next(one['parts'] for one in known[scene]['steps'] if one['id'] == step)
                self.assertTrue(not part or part in [one['id'] for one in parts], f'{scene} {step}.{part}')
        self.assertGreater(seen, 5)

    def test_lists_of_scenes_are_whole(self):
        row = re.search(r'^\| `scene` \|(.*)\|$', (ROOT / 'web/embedding.md').read_text(), re.M)[1]
        self.assertEqual(re.findall(r'`(\w+)`', row), list(scenes()), 'the scenes in web/embedding.md, in teaching order')
        titles = re.findall(r'^\| \*(\w+)\* \|', (ROOT / 'README.md').read_text(), re.M)
        self.assertEqual(titles, [scene['title'] for scene in scenes().values()], 'the table of scenes in README.md, in teaching order')

    def test_the_readme_can_be_read_at_one_go(self):
        self.assertLessEqual(len((ROOT / 'README.md').read_text().splitlines()), 150)


if __name__ == '__main__':
    unittest.main()

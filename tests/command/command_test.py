"""The headless command as a whole: its list of scenes, what it generates, and how it is used: command_test.py PATH/limelight."""
import json
import os
import subprocess
import sys
import unittest

from command_support import BAD_DATA, BAD_USAGE, PROGRAM, CommandTest


class Scenes(CommandTest):
    def test_scenes_are_listed_as_documented(self):
        scenes = json.loads(self.fine('scenes'))
        self.assertIn('spotlight', [scene['name'] for scene in scenes])
        for scene in scenes:
            self.assertEqual(set(scene), {'name', 'title', 'preset_of_links', 'steps', 'fields'})
            for step in scene['steps']:
                self.assertLessEqual({'id', 'name', 'caption'}, set(step))
            self.assertEqual(scene['fields'][0]['name'], 'preset')
            for field in scene['fields']:
                self.assertLessEqual({'name', 'type', 'label', 'min', 'max', 'default'}, set(field))
                self.assertIn(field['type'], ('integer', 'real', 'toggle', 'choice', 'text', 'cells', 'order'))
                kind = {'integer': int, 'real': (int, float), 'toggle': bool}.get(field['type'], str)
                self.assertIsInstance(field['default'], kind)
                if field['type'] in ('integer', 'real'):
                    self.assertLessEqual(field['min'], field['default'])
                    self.assertLessEqual(field['default'], field['max'])
                if field['type'] == 'choice':
                    self.assertIn(field['default'], field['choices'])

    def test_every_listed_step_can_be_rendered(self):
        for scene in json.loads(self.fine('scenes')):
            for step in scene['steps']:
                self.fine('render', scene['name'], '--step', step['id'], '--out', 'a.csv')


class Generate(CommandTest):
    def lines(self, *options):
        return [json.loads(line) for line in self.fine('generate', 'french', *options).decode().splitlines()]

    def test_each_line_is_a_sentence_its_translation_and_links_between_their_tokens(self):
        lines = self.lines('--seed', 5, '--count', 200)
        self.assertEqual(len(lines), 200)
        for line in lines:
            self.assertTrue({'source', 'target', 'alignment'} <= line.keys())
            for text, tokens in ((line['source'], line['source_tokens']), (line['target'], line['target_tokens'])):
                self.assertEqual(text.replace(' ', '').lower(), ''.join(tokens).lower())
                self.assertTrue(text[0].isupper() and text.endswith('.'))
            self.assertEqual({t for t, _ in line['alignment']}, set(range(len(line['target_tokens']))))
            self.assertTrue({s for _, s in line['alignment']} <= set(range(len(line['source_tokens']))))

    def test_the_seed_and_the_bounds_are_what_was_asked_for(self):
        self.assertEqual(self.lines('--seed', 7), self.lines('--seed', 7))
        self.assertNotEqual(self.lines('--seed', 7), self.lines('--seed', 8))
        self.assertEqual(len(self.lines()), 10)
        for line in self.lines('--min-words', 5, '--max-words', 6, '--split', 'held-out', '--count', 50):
            self.assertIn(sum(token not in '.,' for token in line['source_tokens']), (5, 6))
            self.assertTrue(line['held_out'])

    def test_every_task_has_lines(self):
        for task in ('copy', 'reverse', 'sort', 'dates'):
            lines = [json.loads(line) for line in self.fine('generate', task, '--count', 20).decode().splitlines()]
            self.assertEqual(len(lines), 20)
            for line in lines:
                self.assertEqual(line['source'], ''.join(line['source_tokens']))
                for to, source in line['alignment']:
                    self.assertEqual(line['target_tokens'][to], line['source_tokens'][source])
                self.assertEqual(len(line['alignment']), 0 if task == 'dates' else len(line['source']))

    def test_bad_usage_is_named(self):
        for arguments, word in ((('german',), 'french'), ((), 'TASK'), (('french', '--count', '0'), '--count'),
                                (('french', '--seed', '-1'), '--seed'), (('french', '--seed', 'x'), '--seed'),
                                (('french', '--min-words', '2'), '"2"; it must be a whole number from 3 to 30. The task french'),
                                (('dates', '--max-words', '19'), '"19"; it must be a whole number from 8 to 18. The task dates'),
                                (('french', '--min-words', '9', '--max-words', '8'), '--min-words'), (('copy', '--max-words', '201'), '--max-words'),
                                (('french', '--split', 'test'), 'held-out')):
            self.refused(BAD_USAGE, 'generate', *arguments, says=(word,))


class Program(CommandTest):
    def test_help_is_printed_for_each_command(self):
        overview = self.fine('--help').decode()
        self.assertEqual(self.fine('-h').decode(), overview)
        for command in ('scenes', 'render', 'attend'):
            self.assertIn(command, overview)
            usage = self.fine(command, '--help').decode()
            self.assertIn(f'limelight {command}', usage)
            self.assertEqual(self.fine(command, '--no-such-option', '--help').decode(), usage)
        for option in ('--state', '--step', '--size', '--theme', '--scale', '--out'):
            self.assertIn(option, self.fine('render', '--help').decode())

    def test_version_is_one_line(self):
        self.assertRegex(self.fine('--version').decode(), r'^limelight \d+\.\d+\.\d+\n$')

    @unittest.skipUnless(sys.platform == 'linux', 'other systems always have a display')
    def test_without_a_display_the_window_is_refused_in_a_sentence(self):
        for display in (None, ':77'):
            environment = {name: value for name, value in os.environ.items()
                           if name not in ('DISPLAY', 'WAYLAND_DISPLAY', 'SDL_VIDEODRIVER')}
            # No message bus either: with a display's name, libdbus would start one and wait for it.
            environment['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent'
            if display:
                environment['DISPLAY'] = display
            done = subprocess.run([PROGRAM], env=environment, capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (BAD_DATA, b''))
            self.assertRegex(done.stderr.decode(), r'No window could be opened: .+ --help')

    def test_unknown_commands_are_refused(self):
        self.refused(BAD_USAGE, 'rendr', says=('Did you mean render?',))
        self.refused(BAD_USAGE, '--sceens')
        self.refused(BAD_USAGE, '')
        self.refused(BAD_USAGE, 'x' * 100000)
        self.refused(BAD_USAGE, 'scenes', 'spotlight', says=('spotlight', 'limelight scenes.'))
        self.refused(BAD_USAGE, 'scenes', '--json')

    @unittest.skipUnless(os.path.exists('/dev/full'), 'needs /dev/full')
    def test_what_cannot_be_printed_is_an_error(self):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([PROGRAM, 'scenes'], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, BAD_DATA)
        self.assertIn(b'could not be written', done.stderr)


if __name__ == '__main__':
    unittest.main()

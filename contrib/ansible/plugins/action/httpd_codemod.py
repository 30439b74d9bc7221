# Copyright: The httpd-codemod authors
# SPDX-License-Identifier: Apache-2.0
# The module httpd_codemod, on the controller. What changes a host is done there by files/host.sh, in one call.
from __future__ import absolute_import, division, print_function

__metaclass__ = type

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

HERE = os.path.dirname(os.path.abspath(__file__))
HOST_SCRIPT = os.path.join(HERE, '..', '..', 'files', 'host.sh')

OPTIONS = {
    'paths': {'type': 'list', 'elements': 'str', 'default': []},
    'state': {'type': 'str', 'choices': ['converted', 'undone'], 'default': 'converted'},
    'answers': {'type': 'dict', 'default': {}},
    'options': {'type': 'list', 'elements': 'str', 'default': []},
    'blockers': {'type': 'str', 'choices': ['fail', 'write'], 'default': 'fail'},
    'reviewed': {'type': 'str'},
    'configtest': {'type': 'str', 'default': 'auto'},
    'steps': {'type': 'str'},
    'via': {'type': 'str', 'choices': ['auto', 'host', 'controller'], 'default': 'auto'},
    'command': {'type': 'str', 'default': 'httpd-codemod'},
    'controller_command': {'type': 'str', 'default': 'httpd-codemod'},
    'report': {'type': 'path'},
}

FACTS = ('verdict', 'files', 'changes', 'blockers', 'questions', 'assumptions', 'steps', 'fingerprint', 'via', 'outcome')

# The main file of a server, by the names that packages give it below its directory.
MAIN_FILES = ('httpd.conf', 'conf/httpd.conf', 'apache2.conf')

OUTCOMES = {
    'refused': 'nothing was changed',
    'undone': 'all was put back',
    'stuck': 'a person must look',
}


class HostFailed(Exception):
    """The task fails, for a reason that is said in one line."""


class NoCommand(HostFailed):
    """The host does not have the command, or not what it runs on."""


def text_of(value):
    """A value of YAML as the command line has it: yes and no are booleans there, or their names where a template or a vault gave them."""
    return {'true': 'yes', 'false': 'no'}.get(str(value).lower(), str(value))


def configtest_for(paths):
    """The programs of which the first that is there tests the result: another server's may be there, too."""
    names = ['apachectl', 'httpd', 'apache2ctl']
    if not paths or any(path.startswith('/etc/apache2') for path in paths):
        names = ['apache2ctl', 'apachectl', 'httpd']
    return 'auto:' + ' '.join(names)


def facts_of(report, answers):
    """What a report in JSON says, as facts."""
    findings = report.get('findings', [])

    def facts(task, about):
        return {
            'text': task['text'],
            'command': task.get('command', ''),
            'places': ['%s:%s' % (finding['path'], finding['line']) for finding in about],
        }

    blockers, questions = [], []
    for task in report.get('tasks', []):
        about = [findings[number] for number in task['findings']]
        if task['blocker']:
            blockers.append(facts(task, about))
        elif any(finding['state'] in ('open', 'review') for finding in about):
            questions.append(facts(task, about))
    assumptions = []
    for assumption in report.get('assumptions', []):
        answer = {'answer': text_of(answers[assumption['key']])} if assumption['key'] in answers else {}
        assumptions.append(dict(assumption, **answer))
    diff = diff_of(report)
    return {
        'verdict': report.get('verdict', []),
        'files': [each['path'] for each in report.get('files', []) if each['changed']],
        'changes': report.get('summary', {}).get('changes', 0),
        'blockers': blockers,
        'questions': questions,
        'assumptions': assumptions,
        'fingerprint': hashlib.sha256(diff.encode('utf-8', 'surrogateescape')).hexdigest(),
    }


def diff_of(report):
    """The diff as the command prints it, in the order of the paths; the report has the files as they are read."""
    files = sorted(report.get('files', []), key=lambda each: each['path'])
    return ''.join(each.get('diff', '') for each in files)


def report_in(output, complaint):
    """The report in JSON that the command has printed."""
    try:
        report = json.loads(output)
    except ValueError:
        lines = [line for line in complaint.splitlines() if line.strip() and not line.startswith('outcome: ')]
        raise HostFailed(reason_in(lines))
    if report.get('trouble'):
        raise HostFailed('; '.join(report['trouble']))
    return report


def has_steps(report):
    return any(finding['state'] == 'script' for finding in report.get('findings', []))


class Shell:
    """Runs files/host.sh on the host."""

    def __init__(self, action):
        self.action = action
        self.directory = action._make_tmp_path()
        action._connection._shell.tmpdir = self.directory
        self.script = self.put(HOST_SCRIPT, 'host.sh')

    def path(self, name):
        return self.action._connection._shell.join_path(self.directory, name)

    def put(self, path, name):
        target = self.path(name)
        self.action._transfer_file(path, target)
        self.action._fixup_perms2((self.directory, target))
        return target

    def run(self, line):
        environment = self.action._compute_environment_string()
        return self.action._low_level_execute_command(('%s %s' % (environment, line)).strip())

    def call(self, *words):
        return self.run(' '.join(['sh', shlex.quote(self.script)] + [shlex.quote(word) for word in words]))

    def look(self, *words):
        """The status of a command, what it prints, and what it complains of."""
        answer = self.call(*words)
        # A terminal has line ends of its own.
        output, unused, complaints = answer['stdout'].replace('\r\n', '\n').rpartition('\ncomplaints:\n')
        return answer['rc'], output, complaints or answer['stdout'] + answer['stderr']

    def change(self, *words):
        """The outcome of a call that changes something, and what it has said."""
        answer = self.call(*words)
        lines = (answer['stdout'] + answer.get('stderr', '')).splitlines()
        outcomes = [line[len('outcome: '):].strip() for line in lines if line.startswith('outcome: ')]
        said = [line for line in lines if line and not line.startswith('outcome: ')]
        return (outcomes[-1] if outcomes else 'killed'), said


class OnHost:
    """The command runs on the host."""

    name = 'host'

    def __init__(self, shell, options):
        self.shell, self.options = shell, options

    def look(self, arguments, keep):
        words = [self.options['command'], '--format', 'json'] + arguments + self.options['paths']
        status, output, complaints = self.shell.look('plan' if keep else 'look', *words)
        # As shells have it: it cannot be run, or it (or its node) is not there.
        if status in (126, 127):
            raise NoCommand('the host has no command %s' % self.options['command'])
        return report_in(output, complaints)

    def look_again(self, arguments):
        return self.look(arguments, False)

    def steps(self, arguments):
        words = [self.options['command'], '--format', 'sh'] + arguments + self.options['paths']
        return self.shell.look('look', *words)[1]

    def write(self, arguments, steps):
        words = [self.options['command'], self.options['configtest']]
        if steps:
            with tempfile.NamedTemporaryFile('w', errors='surrogateescape') as script:
                script.write(steps)
                script.flush()
                words += [self.shell.put(script.name, 'steps.sh'), self.options['steps']]
        return self.shell.change('apply', *words)


class OnController:
    """The host is packed there, and converted here."""

    name = 'controller'

    def __init__(self, shell, options, scratch):
        self.shell, self.options, self.scratch = shell, options, scratch
        self.tar = os.path.join(self.scratch, 'host.tar.gz')

    def command(self, *words):
        try:
            return subprocess.run(
                [self.options['controller_command']] + list(words), cwd=self.scratch, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8', errors='surrogateescape', check=False)
        except OSError as error:
            raise HostFailed('neither the host nor the controller has the command %s (%s)' % (self.options['controller_command'], error.strerror))

    def pack(self):
        script = os.path.join(self.scratch, 'collect.sh')
        if self.command('collect', '--output', script).returncode != 0:
            raise HostFailed('the controller cannot print the script of httpd-codemod collect')
        there, tar = self.shell.put(script, 'collect.sh'), self.shell.path('host.tar.gz')
        paths = self.options['paths']
        main = self.main_file(paths[0]) if len(paths) == 1 else []
        packed = self.shell.run('rm -f %s && ' % shlex.quote(tar) + ' '.join(['sh'] + [shlex.quote(word) for word in [there] + main + [tar]]))
        if packed['rc'] != 0:
            raise HostFailed('cannot be packed: ' + (packed['stderr'].strip().splitlines() or ['no reason was given'])[-1])
        # As text, by what every system has: whoever connects may not read what root has packed.
        dump = self.shell.run('od -An -v -tx1 %s' % shlex.quote(tar))
        with open(self.tar, 'wb') as copy:
            copy.write(bytes.fromhex(''.join(dump['stdout'].split())))

    def main_file(self, path):
        # The host may have another server as well, which its control program would name.
        search = 'for file; do if test -f "$file"; then echo "$file"; break; fi; done'
        files = [path] + [os.path.join(path, name) for name in MAIN_FILES]
        found = self.shell.run(' '.join(shlex.quote(word) for word in ['sh', '-c', search, 'sh'] + files))
        name = found['stdout'].strip()
        return ['-f', name] if name else []

    def look(self, arguments, keep):
        if not os.path.exists(self.tar):
            self.pack()
        answer = self.command('--format', 'json', *(arguments + [self.tar]))
        return report_in(answer.stdout, answer.stderr)

    def look_again(self, arguments):
        os.remove(self.tar)
        return self.look(arguments, False)

    def steps(self, arguments):
        return self.command('--format', 'sh', *(arguments + [self.tar])).stdout

    def write(self, arguments, steps):
        converted = os.path.join(self.scratch, 'converted.tar.gz')
        made = self.command('--write', '--output', converted, *(arguments + [self.tar]))
        if made.returncode > 1:
            raise HostFailed((made.stderr.strip().splitlines() or ['cannot be converted'])[-1])
        words = [self.shell.put(converted, 'converted.tar.gz'), self.options['configtest']]
        return self.shell.change('install', *(words + ([self.options['steps']] if steps else [])))


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_async = False
    _supports_diff = True

    def run(self, tmp=None, task_vars=None):
        result = super(ActionModule, self).run(tmp, task_vars)
        unused, options = self.validate_argument_spec(OPTIONS)
        self.host = (task_vars or {}).get('inventory_hostname', 'this host')
        self.report = {}
        self.scratch = tempfile.mkdtemp(prefix='httpd-codemod-')
        try:
            shell = Shell(self)
            if options['configtest'] == 'auto':
                options['configtest'] = configtest_for(options['paths'])
            if options['state'] == 'undone':
                return dict(result, **self.undo(shell, options))
            self.convert(result, shell, options)
        except HostFailed as error:
            result.update(failed=True, changed=result.get('outcome') == 'stuck', msg=str(error))
            result.setdefault('outcome', 'refused')
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)
        if options['report']:
            keep_report(options['report'], self.report, result)
        if result.get('failed'):
            # A long text, for which there is nothing to be done now.
            result.pop('steps', None)
        else:
            result['ansible_facts'] = {'httpd_codemod': {name: result[name] for name in FACTS}}
        return result

    def look(self, shell, options, arguments):
        """The way to convert the host, and its report."""
        keep = not self._task.check_mode
        if options['via'] != 'controller':
            try:
                way = OnHost(shell, options)
                return way, way.look(arguments, keep)
            except NoCommand:
                if options['via'] == 'host':
                    raise
        way = OnController(shell, options, self.scratch)
        return way, way.look(arguments, keep)

    def convert(self, result, shell, options):
        """Looks, and writes; fills the result."""
        arguments = list(options['options'])
        for key, value in sorted(options['answers'].items()):
            arguments += ['--answer', '%s=%s' % (key, text_of(value))]
        way, self.report = self.look(shell, options, arguments)
        report = self.report
        result['via'] = way.name
        result.update(facts_of(report, options['answers']))
        result['steps'] = way.steps(arguments) if has_steps(report) else ''
        result['changed'] = bool(result['files']) or bool(options['steps'] and result['steps'])
        if self._task.diff and result['changed']:
            result['diff'] = {'prepared': diff_of(report)}
        problem = problem_with(result, options)
        if self._task.check_mode:
            result['outcome'] = 'looked'
            if problem:
                result['warnings'] = ['%s: a real run would fail: %s' % (self.host, problem)]
        elif problem:
            raise HostFailed('%s; %s' % (problem, OUTCOMES['refused']))
        elif result['changed']:
            self.write(result, way, arguments, options)
        else:
            self.test(result, way, options)

    def write(self, result, way, arguments, options):
        outcome, said = way.write(arguments, result['steps'] if options['steps'] else '')
        if outcome == 'killed':
            outcome, more = way.shell.change('recover', options['command'])
            said += ['it was killed on the host'] + more
        result.update(outcome=outcome, log=said)
        if outcome != 'written':
            raise HostFailed('%s; %s' % (reason_in(said), OUTCOMES.get(outcome, OUTCOMES['stuck'])))
        if options['report']:
            # What is left now.
            self.report = way.look_again(arguments)

    def test(self, result, way, options):
        result['outcome'], said = way.shell.change('test', options['configtest'])
        if result['outcome'] != 'nothing':
            result['log'] = said
            raise HostFailed('nothing is to be converted, but the test fails: %s' % reason_in(said))

    def undo(self, shell, options):
        if self._task.check_mode:
            outcome, said = shell.change('can-undo')
        else:
            outcome, said = shell.change('undo', options['command'])
        result = {'changed': outcome == 'undone', 'outcome': outcome, 'log': said}
        if outcome not in ('undone', 'nothing'):
            result.update(failed=True, msg='%s; %s' % (reason_in(said), OUTCOMES.get(outcome, OUTCOMES['stuck'])))
        return result


def problem_with(result, options):
    """Why nothing may be written, in one line; empty where all is well."""
    if result['changed'] and options['reviewed'] not in (None, result['fingerprint']):
        return 'the changes are no longer those that were looked at'
    if not result['blockers'] or options['blockers'] == 'write':
        return ''
    first, count = result['blockers'][0], len(result['blockers'])
    place = ' (%s)' % first['places'][0] if first['places'] else ''
    return '%s: %s%s' % ('1 blocker' if count == 1 else '%d blockers, first' % count, first['text'], place)


def reason_in(said):
    """The lines that say best what went wrong."""
    reasons = [line[len('reason: '):].strip() for line in said if line.startswith('reason: ')]
    complaints = [line for line in said if line.startswith(('httpd-codemod: ', 'install: '))]
    return ' '.join((reasons or complaints or said[-1:] or ['no reason was given'])[:2])


def keep_report(path, report, result):
    """Writes the report of a host; one that failed says why, unless its blockers do."""
    kept = {
        'version': 1, 'tasks': [], 'files': [], 'unvisited': [], 'findings': [], 'assumptions': [],
        'summary': {'filesRead': 0, 'filesChanged': 0, 'errors': 0, 'warnings': 0, 'infos': 0, 'changes': 0, 'toReview': 0, 'blockers': 0},
        'exitStatus': 2,
    }
    kept.update(report)
    if result.get('failed') and not result.get('blockers'):
        kept.update(trouble=[result['msg']], exitStatus=2)
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, 'w', encoding='utf-8', errors='surrogateescape') as target:
            json.dump(kept, target, ensure_ascii=False)
    except OSError as error:
        raise AnsibleActionFail('%s: cannot be written (%s)' % (path, error.strerror))

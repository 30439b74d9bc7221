import Ajv from 'ajv';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { convert } from '../../src';
import { writePrivate } from '../../src/write/private-file';
import { type CommandResult, command } from '../../testing/run/command';
import { services } from '../../testing/run/services';
import { directory } from '../../testing/write/directory';
import { stateDirectory, storeIn } from '../../testing/write/store';
import { unbroken } from '../../testing/run/unbroken';

/** Two sections: one has an exact form, the other only a strictest one, as no 2.4 can ask for the release of a 2.2. */
const SERVER = `ServerRoot "@ROOT@"
Listen 80
LoadModule authz_host_module modules/mod_authz_host.so
LoadModule log_config_module modules/mod_log_config.so
LogFormat "%{X}i %h %u %t \\"%r\\" %>s" odd
DocumentRoot "@ROOT@/htdocs"
<Directory />
    AllowOverride None
    Options None
</Directory>
<Directory "@ROOT@/htdocs">
    Order allow,deny
    Allow from all
</Directory>
<Directory "@ROOT@/htdocs/staff">
    Order deny,allow
    Deny from all
    <IfVersion >= 2.2.15>
        Allow from 10.0.0.0/8
    </IfVersion>
</Directory>
`;

const NEAR = '10.1.2.3';
const FAR = '203.0.113.77';

interface Line {
  readonly client?: string;
  readonly user?: string;
  readonly day?: string;
  readonly request?: string;
  readonly status?: number;
}

/** A line in the combined format. */
function combined({
  client = FAR,
  user = '-',
  day = '01/Oct/2026',
  request = 'GET /',
  status = 200,
}: Line): string {
  return `${client} - ${user} [${day}:13:55:36 +0200] "${request} HTTP/1.1" ${status} 512 "http://page.test/?a=b" "Agent/1.0"\n`;
}

const openStore = storeIn(stateDirectory());

/** Runs the command in a server's directory whose logs are written there first. */
async function asked(
  logs: Readonly<Record<string, string | Buffer>>,
  ...argv: string[]
): Promise<CommandResult & { readonly root: string }> {
  const root = directory({ 'htdocs/index.html': 'x' });
  fs.writeFileSync(join(root, 'httpd.conf'), SERVER.replaceAll('@ROOT@', root));
  for (const [name, text] of Object.entries(logs)) fs.writeFileSync(join(root, name), text, 'latin1');
  const writeOutput = (path: string, text: string): void =>
    writePrivate(path, Buffer.from(text, 'latin1'), { uid: process.geteuid?.(), env: {} });
  const result = await command([...argv, '--no-config'], { cwd: root }, { openStore, writeOutput });
  return { ...result, root };
}

interface LogDocument {
  readonly requests: number;
  readonly from: string;
  readonly to: string;
  readonly same: number;
  readonly refused: number;
  readonly opened: number;
  readonly unknown: number;
  readonly strict: number;
  readonly harmless: number;
  readonly malformed: { readonly requests: number };
  readonly logs: readonly {
    readonly format?: string;
    readonly unread: number;
    readonly problem?: string;
    readonly requests: number;
  }[];
  readonly differences: readonly {
    readonly verdict: string;
    readonly requests: number;
    readonly section: { readonly name: string; readonly line: number };
    readonly examples: readonly { readonly text: string; readonly line: number }[];
  }[];
  readonly contradictions: readonly { readonly kind: string; readonly requests: number }[];
  readonly concerns: readonly { readonly rule: string; readonly requests: number }[];
  readonly notShown: readonly string[];
}

async function logged(lines: string | Buffer, ...argv: string[]): Promise<LogDocument> {
  const { stdout } = await asked(
    { 'access.log': lines },
    'httpd.conf',
    '--format',
    'json',
    ...argv,
    '--log',
    'access.log',
  );
  return (JSON.parse(stdout) as { log: LogDocument }).log;
}

const STAFF = combined({ client: NEAR, request: 'GET /staff/plan.html' });
const PUBLIC = combined({}) + combined({ client: NEAR, day: '03/Oct/2026' });
const REFUSED = combined({ request: 'GET /staff/', status: 403 });

test('the document is what the schema says', async () => {
  const schema = JSON.parse(
    fs.readFileSync(join(__dirname, '../../docs/schemas/report.schema.json'), 'utf8'),
  ) as object;
  const validate = new Ajv().compile(schema);
  const logs = { 'a.log': PUBLIC + STAFF + REFUSED + combined({ request: 'GET /staff/x' }) + 'x\n' };
  for (const more of [[], ['--answer', 'log=enough']]) {
    const { stdout } = await asked(logs, 'httpd.conf', '--format', 'json', ...more, '--log', 'a.log');
    expect([validate(JSON.parse(stdout)), validate.errors]).toEqual([true, null]);
  }
});

test('counts the requests that only the strictest form refuses, and shows their lines', async () => {
  const log = await logged(PUBLIC + STAFF + REFUSED);
  expect(log).toMatchObject({
    requests: 4,
    same: 3,
    refused: 1,
    opened: 0,
    unknown: 0,
    strict: 1,
    harmless: 0,
  });
  expect(log).toMatchObject({ from: '2026-10-01', to: '2026-10-03' });
  const [difference] = log.differences;
  expect(difference).toMatchObject({ verdict: 'refused', requests: 1, section: { line: 15 } });
  expect(difference!.examples[0]!.line).toBe(3);
});

test('a strictest form that refuses no request of the log is harmless for it, and asked last', async () => {
  const log = await logged(PUBLIC + REFUSED);
  expect(log).toMatchObject({ requests: 3, same: 3, refused: 0, strict: 1, harmless: 1 });
  const { stderr, status } = await asked({ 'a.log': PUBLIC + REFUSED }, 'httpd.conf', '--log', 'a.log');
  expect(status).toBe(1);
  expect(unbroken(stderr)).toContain(
    'Log: of 3 requests of 3 days (2026-10-01 to 2026-10-03), all are answered alike as far as access goes',
  );
  expect(stderr).toContain('say whether the log is enough');
  expect(stderr).toContain('0 blockers');
});

test('--answer log=enough accepts what is harmless, with the days, and the write is then complete', async () => {
  const argv = ['-w', 'httpd.conf', '--pin-defaults', '--answer', 'log=enough', '--log', 'a.log'];
  const enough = await asked({ 'a.log': PUBLIC }, '--format', 'json', ...argv);
  const { findings, exitStatus } = JSON.parse(enough.stdout) as {
    findings: { accepted?: string; safety: string; answers?: object[] }[];
    exitStatus: number;
  };
  const strict = findings.filter(({ safety }) => safety === 'strict');
  expect(strict).toHaveLength(1);
  expect(strict[0]!.accepted).toBe('none of 2 requests from 2026-10-01 to 2026-10-03 is refused by it');
  expect(strict[0]!.answers).toMatchObject([{ key: 'log', value: true }]);
  expect([enough.status, exitStatus]).toEqual([0, 0]);
  // The twin: somebody of the log is refused, and no answer settles that.
  const missed = await asked({ 'a.log': PUBLIC + STAFF }, ...argv);
  expect(missed.status).toBe(1);
  expect(missed.stderr).toContain('1 would be refused that were let in');
});

test('an answer without a log settles nothing', async () => {
  const { status, stderr } = await asked({}, '-w', 'httpd.conf', '--pin-defaults', '--answer', 'log=enough');
  expect(status).toBe(1);
  expect(stderr).toContain('the answer to log meets nothing');
});

test('a log without a request excuses nothing', async () => {
  const log = await logged('');
  expect(log).toMatchObject({ requests: 0, harmless: 0 });
});

test('a plan keeps what the log has said', async () => {
  const { root } = await asked(
    { 'a.log': PUBLIC },
    'httpd.conf',
    '--plan',
    'p.json',
    '--answer',
    'log=enough',
    '--log',
    'a.log',
  );
  const plan = JSON.parse(fs.readFileSync(join(root, 'p.json'), 'utf8')) as { log: object };
  expect(plan.log).toMatchObject({ requests: 2, from: '2026-10-01', to: '2026-10-03', harmless: 1 });
});

test('the log contradicts the configuration where it serves what that refuses', async () => {
  const served = combined({ request: 'GET /staff/plan.html' });
  const log = await logged(PUBLIC + served + REFUSED);
  expect(log.contradictions).toMatchObject([{ kind: 'let-in', requests: 1 }]);
  expect((await logged(PUBLIC + REFUSED)).contradictions).toEqual([]);
});

test.each([
  [1, '1 request was served'],
  [2, '2 requests were served'],
])('%d contradicted, in words', async (times, words) => {
  const log = PUBLIC + combined({ request: 'GET /staff/plan.html' }).repeat(times);
  const { stderr } = await asked({ 'a.log': log }, 'httpd.conf', '--log', 'a.log');
  expect(unbroken(stderr)).toContain(`the log says that ${words}`);
});

test('lines are shown without addresses, users and queries, and with them where that is asked for', async () => {
  const line = combined({ client: NEAR, user: 'alice', request: 'GET /staff/plan.html?token=secret' });
  const [short] = (await logged(line)).differences;
  const [full] = (await logged(line, '--full')).differences;
  expect(short!.examples[0]!.text).not.toMatch(/10\.1\.2\.3|alice|secret|a=b/);
  expect(short!.examples[0]!.text).toContain(
    '10.1.2.x - (user) [01/Oct/2026:13:55:36 +0200] "GET /staff/plan.html?... HTTP/1.1" 200',
  );
  expect(full!.examples[0]!.text).toContain('10.1.2.3 - alice');
  expect(full!.examples[0]!.text).toContain('token=secret');
});

test('reads what gzip has packed, also two files in one, and standard input', async () => {
  const packed = Buffer.concat([gzipSync(PUBLIC), gzipSync(STAFF)]);
  expect(await logged(packed)).toMatchObject({ requests: 3, refused: 1 });
});

test('tells a packed log that was cut off, and counts what came before', async () => {
  let text = '';
  for (let i = 0; i < 20_000; i++)
    text += combined({ request: `GET /${i * 7919}/${(i * 104_729) % 65_536}` });
  const packed = gzipSync(text);
  const log = await logged(packed.subarray(0, packed.length - 2000));
  expect(log.logs[0]!.problem).toBe('ends in the middle: the packed file was cut off');
  expect(log.requests).toBeGreaterThan(10_000);
  expect(log.requests).toBeLessThan(20_000);
  // The line in which it was cut off is none that cannot be read.
  expect(log.logs[0]!.unread).toBe(0);
});

test.each([
  ['bzip2', 'BZh91AY&SY....', 'bzcat'],
  ['xz', '\xfd7zXZ\0\0', 'xzcat'],
])('says how to unpack %s', async (_, bytes, program) => {
  const log = await logged(Buffer.from(bytes, 'latin1'));
  expect(log.logs[0]!.problem).toContain(program);
});

test('tells a file that is no log, and one that is not there', async () => {
  const text = await logged('nothing of this\nis a log\n');
  expect(text.logs).toMatchObject([{ requests: 0, unread: 2 }]);
  const { stderr } = await asked({ 'a.log': 'not a log\n' }, 'httpd.conf', '--log', 'a.log', 'b.log');
  expect(unbroken(stderr)).toContain(
    'a.log: is no access log in a format that is known (1 line): give --log-format',
  );
  expect(stderr).toContain('b.log: cannot be read (ENOENT)');
  expect(stderr).toContain('no request could be read');
});

test('a pipe into which nobody writes, a device and a directory are told', async () => {
  const { root } = await asked({}, 'httpd.conf');
  execFileSync('mkfifo', [join(root, 'pipe')]);
  let begin: number | undefined;
  const waited = (): number => performance.now() - (begin ??= performance.now());
  // Reading this would wait for the kernel, for good.
  fs.symlinkSync('/proc/kmsg', join(root, 'kernel.log'));
  const argv = ['httpd.conf', '--no-config', '--log', '/dev/zero', 'kernel.log', 'pipe'];
  const { readLogs } = jest.requireActual<typeof import('../../src/log/stream')>('../../src/log/stream');
  const { stderr } = await command(
    argv,
    { cwd: root },
    {
      ...services,
      // Somebody stops it after a second.
      readLogs: (paths, sink, reading) =>
        readLogs(paths, sink, { ...reading, isStopped: () => waited() > 1000 && waited() < 3000 }),
    },
  );
  expect(stderr).toContain('pipe: is a pipe into which nobody writes');
  expect(stderr).toContain('/dev/zero: is a device, and no file');
  expect(stderr).toContain('kernel.log: is what the kernel makes as it is read, and no file');
  const { status, stderr: refused } = await command(
    ['httpd.conf', '--no-config', '--log', '.'],
    { cwd: root },
    { openStore },
  );
  expect([status, refused]).toEqual([
    2,
    expect.stringContaining('--log wants the name of a log, and . is none'),
  ]);
});

test('a pipe into which somebody writes is read', async () => {
  const { root } = await asked({}, 'httpd.conf');
  execFileSync('mkfifo', [join(root, 'pipe')]);
  fs.writeFileSync(join(root, 'text'), PUBLIC + STAFF);
  const writer = spawn('sh', ['-c', 'sleep 0.3; cat text > pipe'], { cwd: root, stdio: 'ignore' });
  const { stderr } = await command(
    ['httpd.conf', '--no-config', '--log', 'pipe'],
    { cwd: root },
    { openStore },
  );
  writer.kill();
  expect(stderr).toContain('would be refused that were let in');
  expect(stderr).not.toContain('nobody writes');
});

test('a log that was not read whole excuses nothing', async () => {
  const whole = await logged(PUBLIC.repeat(200));
  expect(whole).toMatchObject({ strict: 1, harmless: 1 });
  const packed = gzipSync(PUBLIC.repeat(200));
  for (const text of [packed.subarray(0, packed.length - 6), PUBLIC.repeat(3) + 'no line of this log\n']) {
    const log = await logged(text);
    expect(log).toMatchObject({ strict: 1, harmless: 0 });
    expect(log.notShown.join()).toContain('not all that was logged could be read');
  }
  expect(await logged(PUBLIC.repeat(300) + 'one line of many\n')).toMatchObject({ harmless: 1 });
});

test('a line of megabytes, bytes that are no text and escapes do no harm, and nothing is printed raw', async () => {
  const long = combined({ request: `GET /staff/${'a'.repeat(3_000_000)}` });
  const escapes = `10.1.2.3 - - [01/Oct/2026:13:55:36 +0200] "GET /staff/\x1b[31m\x07\x9b HTTP/1.1" 200 5 "-" "\\"\\n${FAR} - - [x] \\"GET / HTTP/1.1\\""\n`;
  const { stderr } = await asked(
    { 'a.log': long + escapes + '\0\xff\xfe\n' + PUBLIC },
    'httpd.conf',
    '--log',
    'a.log',
  );
  expect(stderr).toContain('2 lines could not be read');
  expect(stderr).toContain('1 would be refused that were let in');
  expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  expect(stderr).toContain('\\x1b[31m');
  expect(stderr.length).toBeLessThan(20_000);
});

test.each(['html', 'markdown', 'json', 'text'])('the format %s says what the log says', async (format) => {
  const { stdout, stderr } = await asked(
    { 'a.log': PUBLIC + STAFF },
    'httpd.conf',
    '--format',
    format,
    '--log',
    'a.log',
  );
  const text = format === 'text' ? stderr : stdout;
  expect(text).toMatch(format === 'json' ? /"refused": ?1,/ : /would be refused that were let in/);
});

test('the formats of the configuration count, by nickname or as they are', async () => {
  const odd = `x ${NEAR} - [01/Oct/2026:13:55:36 +0200] "GET /staff/p HTTP/1.1" 200\n`;
  expect(await logged(odd)).toMatchObject({ requests: 1, refused: 1, logs: [{ format: 'odd' }] });
  expect(await logged(odd, '--log-format', 'odd')).toMatchObject({ refused: 1 });
  const bare = `200|${NEAR}|GET /staff/p HTTP/1.1\n`;
  expect(await logged(bare, '--log-format', '%>s|%h|%r')).toMatchObject({ refused: 1 });
  const { status, stderr } = await asked(
    { 'a.log': bare },
    'httpd.conf',
    '--log-format',
    '%h',
    '--log',
    'a.log',
  );
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining("'%h' is no LogFormat that tells the request"),
  ]);
});

test('a pattern stands for the logs that it matches, and a directory behind the logs is a path', async () => {
  const { stdout, root } = await asked(
    { 'access.log': PUBLIC, 'access.log.1': STAFF, 'error.log': 'x\n' },
    '--format',
    'json',
    '--log',
    'access.log*',
    '.',
  );
  const { log, files } = JSON.parse(stdout) as { log: LogDocument; files: { path: string }[] };
  expect(log.requests).toBe(3);
  expect(files.map(({ path }) => path)).toEqual(['httpd.conf']);
  expect(root).not.toBe('');
});

test.each([
  [['--log-format', 'common'], '--log-format goes with --log'],
  [['--full'], '--full goes with --log'],
  [['--log', 'a', '--explain', '/'], '--log and --explain contradict each other'],
  [['--log', '-', '-'], 'standard input (-) can be read once'],
])('refuses %j', async (argv, message) => {
  const { status, stderr } = await asked({}, 'httpd.conf', ...argv);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('a request that HTTP does not know is one that 2.4 refuses, unless 2.2 has', async () => {
  const blank = combined({ request: 'GET /a b' });
  expect((await logged(PUBLIC + blank)).malformed.requests).toBe(1);
  expect((await logged(PUBLIC + combined({ request: 'GET /a b', status: 400 }))).malformed.requests).toBe(0);
});

test('the library counts the same', () => {
  const text = SERVER.replaceAll('@ROOT@', '/etc/httpd');
  const counter = convert({ '/etc/httpd/httpd.conf': text }).countLogs();
  const log = counter.open('access.log');
  for (const char of PUBLIC + STAFF) log.add(char);
  log.end();
  expect(counter.report()).toMatchObject({ requests: 3, same: 2, refused: 1, strict: 1, harmless: 0 });
});

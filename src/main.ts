import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { version } from '../package.json';
import { transforms } from '../transforms';
import { cli, type Io, type OutputStream } from './cli';
import { disk } from './config/source/disk';
import { readAll, readLine, writeAll } from './write/descriptor';
import type { Host, IndexOps } from './write';
import { pendingWrites } from './write/pending';

/**
 * Lets the heap grow to twice what is in use before it is cleared. Where it may take gigabytes V8 waits for four times as much,
 * of which most is no longer needed.
 */
function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=100');
}

boundHeap();

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** node hands over UTF-8 decoded; inside, all texts are byte strings. */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

function output(fd: 1 | 2): OutputStream {
  let closed = false;
  return {
    write(text) {
      if (closed) return;
      try {
        writeAll(fd, Buffer.from(text, 'latin1'));
      } catch (error) {
        // The reader has seen enough (`| head`).
        if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
        closed = true;
      }
    },
    isTTY: isatty(fd),
    // Asked when something is laid out: the stream is made only then.
    get columns() {
      return (fd === 1 ? process.stdout : process.stderr).columns;
    },
  };
}

/** Whether node and the command are one file: node gives the code the name of the program itself then. */
const isExecutable = __filename === process.execPath;

/** A file that is inside the single executable: bytes as latin1. */
function asset(name: string): string {
  // Loaded on demand: Node 18 has no such module, and no such executables.
  const { getAsset } = require('node:sea') as typeof import('node:sea');
  return Buffer.from(getAsset(name)).toString('latin1');
}

/** A script for other machines: inside the single executable, else in the package beside the command. */
const shippedScript = (name: 'collect.sh' | 'install.sh'): string =>
  isExecutable ? asset(name) : disk.read(`${bytes(__dirname)}/../bin/${name}`);

let cwd: string | undefined;

const io: Io = {
  stdout: output(1),
  stderr: output(2),
  env: process.env,
  get cwd() {
    return (cwd ??= bytes(process.cwd()));
  },
  uid: process.geteuid?.(),
  stdin: () => readAll(0).toString('latin1'),
  get isTyped() {
    return isatty(0);
  },
  ask(question) {
    if (!isatty(0) || !isatty(2)) return undefined;
    io.stderr.write(question);
    return readLine(0);
  },
  edit: (text) => (require('./write/editor') as typeof import('./write/editor')).editText(text, process.env),
  now: () => performance.now(),
};

const host: Host = {
  pid: process.pid,
  uid: process.geteuid?.(),
  env: process.env,
  alive(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
  listen() {
    let received = false;
    const onSignal = (): void => {
      received = true;
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    return {
      received: () => received,
      end() {
        for (const signal of SIGNALS) process.off(signal, onSignal);
      },
    };
  },
};

/** Loaded on demand: it starts git. */
const loadGit = (): typeof import('./git') => require('./git') as typeof import('./git');

/** Loaded on demand: few runs read or write a file of their own. */
const loadPrivateFile = (): typeof import('./write/private-file') =>
  require('./write/private-file') as typeof import('./write/private-file');

const indexes: IndexOps = {
  takeBack: (change) => loadGit().takeBackStaged(change, process.env),
  failureText: (...failed) => loadGit().notTakenBackText(...failed),
};

const status = cli(process.argv.slice(2).map(bytes), io, {
  version,
  transforms,
  source: disk,
  hash: (text) =>
    (require('node:crypto') as typeof import('node:crypto'))
      .createHash('sha256')
      .update(text, 'latin1')
      .digest('hex'),
  writeOutput: (path, text) => loadPrivateFile().writePrivate(path, Buffer.from(text, 'latin1'), host),
  readPlan: (path) => loadPrivateFile().readPrivate(path, host),
  git: loadGit,
  program: isExecutable
    ? { node: bytes(process.execPath) }
    : { node: bytes(process.execPath), script: bytes(process.argv[1] ?? '') },
  shippedScript,
  // Loaded on demand: it starts programs.
  configTest: (...asked) => (require('./configtest') as typeof import('./configtest')).configTest(...asked),
  askInstalled: (...asked) =>
    (require('./configtest') as typeof import('./configtest')).askInstalled(...asked),
  async readLogs(paths, counter, reading) {
    const signals = host.listen();
    try {
      const { readLogs } = require('./log/stream') as typeof import('./log/stream');
      return await readLogs(paths, counter, { ...reading, isStopped: () => signals.received() });
    } finally {
      signals.end();
    }
  },
  network() {
    const signals = host.listen();
    const { ServerAsker } = require('./compare/ask') as typeof import('./compare/ask');
    return {
      asker: (base, options) => new ServerAsker(base, options),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      isStopped: () => signals.received(),
      end: () => signals.end(),
    };
  },
  async serveEditor(analyst) {
    const { isMainThread } = require('node:worker_threads') as typeof import('node:worker_threads');
    const { answerQuestions, serve, threadedAnalyst } = require('./lsp') as typeof import('./lsp');
    if (!isMainThread) return answerQuestions(analyst);
    const program = isExecutable ? { code: asset('main.cjs') } : { script: process.argv[1] ?? '' };
    const thread = threadedAnalyst(program, process.argv.slice(2));
    return serve(process.stdin, process.stdout, thread, version);
  },
  pendingWrites: () => pendingWrites(host),
  openStore(options) {
    // The disk syncs many files in the time of one, if many threads ask.
    process.env['UV_THREADPOOL_SIZE'] ??= '16';
    const { openStore } = require('./write') as typeof import('./write');
    return openStore({ ...options, host, indexes });
  },
});
// Everything is written by now: nothing needs to be waited for.
if (typeof status === 'number') process.exit(status);
else void status.then((later) => process.exit(later));

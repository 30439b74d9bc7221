import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Services } from '../../src/cli';
import { disk } from '../../src/config/source/disk';
import { askInstalled, configTest } from '../../src/configtest';
import { ServerAsker } from '../../src/compare/ask';
import * as git from '../../src/git';
import { readLogs } from '../../src/log/stream';
import { readPrivate } from '../../src/write/private-file';
import { transforms } from '../../transforms';
import { neverWrites } from '../write/store';

/** What main.ts hands to the command line, for tests that run it in process; it writes nothing. */
export const services: Services = {
  version: '1.2.3',
  transforms,
  source: disk,
  hash: (bytes) => createHash('sha256').update(bytes, 'latin1').digest('hex'),
  openStore: neverWrites,
  network: () => ({
    asker: (base, options) => new ServerAsker(base, options),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    isStopped: () => false,
    end: () => undefined,
  }),
  readLogs: (paths, counter, reading) => readLogs(paths, counter, { ...reading, isStopped: () => false }),
  writeOutput() {
    throw new Error('nothing may be written');
  },
  readPlan: (path) => readPrivate(path, { uid: process.geteuid?.(), env: {} }),
  configTest,
  askInstalled,
  serveEditor: () => Promise.reject(new Error('there is no editor')),
  git: () => git,
  pendingWrites: () => [],
  program: { node: process.execPath, script: `${__dirname}/../../bin/httpd-codemod.js` },
  shippedScript: (name) => readFileSync(`${__dirname}/../../bin/${name}`, 'latin1'),
};

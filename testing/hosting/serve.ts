import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireHttpd } from '../httpd/binary';
import { testFile } from '../httpd/check';
import { type Running, launch, unknownHost } from '../httpd/launch';
import { makeReadable, worker } from '../httpd/readable';
import type { ConvertedServer } from './convert';
import { writeFiles } from './generate';
import type { Places } from './layout';
import { filesAskedFor } from './requests';

/** A machine of its own below a directory, as the judging httpd can run it. */
export function placesBelow(top: string, port: number): Places {
  const as = worker();
  const account = as && { user: `"#${as.uid}"`, group: `"#${as.gid}"` };
  return { top, port, modules: `${top}/modules`, account, run: `${top}/run` };
}

/**
 * Puts a converted server on disk and starts it, without mod_access_compat.
 * @throws Error with what httpd said, where it does not take it
 */
export async function serveConverted({ server, after }: ConvertedServer): Promise<Running> {
  const { layout, places } = server;
  const { moduleDir, modules, statics } = requireHttpd();
  // What the judging httpd has built in it does not load, and what it has no more goes with its package.
  const loadable = (text: string): string =>
    text.replace(/^LoadModule ([a-z0-9_]+)_module /gm, (line, name: string) =>
      statics.has(name) || !modules.has(name) ? `# ${line}` : line,
    );
  const texts = new Map(after.files.map(({ path, document }) => [path, loadable(document.text)]));
  const empty = filesAskedFor(server).map((path) => [path, ''] as const);
  // In a directory that is not there, no section would apply.
  for (const { filename } of layout.stock(places)) mkdirSync(dirname(filename), { recursive: true });
  const stock = layout
    .stock(places)
    .flatMap(({ filename }) => (/\.(?:gif|html)$/.test(filename) ? [[filename, ''] as const] : []));
  writeFiles(new Map([...empty, ...stock, ...server.files, ...texts]));
  for (const directory of ['modules', 'run']) mkdirSync(join(places.top, directory), { recursive: true });
  for (const name of modules)
    if (name !== 'access_compat' && !existsSync(join(places.top, `modules/mod_${name}.so`)))
      symlinkSync(join(moduleDir, `mod_${name}.so`), join(places.top, `modules/mod_${name}.so`));
  const wrapper = join(places.top, 'whole.conf');
  const lines = [
    // 2.2 had these built in, or the package of 2.4 brings them.
    ...['mpm_event', 'unixd', 'authn_core', 'authz_core', 'filter']
      .filter((name) => !statics.has(name))
      .map((name) => `LoadModule ${name}_module ${places.top}/modules/mod_${name}.so`),
    `DefaultRuntimeDir "${places.run}"`,
    `Mutex "file:${places.run}" default`,
    `Include "${layout.main(places)}"`,
    `<VirtualHost ${layout.address(places)}>`,
    `ServerName ${unknownHost.host}`,
    `Redirect ${unknownHost.status} /`,
    '</VirtualHost>',
  ];
  writeFileSync(wrapper, `${lines.join('\n')}\n`, 'latin1');
  makeReadable(places.top);
  const verdict = await testFile(wrapper);
  if (!verdict.ok) throw new Error(verdict.message);
  return launch(wrapper, places.port).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}\n${readLog(places)}`);
  });
}

function readLog({ run = '' }: Places): string {
  const logs = ['error_log', 'error.log'].map((name) => join(run, name)).filter((path) => existsSync(path));
  return logs.map((path) => readFileSync(path, 'latin1')).join('');
}

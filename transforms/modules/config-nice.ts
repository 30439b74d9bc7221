import { defineTransform } from '../../src/engine';

/** Options of 2.2's configure that 2.4's does not have, or reads as something else (configure.in, modules/**.m4 of both). */
const OPTIONS: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  'enable-authn-alias': 'its directives are in mod_authn_core, which is always built',
  'enable-authn-default': 'the module was removed',
  'enable-authz-default': 'the module was removed',
  'enable-disk-cache': 'it is now --enable-cache-disk',
  'enable-mem-cache': 'the module was removed; --enable-cache-socache is the closest replacement',
  'enable-example': 'it is now --enable-example-hooks',
  'enable-distcache': 'it is now --enable-socache-dc, together with --with-distcache',
  'with-sslc': 'only OpenSSL is supported',
  'with-included-apr': 'httpd no longer includes APR and APR-util: unpack them into srclib',
};

/** Options with another meaning or default in 2.4, whatever their value. */
const CHANGED: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:enable-(?:modules|mods-shared))$/,
    '2.4 builds most modules as separate files unless --enable-mods-static is given, and each of these needs a LoadModule line',
  ],
  [
    /^enable-(?:proxy|proxy-balancer)$/,
    'in 2.4 the balancer methods are separate modules: see --enable-lbmethod-*',
  ],
  [
    /^with-mpm$/,
    'the MPM is still compiled in; --enable-mpms-shared builds MPMs that are loaded with LoadModule',
  ],
];

const OPTION = /--(?:(disable|enable|with|without)-)([a-z0-9-]+)(?:=([^"' \t\r\n]*))?/gi;

export default defineTransform({
  id: 'config-nice',
  changes: ['B1', 'B2', 'B3', 'B4'],
  title: 'Options in build/config.nice that 2.4 treats differently',
  why: 'Most options that 2.2 was built with also work for 2.4, but some were removed, renamed or have another default.',
  docs: ['upgrading: Compile-Time Configuration Changes', 'programs/configure'],
  advisory: true,
  run(context) {
    const { build } = context.tree;
    if (build === undefined) return;
    const { text } = build.document;
    const reported = new Set<string>();
    const report = (at: number, option: string, message: string, level: 'warning' | 'info'): void => {
      if (reported.has(message)) return;
      reported.add(message);
      context.report({
        file: build,
        at,
        level,
        message: `--${option}: ${message}`,
      });
    };
    for (const match of text.matchAll(OPTION)) {
      const [, prefix = '', name = ''] = match;
      const option = `${prefix.toLowerCase()}-${name}`;
      const positive = `${/^(?:en|dis)able$/i.test(prefix) ? 'enable' : 'with'}-${name}`;
      const at = match.index;
      const removed = OPTIONS[positive];
      if (removed !== undefined)
        report(at, option, `2.4's configure does not have this option: ${removed}`, 'warning');
      const changed = CHANGED.find(([pattern]) => pattern.test(positive))?.[1];
      if (changed !== undefined) report(at, option, changed, 'info');
    }
  },
});

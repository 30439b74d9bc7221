import { lineShowing22 } from '../../src/access';
import { isDebianLink } from '../../src/config';
import { type Edit, insertAfter, removeLine, replaceArgument } from '../../src/edit';
import { defineTransform, type ResultContext, type TransformContext } from '../../src/engine';
import { findModule, reasonModuleGone, successorOf } from '../../src/httpd/modules';
import type { Argument } from '../../src/syntax';
import { shellWord } from '../../src/shell-word';
import { describeNeed, reportAskedFor, reportMissing } from './load-module-missing';
import { type ModuleNeed, ModuleNeeds, OFTEN_STATIC } from './load-module-needs';
import {
  debianInclude,
  isOfAnsweredPhp,
  librariesAbove,
  type LoadLine,
  LoadLines,
  mpmFor,
  mpmInPlace,
  plainName,
} from './module-lines';

export default defineTransform({
  id: 'load-module',
  changes: ['B3', 'B4', 'R03', 'R04', 'R05', 'R14', 'P02', 'P03', 'F01', 'M01', 'M02', 'M03', 'M05'],
  title: 'LoadModule lines: removed, renamed and missing modules',
  why: '2.4 split modules (mod_authz_core, mod_authn_core, mod_unixd, the balancer methods, the shared object caches, the MPMs), renamed one and removed others. It does not start if a loaded module does not exist, or if the module of a directive is not loaded.',
  docs: ['upgrading', 'mod_so: LoadModule', 'mod_unixd', 'mod_authz_core', 'mpm'],
  directives: ['LoadModule', 'LoadFile'],
  run(context) {
    const lines = new LoadLines(context.index);
    const showing22 = lineShowing22(context.tree, context.dual);
    for (const line of lines.all) {
      const { identifier, place, read, conditionals } = line;
      // Debian's links belong to its package, and lines that only 2.2 reads stay.
      if (isDebianLink(place.file) || (read === false && conditionals.length > 0)) continue;
      if (isOfAnsweredPhp(context, line)) {
        reportAnsweredPhp(context, line);
        continue;
      }
      const reason = reasonModuleGone(identifier);
      const needs = line.node === showing22?.node ? showing22.needs : undefined;
      if (line.node === showing22?.node && showing22.mustStay) reportKept(context, line, reason);
      else if (reason !== undefined) reportGone(context, line, `2.4 has no ${identifier}: ${reason}`, needs);
      else if (successorOf(identifier) !== undefined) reportRenamed(context, line, lines, needs);
      else if (context.targetModules?.get(identifier) === 'static')
        reportGone(
          context,
          line,
          `${identifier} is compiled into the target, which does not start if a line loads it: the line is removed`,
        );
    }
  },
  runOnResult(context) {
    if (!context.tree.isServer) return;
    const lines = new LoadLines(context.index);
    if (!reportDebian(context, lines)) reportMissing(context, lines);
  },
});

function reportAnsweredPhp(context: TransformContext, line: LoadLine): void {
  const { place, node, identifier } = line;
  const { document } = place.file;
  context.report({
    file: place.file,
    at: node.from,
    level: 'error',
    stops: true,
    safety: 'safe',
    message: `2.4 cannot load ${identifier} as built for 2.2, and as it is said how PHP runs, the line is removed: a module for 2.4 is loaded by the file that its package brings`,
    edits: [...librariesAbove(line), node].map((gone) => removeLine(document, gone)),
  });
}

function reportGone(
  context: TransformContext,
  { node, place }: LoadLine,
  message: string,
  needs?: readonly string[],
): void {
  context.report({
    file: place.file,
    at: node.from,
    level: 'error',
    stops: true,
    safety: 'safe',
    message,
    edits: [removeLine(place.file.document, node)],
    ...(needs && { needs }),
  });
}

/** @param reason why 2.4 has no such module; undefined where it has it under another name */
function reportKept(
  context: TransformContext,
  { identifier, node, place }: LoadLine,
  reason: string | undefined,
): void {
  const gone = reason ?? `it is ${successorOf(identifier) ?? 'another'} there`;
  context.report({
    file: place.file,
    at: node.from,
    level: 'error',
    stops: true,
    after: { rule: 'order-allow-deny', subject: `then remove LoadModule ${identifier}` },
    message: `2.4 has no ${identifier}: ${gone}; the line shows that this configuration is a 2.2's, and stays as long as lines for 2.2 alone stand beside lines for 2.4: convert those, then remove it`,
  });
}

/** Renames a module that 2.4 has under another name, or removes the line if another line loads that module. */
function reportRenamed(
  context: TransformContext,
  line: LoadLine,
  lines: LoadLines,
  needs: readonly string[] | undefined,
): void {
  const { identifier, node, place, path } = line;
  const { document } = place.file;
  const newIdentifier = successorOf(identifier)!;
  const first = lines.all.find((other) => other !== line && other.name === plainName(newIdentifier));
  const report = (message: string, edits: readonly Edit[]): void =>
    context.report({
      file: place.file,
      at: node.from,
      level: 'error',
      stops: true,
      safety: edits.length > 0 ? 'safe' : 'manual',
      message,
      edits,
      ...(needs && edits.length > 0 && { needs }),
    });
  if (
    first !== undefined &&
    (first.identifier === newIdentifier || lines.all.indexOf(first) < lines.all.indexOf(line))
  ) {
    report(
      `${identifier} is called ${newIdentifier} in 2.4, and another line loads it: this line is removed`,
      [removeLine(document, node)],
    );
    return;
  }
  const file = `mod_${plainName(identifier)}.so`;
  if (!path.endsWith(file)) {
    report(
      `${identifier} is called ${newIdentifier} in 2.4: load that module, from the file that the target has for it`,
      [],
    );
    return;
  }
  const [identifierArgument, pathArgument] = node.args as readonly [Argument, Argument];
  const newPath = path.slice(0, -file.length) + `mod_${plainName(newIdentifier)}.so`;
  const edits = [
    replaceArgument(document, identifierArgument, newIdentifier),
    replaceArgument(document, pathArgument, newPath),
  ];
  const message = `${identifier} is called ${newIdentifier} in 2.4`;
  const needed = newIdentifier === 'cache_disk_module' ? 'cache' : undefined;
  const cache = lines.all.find((other) => other.name === needed && other.read !== false);
  if (cache === undefined || lines.all.indexOf(cache) < lines.all.indexOf(line)) report(message, edits);
  else if (cache.place.chain.length > 0 || line.place.chain.length > 0 || node.joined)
    report(`${message}, and must be loaded after cache_module: move the line below that one`, []);
  else {
    const text = document.text
      .slice(node.from, node.to)
      .replace(identifier, newIdentifier)
      .replace(file, `mod_${plainName(newIdentifier)}.so`);
    const moved = insertAfter(cache.place.file.document, cache.node, [text]);
    if (cache.place.file !== place.file)
      report(
        `${message}, and must be loaded after cache_module: move the line to ${cache.place.file.name}, below that one`,
        [],
      );
    else
      report(`${message}, and must be loaded after cache_module: the line moves below that one`, [
        removeLine(document, node),
        moved,
      ]);
  }
}

/** The modules that a2enmod is to enable. @param isLinked whether links in mods-enabled show which are enabled */
function debianNeeds(context: ResultContext, lines: LoadLines, isLinked: boolean): readonly ModuleNeed[] {
  const { byModule, ofAccessFiles } = new ModuleNeeds(context, lines);
  const isLacking = ({ name }: ModuleNeed): boolean =>
    !lines.loads(name) &&
    !OFTEN_STATIC.has(name) &&
    !context.targetModules?.has(`${name}_module`) &&
    (isLinked || findModule(`${name}_module`)?.versions === '2.4');
  reportAskedFor(
    context,
    ofAccessFiles.filter((need) => isLacking(need) && !byModule.has(need.name)),
  );
  return [...byModule.values()].filter(isLacking);
}

/**
 * If Debian's a2enmod enables the modules, reports which commands to run.
 * @returns false if it does not
 */
function reportDebian(context: ResultContext, lines: LoadLines): boolean {
  const linked = lines.all.filter(({ place }) => isDebianLink(place.file));
  const anchor = linked[0] ?? debianInclude(context.index);
  if (anchor === undefined) return false;
  for (const { identifier, node, place } of linked) {
    const name = plainName(identifier);
    const newIdentifier = successorOf(identifier);
    const reason =
      reasonModuleGone(identifier) ??
      (newIdentifier && `it is called ${newIdentifier} there`) ??
      (isOfAnsweredPhp(context, { identifier, place })
        ? 'its builds for 2.4 have files of their own'
        : undefined);
    if (reason === undefined) continue;
    const newName = newIdentifier === undefined ? undefined : plainName(newIdentifier);
    const enable = newName === undefined ? '' : ` and a2enmod ${newName}`;
    const message = `2.4 has no ${identifier}: ${reason}; run a2dismod ${name}${enable}`;
    const commands = [`disable ${shellWord(name)}`, ...(newName === undefined ? [] : [`enable ${newName}`])];
    context.report({
      file: place.file,
      at: node.from,
      level: 'error',
      message,
      commands,
    });
  }
  const needs = debianNeeds(context, lines, linked.length > 0);
  const mpm =
    context.targetModules === undefined
      ? (mpmFor(context, lines, undefined) ?? mpmInPlace(context, lines))
      : undefined;
  const report = (message: string, level: 'error' | 'info', commands: readonly string[]): void =>
    context.report({
      file: anchor.place.file,
      at: anchor.node.from,
      level,
      message,
      commands,
    });
  if (needs.length > 0) {
    const names = needs.map(({ name }) => name).sort();
    const reasons = needs
      .map((need) => `${need.name} for ${describeNeed(context, need, anchor.place.file)}`)
      .join(', ');
    report(
      `2.4 needs ${reasons}: run a2enmod ${names.join(' ')}, as far as these are not enabled yet`,
      'error',
      names.map((name) => `enable ${name}`),
    );
  }
  if (mpm !== undefined)
    report(
      mpm.isNeeded === true
        ? '2.4 loads its MPM as a module, and PHP as a module runs in mpm_prefork alone: run a2dismod mpm_event mpm_worker, then a2enmod mpm_prefork; with PHP-FPM any MPM will do'
        : `2.4 loads its MPM as a module: run a2enmod ${mpm.name}, because ${mpm.reason}, unless an MPM is enabled`,
      'info',
      mpm.isNeeded === true
        ? ['disable mpm_event', 'disable mpm_worker', `enable ${mpm.name}`]
        : [`ls mods-enabled/mpm_*.load > /dev/null 2>&1 || enable ${mpm.name}`],
    );
  for (const { name, identifier, node, place } of linked)
    if (OFTEN_STATIC.has(name))
      context.report({
        file: place.file,
        at: node.from,
        level: 'info',
        message: `Debian's 2.4 has ${identifier} built in: run a2dismod ${name}`,
        commands: [`disable ${shellWord(name)}`],
      });
  return true;
}

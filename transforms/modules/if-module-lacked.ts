import { type ConfigFile, isConditional, moduleLacked, placeCondition } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import type { Node, Section } from '../../src/syntax';
import { ACCESS_DIRECTIVES, RESTATED } from './module-lines';

/** A block for a module that 2.2 did not have, with access lines in it. */
interface LackedBlock {
  readonly file: ConfigFile;
  readonly at: number;
  /** The module as messages name it: `mod_proxy`. */
  readonly module: string;
  readonly isInSection: boolean;
}

export default defineTransform({
  id: 'if-module-lacked',
  changes: [],
  title: 'Access lines in <IfModule> of a module that no line loads',
  why: '2.2 skipped such a block, and so does 2.4, until somebody loads the module. The block is then read again.',
  docs: ['core: <IfModule>', 'mod_so: LoadModule'],
  advisory: true,
  run(context) {
    const loadedBy24: LackedBlock[] = [];
    const skipped: LackedBlock[] = [];
    /** Blocks that ask for a server without the module. */
    const readBy22: LackedBlock[] = [];
    const isAccess = new Set(ACCESS_DIRECTIVES.map((name) => name.toLowerCase()));
    context.sections(['IfModule'], (node, { file, chain, root }) => {
      const identifier = root.role === 'unreached' ? undefined : moduleLacked(context.tree, node);
      const word = node.args[0]?.value ?? '';
      if (identifier === undefined || RESTATED.test(word.replace(/^!/, ''))) return;
      if (!holdsAny(node.body, isAccess)) return;
      const module = findModule(identifier)!.file.replace(/\.c$/, '');
      const isInSection = root.role === 'htaccess' || chain.some(({ section }) => holdsAccess(section));
      const isLoaded = context.targetModules?.has(identifier) === true;
      const block = { file, at: node.open.from, module, isInSection };
      if (!word.startsWith('!')) (isLoaded ? loadedBy24 : skipped).push(block);
      else if (isLoaded && placeCondition(chain).on22 !== false) readBy22.push(block);
    });
    // What is compiled in is there whatever is loaded; what is shared may be loaded by lines that this configuration replaces.
    const isCompiledIn = ({ module }: LackedBlock): boolean =>
      context.targetModules?.get(`${module.replace(/^mod_/, '')}_module`) === 'static';
    const outcome = 'so 2.4 skips the block and whom it keeps out gets in: take its lines out of it';
    report(
      context,
      readBy22.filter(isCompiledIn),
      `so 2.2 read the block; it is compiled into the target, ${outcome}`,
      'error',
    );
    const shared = readBy22.filter((block) => !isCompiledIn(block));
    report(context, shared, `so 2.2 read the block; the target loads it, ${outcome}`, 'warning');
    report(
      context,
      loadedBy24,
      'the target loads it, so 2.4 reads the block: see that its lines are wanted',
      'warning',
    );
    const lines = skipped.filter(({ isInSection }) => isInSection);
    report(
      context,
      lines,
      'so 2.2 skipped the block, and so will 2.4 as long as none does: its access lines are left as they are',
      'warning',
    );
    const sections = skipped.filter((block) => !lines.includes(block));
    report(
      context,
      sections,
      'so 2.2 skipped the block, and so will 2.4 as long as none does: its sections are converted as if it were read',
      'info',
    );
  },
});

function report(
  context: TransformContext,
  blocks: readonly LackedBlock[],
  outcome: string,
  level: 'error' | 'warning' | 'info',
): void {
  const [first] = blocks;
  if (first === undefined) return;
  const others =
    blocks.length === 1
      ? ''
      : ` (${blocks.length} such blocks in all: ${[...new Set(blocks.map(({ module }) => module))].join(', ')})`;
  context.report({
    file: first.file,
    at: first.at,
    level,
    changesAccess: true,
    message: `no LoadModule line loads ${first.module}, ${outcome}${others}`,
  });
}

/** Whether access lines that stand in a section without another around them belong to it. */
function holdsAccess(section: Section): boolean {
  return section.key !== 'virtualhost' && !isConditional(section);
}

function holdsAny(body: readonly Node[], keys: ReadonlySet<string>): boolean {
  return body.some((node) =>
    node.kind === 'directive' ? keys.has(node.key) : node.kind === 'section' && holdsAny(node.body, keys),
  );
}

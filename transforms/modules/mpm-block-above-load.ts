import { isConditional } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import type { Section } from '../../src/syntax';
import { debianInclude, MPMS, plainName } from './module-lines';

export default defineTransform({
  id: 'mpm-block-above-load',
  changes: ['M09'],
  title: 'Sizes of the MPM above the line that loads it',
  why: "2.2 has its MPM compiled in. Debian's 2.4 loads it by mods-enabled, and skips a block that asks for it further up without a word: the sizes are then those of the package.",
  docs: ['core: <IfModule>', 'Debian: mods-available/mpm_prefork.conf'],
  advisory: true,
  run(context) {
    const { tree, index, targetModules } = context;
    const include = debianInclude(index);
    if (!tree.isServer || include === undefined) return;
    if (MPMS.some((name) => targetModules?.get(`${name}_module`) === 'static')) return;
    const { file, chain } = include.place;
    if (chain.length > 0) return;
    const early = file.document.body.flatMap((node) => {
      const name = node.kind === 'section' && node.start < include.node.start ? mpmAskedFor(node) : undefined;
      return name === undefined ? [] : [{ node: node as Section, name }];
    });
    const [first] = early;
    if (first === undefined) return;
    // What has other sections in it is left to a person.
    const commands = early.every(({ node }) => isPlain(node))
      ? early.flatMap(({ node, name }) => moveToModule(node.args[0]!.value, name, file.name))
      : undefined;
    const hint = commands === undefined ? '' : ' (--format sh prints the commands)';
    const names = [...new Set(early.map(({ name }) => name))];
    context.report({
      file,
      at: first.node.open.from,
      level: 'warning',
      message: `Debian's 2.4 loads its MPM below this block, and skips it without a word: move the sizes to ${names.map((name) => `mods-available/${name}.conf`).join(', ')}${hint}`,
      ...(commands && { commands }),
    });
  },
});

/** The MPM of Unix that a block asks for. */
function mpmAskedFor(section: Section): string | undefined {
  if (section.key !== 'ifmodule' || section.close === undefined) return undefined;
  const name = plainName(findModule(section.args[0]?.value ?? '')?.identifier ?? '');
  return MPMS.find((mpm) => mpm === name);
}

function isPlain(section: Section): boolean {
  return isConditional(section) && section.body.every(({ kind }) => kind !== 'section');
}

/** @param word as the block has it @param path of the file that has the block */
function moveToModule(word: string, name: string, path: string): readonly string[] {
  const main = path.slice(path.lastIndexOf('/') + 1);
  const block = `/^[[:blank:]]*<[Ii][Ff][Mm][Oo][Dd][Uu][Ll][Ee][[:blank:]]\\{1,\\}"\\{0,1\\}${word.replaceAll('.', '\\.')}"\\{0,1\\}[[:blank:]]*>/,/^[[:blank:]]*<\\/[Ii][Ff][Mm][Oo][Dd][Uu][Ll][Ee]>/`;
  return [
    `if sed -n '${block}p' ${main} | grep . > ${name}.conf.new; then`,
    `    cat ${name}.conf.new >> mods-available/${name}.conf`,
    `    sed '${block}d' ${main} > ${main}.new && cat ${main}.new > ${main} && rm ${main}.new`,
    `    [ ! -e mods-enabled/${name}.load ] || ln -sf ../mods-available/${name}.conf mods-enabled/${name}.conf`,
    'fi',
    `rm -f ${name}.conf.new`,
  ];
}

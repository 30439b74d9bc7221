import type { TreeIndex } from '../../src/engine';
import { advice } from '../common/advice';

const OLD_TYPE = /^\$?(?:application\/(?:x-)?javascript)$/i;
const NEW_TYPE = 'text/javascript';
/** The lines that do something for a type. */
const NAMES = ['ExpiresByType', 'AddOutputFilterByType', 'FilterProvider'];

export default advice({
  id: 'javascript-type',
  changes: ['F47'],
  title: 'Scripts by their old type',
  why: 'The mime.types of 2.2 says application/javascript for .js. That of later releases of 2.4, and that of newer systems, says text/javascript. What is said of the old type alone then no longer holds for scripts: they are sent as they are, and without an expiry time.',
  docs: ['conf/mime.types', 'CHANGES 2.4.58: conf/mime.types', 'RFC 9239'],
  names: NAMES,
  once: true,
  level: 'info',
  onlyIf: (index) => !setsType(index),
  messageFor: ({ name, args }) => {
    const type = args.find(({ value }) => OLD_TYPE.test(value))?.value.replace('$', '');
    return type === undefined
      ? undefined
      : `.js has the type ${NEW_TYPE} in newer mime.types files, and ${name} then does nothing for scripts: name ${NEW_TYPE} as well as ${type}, or say AddType ${type} .js`;
  },
});

/** Whether lines name the new type too, or give scripts a type whatever mime.types says. */
function setsType(index: TreeIndex): boolean {
  return (
    index.someDirective(NAMES, ({ args }) =>
      args.some(({ value }) => value.toLowerCase().includes(NEW_TYPE)),
    ) ||
    index.someDirective(['AddType'], ({ args }) => args.slice(1).some(({ value }) => /^\.?js$/i.test(value)))
  );
}

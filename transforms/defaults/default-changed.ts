import { type Server, linesOf, serversOf, spotFor } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform, type Transform, type TransformContext } from '../../src/engine';
import { isServerFor24 } from '../shared/written-for';
import { CHANGED_DEFAULTS, type ChangedDefault, type Uses } from './default-changed-rows';

/** One rule for each directive whose default 2.4 has changed: it tells what that means here, and writes 2.2's value where asked to. */
export const defaultTransforms: readonly Transform[] = CHANGED_DEFAULTS.map((row) =>
  defineTransform({
    id: `${row.names[0]!.replace(/[a-z][A-Z]/g, ([a, b]) => `${a}-${b}`).toLowerCase()}-unset`,
    seed: row.seed,
    title: `${row.names[0]} is not set`,
    why: 'The directive has another default in 2.4. --pin-defaults writes what 2.2 did.',
    docs: [row.docs],
    directives: [],
    run: (context) => check(context, row),
  }),
);

function check(context: TransformContext, { names, pin, kin, matters }: ChangedDefault): void {
  const servers = serversOf(context.tree);
  const { main } = servers;
  // Nothing follows from what is missing in a part of a server.
  if (main?.whole !== true || linesOf(main, names).length > 0 || isServerFor24(context)) return;
  const told = matters(usesOf(context, main));
  if (told === undefined) return;
  const [level, meaning] = told;
  const spot = spotFor(servers, main, [kin]);
  const edits = context.pinDefaults === true ? [insertAt(spot.file.document, spot, pin)] : [];
  context.report({
    file: spot.file,
    at: spot.node === undefined ? 0 : (spot.node.kind === 'section' ? spot.node.open : spot.node).from,
    level,
    safety: edits.length > 0 ? 'safe' : 'manual',
    message: `${names[0]} is not set: ${meaning}${edits.length > 0 ? '' : ' (--pin-defaults keeps the old value)'}`,
    edits,
  });
}

function usesOf({ index }: TransformContext, main: Server): Uses {
  return {
    main,
    says: (...names) => index.someDirective(names, () => true) || index.someSection(names, () => true),
    loads: (module) => index.someDirective(['LoadModule'], ({ args }) => args[0]?.value === module),
  };
}

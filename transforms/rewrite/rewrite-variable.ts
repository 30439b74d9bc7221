import { advice } from '../common/advice';

/** What lookup_variable of 2.4 knows, and that of 2.2 does not. */
const NEW_VARIABLE = /%\{(?:LA-[UF]:)?(REQUEST_SCHEME|CONTEXT_PREFIX|CONTEXT_DOCUMENT_ROOT|CONN_REMOTE_ADDR|IPV6)\}/i; // prettier-ignore

export default advice({
  id: 'rewrite-variable',
  changes: ['F44'],
  title: 'Variables that mod_rewrite of 2.2 does not know',
  why: 'REQUEST_SCHEME, CONTEXT_PREFIX, CONTEXT_DOCUMENT_ROOT, CONN_REMOTE_ADDR and IPV6 are empty in the rules of 2.2, and have a value in 2.4.',
  docs: ['mod_rewrite: RewriteCond', 'modules/mappers/mod_rewrite.c: lookup_variable'],
  names: ['RewriteCond', 'RewriteRule'],
  level: 'warning',
  messageFor: ({ name, args }) => {
    const variable = args.map(({ value }) => NEW_VARIABLE.exec(value)?.[1]).find((found) => found !== undefined);
    return variable === undefined
      ? undefined
      : `%{${variable}} is always empty in 2.2, which does not know it, and has a value in 2.4: see that this ${name} is to do what it says`;
  },
}); // prettier-ignore

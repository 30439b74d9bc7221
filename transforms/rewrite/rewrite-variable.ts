import { advice } from '../common/advice';

/** What lookup_variable of 2.4 knows, and that of 2.2 does not. */
const NEW_VARIABLE =
  /%\{(?:LA-[UF]:)?(REQUEST_SCHEME|CONTEXT_PREFIX|CONTEXT_DOCUMENT_ROOT|CONN_REMOTE_ADDR|IPV6)\}/i;

/** A condition that asks for the version of httpd: the name alone, and the beginning of a date, are the same in both. */
const VERSION = /%\{(?:LA-[UF]:)?(SERVER_SOFTWARE|API_VERSION)\}/i;
const NAMES_VERSION = { SERVER_SOFTWARE: /\d/, API_VERSION: /\d{4}/ } as const;

export default advice({
  id: 'rewrite-variable',
  changes: ['F44'],
  title: 'Variables of rules that have another value in 2.4',
  why: 'REQUEST_SCHEME, CONTEXT_PREFIX, CONTEXT_DOCUMENT_ROOT, CONN_REMOTE_ADDR and IPV6 are empty in the rules of 2.2, and have a value in 2.4. SERVER_SOFTWARE and API_VERSION name the version of httpd.',
  docs: ['mod_rewrite: RewriteCond', 'modules/mappers/mod_rewrite.c: lookup_variable'],
  names: ['RewriteCond', 'RewriteRule'],
  level: 'warning',
  messageFor: ({ name, args }) => {
    const variable = args
      .map(({ value }) => NEW_VARIABLE.exec(value)?.[1])
      .find((found) => found !== undefined);
    if (variable !== undefined)
      return `%{${variable}} is always empty in 2.2, which does not know it, and has a value in 2.4: see that this ${name} is to do what it says`;
    const version = VERSION.exec(args[0]?.value ?? '')?.[1]?.toUpperCase() as
      keyof typeof NAMES_VERSION | undefined;
    return version !== undefined && NAMES_VERSION[version].test(args[1]?.value ?? '')
      ? `%{${version}} names the version of httpd, which is another now: see that this ${name} is to hold for 2.4, too`
      : undefined;
  },
});

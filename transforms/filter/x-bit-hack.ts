import { advice } from '../common/advice';

export default advice({
  id: 'x-bit-hack',
  changes: ['F43'],
  title: 'XBitHack and pages whose type has a charset',
  why: 'With XBitHack, files that may be executed are parsed for server-side includes. 2.2 does so for the type text/html alone; 2.4 also where AddCharset, AddType or ForceType add a charset to it.',
  docs: ['mod_include: XBitHack', 'modules/filters/mod_include.c: include_fixup'],
  names: ['XBitHack'],
  once: true,
  onlyIf: (index) =>
    index.someDirective(['AddCharset', 'AddType', 'ForceType'], ({ key, args }) =>
      key === 'addcharset' ? args.length > 1 : /^text\/html[ \t]*;/i.test(args[0]?.value ?? ''),
    ),
  level: 'warning',
  messageFor: ({ args }) =>
    /^(?:on|full)$/i.test(args[0]?.value ?? '')
      ? '2.4 also carries out the server-side includes of files that may be executed if their type has a charset (AddCharset, AddType or ForceType): take away the right to execute where they are not to be parsed'
      : undefined,
});

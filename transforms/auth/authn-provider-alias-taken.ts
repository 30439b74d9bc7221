import { placeCondition } from '../../src/config';
import { defineTransform } from '../../src/engine';
import type { Section } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';

/** The providers of 2.4's own modules. Names are case-sensitive. */
const PROVIDERS = new Set(['file', 'dbm', 'dbd', 'anon', 'ldap', 'socache']);

export default defineTransform({
  id: 'authn-provider-alias-taken',
  changes: ['A12'],
  title: 'AuthnProviderAlias names that are already taken',
  stops: true,
  why: '2.4 refuses an alias with the name of a provider or of another alias.',
  docs: ['mod_authn_core: <AuthnProviderAlias>'],
  advisory: true,
  run(context) {
    const aliases = new Map<string, Section>();
    context.sections(['AuthnProviderAlias'], (node, place) => {
      if (!isCarriedOver(place)) return;
      const [provider, alias] = node.args.map(({ value }) => value);
      if (provider === undefined || alias === undefined) return;
      // Of two aliases in conditional blocks, only one may be read.
      const isSurelyRead = placeCondition(place.chain).on24 === true;
      const first = isSurelyRead ? aliases.get(alias) : undefined;
      if (isSurelyRead) aliases.set(alias, first ?? node);
      const conflict =
        provider.toLowerCase() === alias.toLowerCase()
          ? 'has the name of its own provider'
          : PROVIDERS.has(alias)
            ? 'has the name of a provider of 2.4'
            : first !== undefined && first !== node
              ? 'is defined a second time'
              : undefined;
      if (conflict === undefined) return;
      context.report({
        file: place.file,
        at: node.open.from,
        level: 'error',
        message: `2.4 refuses the alias ${alias}, which ${conflict}: give it another name, here and in AuthBasicProvider or AuthDigestProvider`,
      });
    });
  },
});

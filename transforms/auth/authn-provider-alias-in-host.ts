import { hostAround } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { nameOf } from '../../src/httpd/release';
import { isCarriedOver, reportLines } from '../common/lines';

export default defineTransform({
  id: 'authn-provider-alias-in-host',
  changes: [],
  title: 'AuthnProviderAlias used in a virtual host',
  why: 'An <AuthnProviderAlias> is defined in the main server. 2.2 finds the alias everywhere. 2.4 finds it in virtual hosts only since 2.4.8; older releases answer 500.',
  docs: ['mod_authn_core: <AuthnProviderAlias>'],
  lifeSpan: FACTS['provider-alias-not-in-hosts'],
  advisory: true,
  run(context) {
    const aliases = new Set<string>();
    context.sections(['AuthnProviderAlias'], ({ args }, place) => {
      if (args[1] !== undefined && isCarriedOver(place)) aliases.add(args[1].value);
    });
    if (aliases.size === 0) return;
    reportLines(context, ['AuthBasicProvider', 'AuthDigestProvider'], ({ args }, { chain }) => {
      const alias = args.find(({ value }) => aliases.has(value))?.value;
      if (alias === undefined || hostAround(chain) === undefined) return undefined;
      return {
        level: 'error',
        message: `${nameOf(context.target)} does not find the alias ${alias} in a virtual host and answers 500: use the provider itself here, with its settings`,
      };
    });
  },
});

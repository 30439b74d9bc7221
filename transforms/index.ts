import type { Transform } from '../src/engine';
import { access } from './access';
import { argumentChecks } from './arguments';
import { auth } from './auth';
import { cache } from './cache';
import { content } from './content';
import { core } from './core';
import { defaults } from './defaults';
import { filter } from './filter';
import { handlers } from './handlers';
import { logging } from './logging';
import { modules } from './modules';
import { mpm } from './mpm';
import { proxy } from './proxy';
import { regex } from './regex';
import { rewrite } from './rewrite';
import { ssl } from './ssl';
import { sslClient } from './ssl-client';
import { syntax } from './syntax';
import { vhost } from './vhost';
import { onlyForUpgrades } from './common/written-for';

export { eachLine } from './common/lines';

/**
 * Every transform. Where two findings overlap, the rule that is earlier in this list wins, and where they are at one place, its
 * finding is printed first. Each index lists its rules in the same sense. A test checks the list with `checkRegistry`.
 */
export const transforms: readonly Transform[] = [
  // Access comes before everything else.
  ...access,
  // Directives that the versions read differently.
  ...proxy,
  ...cache,
  ...rewrite,
  ...ssl,
  ...sslClient,
  ...auth,
  ...filter,
  ...content,
  ...handlers,
  // Missing lines: they are reported before the findings about the line beside which they would be.
  ...defaults,
  ...mpm,
  ...vhost,
  ...core,
  ...logging,
  ...regex,
  ...argumentChecks,
  // Rules that depend on all of the above: the modules, and then the text of the lines.
  ...modules,
  ...syntax,
].map((rule) => (rule.onlyWhenUpgrading === true ? onlyForUpgrades(rule) : rule));

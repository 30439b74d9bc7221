import type { Transform } from '../src/engine';
import { access } from './access';
import { argumentChecks } from './arguments';
import { auth } from './auth';
import { cache } from './cache';
import { content } from './content';
import { core } from './core';
import { defaults } from './defaults';
import { filter } from './filter';
import { logging } from './logging';
import { modules } from './modules';
import { mpm } from './mpm';
import { proxy } from './proxy';
import { regex } from './regex';
import { rewrite } from './rewrite';
import { ssl } from './ssl';
import { syntax } from './syntax';
import { vhost } from './vhost';
import { onlyForUpgrades } from './shared/written-for';

/**
 * Every transform, in the order their findings win where two overlap, and are told where they stand at one place: the families as they
 * stand here, and each with its rules as its index lists them. A test asks `checkRegistry` about them.
 */
export const transforms: readonly Transform[] = [
  // Who gets in comes before all else.
  ...access,
  // What both versions read, but not alike.
  ...proxy,
  ...cache,
  ...rewrite,
  ...ssl,
  ...auth,
  ...filter,
  ...content,
  // What no line says yet: it goes in front of what becomes of the line beside which it is told.
  ...defaults,
  ...mpm,
  ...vhost,
  ...core,
  ...logging,
  ...regex,
  ...argumentChecks,
  // What hangs on all of the above: modules, and then the text of the lines itself.
  ...modules,
  ...syntax,
].map((rule) => (rule.onlyWhenUpgrading === true ? onlyForUpgrades(rule) : rule));

import type { Transform } from '../../src/engine';
import allowOverrideUnset from './allow-override-unset';
import { changedDefaults, minorDefaults } from './default-changed';
import optionsUnset from './options-unset';

export const defaults: readonly Transform[] = [
  allowOverrideUnset,
  ...changedDefaults,
  minorDefaults,
  optionsUnset,
];

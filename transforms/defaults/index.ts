import type { Transform } from '../../src/engine';
import allowOverrideUnset from './allow-override-unset';
import { changedDefaults, minorDefaults } from './default-changed';
import mergeSlashesOn from './merge-slashes-on';
import optionsUnset from './options-unset';

export const defaults: readonly Transform[] = [
  allowOverrideUnset,
  ...changedDefaults,
  mergeSlashesOn,
  minorDefaults,
  optionsUnset,
];

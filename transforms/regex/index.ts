import type { Transform } from '../../src/engine';
import regexDefaultOptionsUnset from './regex-default-options-unset';
import regexNewline from './regex-newline';
import regexPcre2 from './regex-pcre2';
import regexRefused from './regex-refused';
import regexReplacement from './regex-replacement';

export const regex: readonly Transform[] = [
  regexPcre2,
  regexRefused,
  regexReplacement,
  regexNewline,
  regexDefaultOptionsUnset,
];

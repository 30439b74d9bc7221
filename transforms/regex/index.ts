import type { Transform } from '../../src/engine';
import regexNewline from './regex-newline';
import regexRefused from './regex-refused';
import regexReplacement from './regex-replacement';

export const regex: readonly Transform[] = [regexRefused, regexReplacement, regexNewline];

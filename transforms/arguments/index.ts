import type { Transform } from '../../src/engine';
import laterWord from './later-word';
import statusCodeRefused from './status-code-refused';
import strictArgument from './strict-argument';

/** Arguments of directives of any module. */
export const argumentChecks: readonly Transform[] = [strictArgument, statusCodeRefused, laterWord];

import type { Transform } from '../../src/engine';
import byTypeInherited from './by-type-inherited';
import byTypeStatus from './by-type-status';
import deflateAccept from './deflate-accept';
import deflateSmallBody from './deflate-small-body';
import filterProvider from './filter-provider';
import includesByType from './includes-by-type';
import inflateHead from './inflate-head';
import javascriptType from './javascript-type';
import outputFilterUnknown from './output-filter-unknown';
import ssiAccessEnable from './ssi-access-enable';
import ssiEcho from './ssi-echo';
import ssiExpr from './ssi-expr';
import ssiInherited from './ssi-inherited';
import substituteInHtaccess from './substitute-in-htaccess';
import substituteLongLine from './substitute-long-line';
import xBitHack from './x-bit-hack';

export const filter: readonly Transform[] = [
  filterProvider,
  ssiExpr,
  ssiInherited,
  substituteLongLine,
  deflateSmallBody,
  outputFilterUnknown,
  ssiAccessEnable,
  substituteInHtaccess,
  byTypeInherited,
  byTypeStatus,
  deflateAccept,
  inflateHead,
  ssiEcho,
  xBitHack,
  javascriptType,
  includesByType,
];

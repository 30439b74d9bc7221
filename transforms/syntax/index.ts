import type { Transform } from '../../src/engine';
import backslashLineEnd from './backslash-line-end';
import blockFor22 from './block-for-22';
import emptyList from './empty-list';
import lineFor24 from './line-for-24';
import misplacedDirective from './misplaced-directive';
import oldLinesBesideBlocks from './old-lines-beside-blocks';
import unknownDirective from './unknown-directive';
import versionBlock from './version-block';

export const syntax: readonly Transform[] = [
  emptyList,
  unknownDirective,
  misplacedDirective,
  backslashLineEnd,
  versionBlock,
  blockFor22,
  oldLinesBesideBlocks,
  lineFor24,
];

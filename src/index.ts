// The library: pure, it runs where there is no Node. Texts and file names are byte strings: latin1, one character a byte.
// Three layers, each with a page in docs/guides and each covered by the version number (RELEASING.md).

// Convert: docs/guides/library.md
export { type Conversion, type ConversionOptions, convert, type LogOptions } from './convert';
export type { Reply, RequestReply, VersionReply } from './ask';
export { type CollectedServer, CollectedError, readServerTar } from './collect/server';
export {
  CLIENT as REPORT_SCRIPT,
  decode,
  type DescribedFinding,
  describeFinding,
  encode,
  type RunSummary,
  shownText,
  STYLE as REPORT_STYLE,
} from './report';
export type { LogFile, LogReport, LogTally } from './log/types';
export {
  type Change,
  type Finding,
  type Level,
  OptionError,
  type Outcome,
  type Plan,
  type RunOptions,
  type RunResult,
  type Safety,
} from './engine';
export { type ConfigFile, type ConfigTree, type FileRole, type Problem, SourceError } from './config';
export { NEWEST, parseRelease, type Release } from './httpd/release';
export { parseModuleList } from './httpd/modules';

// Syntax, edits and configurations: docs/guides/library-tree.md
export * from './syntax';
export * from './edit';
export {
  type DirectoryEntry,
  type FileSource,
  loadTree,
  type LoadOptions,
  memory,
  overlay,
  remember,
  type UnreadablePath,
} from './config';
export { diffPath, unifiedDiff } from './report';

// Rules: docs/guides/library-rules.md
export {
  type Frame,
  lastInForce,
  linesOf,
  loadRereadable,
  type Place,
  type Reread,
  type RereadableTree,
  type Server,
  type ServerLine,
  type Servers,
  serversOf,
} from './config';
export { checkRegistry, defineTransform, run, type Transform, type TransformContext } from './engine';
export { eachLine, transforms } from '../transforms';

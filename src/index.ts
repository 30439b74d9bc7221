// The library: pure, it runs where there is no node. Texts are latin1, one character a byte; file names are byte strings.
export { type Conversion, type ConversionOptions, convert } from './convert';
export * from './syntax';
export * from './edit';
export {
  type ConfigFile,
  type ConfigTree,
  type DirectoryEntry,
  type FileSource,
  type Frame,
  loadRereadable,
  loadTree,
  type LoadOptions,
  memory,
  overlay,
  type Place,
  type Problem,
  remember,
  type Reread,
  type RereadableTree,
  type FileRole,
  SourceError,
  type UnreadablePath,
} from './config';
export {
  type Change,
  checkRegistry,
  defineTransform,
  type Finding,
  type Level,
  type Outcome,
  type Plan,
  OptionError,
  run,
  type RunOptions,
  type RunResult,
  type Safety,
  type Transform,
  type TransformContext,
} from './engine';
export { NEWEST, parseRelease, type Release } from './httpd/release';
export { diffPath, unifiedDiff } from './report';
export { transforms } from '../transforms';

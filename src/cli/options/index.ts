export { parseArguments } from './arguments';
export { type ConvertOptions, DEFAULTS, freezeOptions } from './options';
export type { DebugRequest, HookRequest, CliRequest as Request, UndoRequest, WhyRequest } from './request';
export { checkOptions, checkRules } from './rule-options';
export { suggest } from './suggest';
export type { TargetName } from './target-name';

export { answerValue, checkAnswers } from './answers';
export { checkPacking, isCollected, writesTar } from './collected-path';
export { commandLine, parseArguments } from './arguments';
export { fewTakenOptions, takesOption } from './given';
export { HELP_SECTIONS } from './help';
export { type ConvertOptions, DEFAULTS, freezeOptions } from './options';
export type {
  ApplyRequest,
  CompareRequest,
  DebugRequest,
  HookRequest,
  MergeRequest,
  CliRequest as Request,
  Shell,
  UndoRequest,
  WhyRequest,
} from './request';
export { checkRequested, checkRules } from './rule-options';
export { documentFormat, isDebugging, outputFile } from './scan';
export type { TargetName } from './target-name';

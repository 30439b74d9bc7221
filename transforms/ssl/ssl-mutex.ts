import { replaceLine } from '../../src/edit';
import { type Finding, type TransformContext, defineTransform } from '../../src/engine';
import type { ConfigFile } from '../../src/config';
import type { Directive } from '../../src/syntax';
import { reportLines } from '../common/lines';
import { removeLineAndComment } from '../common/removed-line';
import { isMechanism, isUsualPlace, mutexLine, needsFile } from '../common/words';

/** 2.4's names for the mutexes of the old directives. */
const TYPES: Readonly<Record<string, string>> = {
  __proto__: null!,
  sslmutex: 'ssl-cache',
  sslstaplingmutex: 'ssl-stapling',
};

/** How the comment of the stock ssl.conf of 2.2 begins that is about SSLMutex. */
const ABOUT = /^(?:Semaphore|SSLMutex)\b/i;

export default defineTransform({
  id: 'ssl-mutex',
  changes: ['X05', 'X06'],
  title: 'SSLMutex becomes Mutex',
  stops: true,
  why: '2.4 has one directive for all locks, and good defaults.',
  docs: [
    'core: Mutex',
    'modules/ssl/mod_ssl.c: ssl_hook_pre_config',
    'ssl_engine_config.c: ssl_cmd_SSLMutex',
  ],
  directives: ['SSLMutex', 'SSLStaplingMutex', 'WatchdogMutexPath'],
  run(context) {
    reportLines(context, ['SSLMutex', 'SSLStaplingMutex'], (node, { file }) => {
      return { level: 'error', ...findingFor(context, node, file) };
    });
    reportLines(context, ['WatchdogMutexPath'], () => ({
      level: 'error',
      message:
        '2.4 does not know WatchdogMutexPath: use Mutex with the type watchdog-callback, or remove the line',
    }));
  },
});

function findingFor(
  context: TransformContext,
  node: Directive,
  file: ConfigFile,
): Pick<Finding, 'safety' | 'message' | 'edits'> {
  const [argument, ...extraArguments] = node.args.map((arg) => arg.value);
  const colon = argument?.indexOf(':') ?? -1;
  const mechanism = colon < 0 ? (argument ?? '') : argument!.slice(0, colon);
  const lockFile = colon < 0 ? '' : argument!.slice(colon + 1);
  const name = node.key === 'sslmutex' ? 'SSLMutex' : 'SSLStaplingMutex';
  if (extraArguments.length === 0 && /^(?:default|yes|none|no)$/i.test(mechanism))
    return {
      safety: 'safe',
      message: /^no/i.test(mechanism)
        ? `2.4 does not know ${name}: it locks its cache when needed, which cannot be turned off`
        : `2.4 does not know ${name}: it is removed, because 2.4 uses the default without it`,
      edits: [removeLineAndComment(context, file.document, node, ABOUT)],
    };
  if (extraArguments.length === 0 && /^file$/i.test(mechanism) && isUsualPlace(lockFile))
    return {
      safety: 'safe',
      message: `2.4 does not know ${name}: it is removed, because 2.4 has a lock of its own in DefaultRuntimeDir`,
      edits: [removeLineAndComment(context, file.document, node, ABOUT)],
    };
  const lacksFile = needsFile(mechanism) && lockFile === '';
  if (extraArguments.length > 0 || !isMechanism(mechanism) || lacksFile)
    return {
      safety: 'manual',
      message: `2.4 does not know ${name}: use Mutex, or remove the line`,
      edits: [],
    };
  const assumed = needsFile(mechanism)
    ? '; this assumes that the directory exists'
    : `; remove the line unless ${mechanism} was chosen for a reason, because 2.4 has a good default`;
  return {
    safety: 'review',
    message: `${name} becomes Mutex${assumed}`,
    edits: [replaceLine(file.document, node, [mutexLine(mechanism, TYPES[node.key]!, lockFile)])],
  };
}

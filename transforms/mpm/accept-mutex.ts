import { type Place, type Server, linesOf, serversOf } from '../../src/config';
import { replaceLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { reportLines } from '../common/lines';
import { removeLineAndComment } from '../common/removed-line';
import { isMechanism, isUsualPlace, mutexLine, needsFile } from '../common/words';

/** The arguments of `<IfModule>` that leave only MPMs with an accept mutex in 2.4. */
const WITH_MUTEX =
  /^(?:prefork\.c|worker\.c|mpm_prefork_module|mpm_worker_module|!event\.c|!mpm_event_module)$/;

/** How comments of the stock files of 2.2 begin that are about AcceptMutex and LockFile. */
const ABOUT_LOCK = /^(?:AcceptMutex|LockFile|The LockFile|The accept serialization lock)\b/i;

export default defineTransform({
  id: 'accept-mutex',
  changes: ['X01', 'X02', 'X03'],
  title: 'AcceptMutex and LockFile become Mutex',
  stops: true,
  why: '2.4 has one directive for all locks, and good defaults. Its event MPM has no accept mutex and refuses a line for one.',
  docs: ['core: Mutex', 'server/util_mutex.c', 'server/mpm_common.c: ap_mpm_set_accept_lock_mech'],
  directives: ['AcceptMutex', 'LockFile'],
  run(context) {
    const servers = serversOf(context.tree);
    reportLines(context, ['AcceptMutex'], (node, place) => {
      const { file } = place;
      const [method, ...extraArguments] = node.args.map((arg) => arg.value);
      if (method !== undefined && extraArguments.length === 0 && method.toLowerCase() === 'default')
        return {
          level: 'error',
          safety: 'safe',
          message: '2.4 does not know AcceptMutex: it is removed, because 2.4 uses the default without it',
          edits: [removeLineAndComment(context, file.document, node, ABOUT_LOCK)],
        };
      if (method === undefined || extraArguments.length > 0 || !isMechanism(method))
        return { level: 'error', message: '2.4 does not know AcceptMutex: use Mutex, or remove the line' };
      const mutex = mutexLine(method, 'mpm-accept', lockFile(servers.of(place)));
      const guarded = isGuarded(place);
      const lines = guarded ? [mutex] : ['<IfModule !mpm_event_module>', `    ${mutex}`, '</IfModule>'];
      return {
        level: 'error',
        safety: 'review',
        message: `AcceptMutex ${method} becomes Mutex${guarded ? '' : ', for all MPMs except event, which has no accept mutex'}; remove the line unless ${method} was chosen for a reason, because 2.4 has a good default`,
        edits: [replaceLine(file.document, node, lines)],
      };
    });
    const uses = new Map<Server, boolean>();
    reportLines(context, ['LockFile'], (node, place) => {
      const { file } = place;
      const server = servers.of(place);
      const isUsed = uses.get(server) ?? usesLockFile(server);
      uses.set(server, isUsed);
      const isUsual = !isUsed && isUsualPlace(node.args[0]?.value ?? '');
      return {
        level: 'error',
        safety: isUsual ? 'safe' : 'review',
        message: isUsed
          ? '2.4 does not know LockFile: its directory goes into the Mutex line; this assumes that the directory exists'
          : isUsual
            ? '2.4 does not know LockFile: it is removed, because 2.4 creates lock files in DefaultRuntimeDir'
            : '2.4 does not know LockFile: it creates lock files in DefaultRuntimeDir; this assumes that DefaultRuntimeDir is on a local disk',
        edits: [removeLineAndComment(context, file.document, node, ABOUT_LOCK)],
      };
    });
  },
});

function lockFile(server: Server): string | undefined {
  return linesOf(server, ['LockFile']).at(-1)?.node.args[0]?.value;
}

function usesLockFile(server: Server): boolean {
  return linesOf(server, ['AcceptMutex']).some(
    ({ node: { args } }) => args[0] !== undefined && needsFile(args[0].value),
  );
}

/** Whether an `<IfModule>` around it already excludes the event MPM. */
function isGuarded({ chain }: Place): boolean {
  return chain.some(
    ({ section }) => section.key === 'ifmodule' && WITH_MUTEX.test(section.args[0]?.value ?? ''),
  );
}

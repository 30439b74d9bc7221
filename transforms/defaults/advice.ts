import { lastInForce, linesOf } from '../../src/config';
import type { Transform } from '../../src/engine';
import { sinceRelease } from '../../src/httpd/facts';
import { type Advice, advice } from '../shared/advice';

/** What a regular expression has that looks for line ends. */
const LINE_ENDS = /\\n|\(\?[a-z]*[ms][a-z]*[:)]/;

/** Changes that no rewrite can meet: a person is told where the configuration has the thing. */
const advices: readonly Advice[] = [
  {
    id: 'auth-digest-client-without-qop',
    seed: ['A10'],
    title: 'Digest clients without a qop',
    why: 'Since 2.4.69 a Digest answer must name its qop: clients of RFC 2069, which do not, are turned away. Only very old ones and scripts are left of them.',
    docs: ['mod_auth_digest: AuthDigestQop', 'modules/aaa/mod_auth_digest.c: authenticate_digest_user'],
    names: ['AuthType'],
    once: true,
    fact: 'auth-digest-needs-qop',
    tell: ({ args }) =>
      args[0]?.value.toLowerCase() === 'digest'
        ? {
            level: 'info',
            message: `${sinceRelease('auth-digest-needs-qop')} Digest clients that send no qop (RFC 2069: very old ones, and some scripts) do not get in`,
          }
        : undefined,
  },
  {
    id: 'cookie-in-log-format',
    seed: ['L06'],
    title: 'Cookies in log formats',
    why: 'Early releases of 2.2 logged for %{name}C the first cookie whose name ends in that; 2.4 looks for the whole name.',
    docs: ['mod_log_config: Custom Log Formats', 'modules/loggers/mod_log_config.c: log_cookie'],
    names: ['CustomLog', 'LogFormat'],
    tell: (node) => {
      if (!node.rest.includes('}C')) return undefined;
      const format = node.args.find(({ value }) => /%[^a-zA-Z%{]*\{[^}]+\}C/.test(value))?.value;
      const name = format === undefined ? undefined : /\{([^}]+)\}C/.exec(format)?.[1];
      return name === undefined
        ? undefined
        : {
            level: 'info',
            message: `2.4 logs the cookie ${name} only; early releases of 2.2 took any whose name ends in that`,
          };
    },
  },
  {
    id: 'log-level-debug',
    seed: ['L09'],
    title: 'LogLevel info and debug say less',
    why: '2.4 moved much of what mod_ssl and mod_proxy wrote at info and debug to the levels trace1 to trace8, and gave each message a number (AH00000).',
    docs: ['core: LogLevel'],
    names: ['LogLevel'],
    tell: (node, place, servers) => {
      if (node.args.length !== 1 || !/^(?:info|debug)$/i.test(node.args[0]!.value)) return undefined;
      const uses = linesOf(servers.of(place), ['ProxyPass', 'ProxyRequests', 'SSLEngine']);
      return uses.length === 0
        ? undefined
        : {
            level: 'info',
            message: `what mod_ssl and mod_proxy wrote at ${node.args[0]!.value} is at trace1 to trace8 in 2.4: a monitor that reads it may need "LogLevel ${node.args[0]!.value} ssl:trace1"`,
          };
    },
  },
  {
    id: 'regex-newline',
    seed: ['C28'],
    title: 'Regular expressions that look for line ends',
    why: 'Since 2.4.30 a dot matches line ends too, and $ no longer matches before a last one. RegexDefaultOptions -DOTALL -DOLLAR_ENDONLY brings the old way back.',
    docs: ['core: RegexDefaultOptions'],
    names: ['AliasMatch', 'RedirectMatch', 'RewriteCond', 'RewriteRule', 'SetEnvIf', 'SetEnvIfNoCase'],
    tell: (node) =>
      LINE_ENDS.test(node.rest) && node.args.some(({ value }) => LINE_ENDS.test(value))
        ? {
            level: 'info',
            message:
              'this regular expression looks for line ends: since 2.4.30 a dot matches them, and $ does not match before a last one (RegexDefaultOptions)',
          }
        : undefined,
  },
  {
    id: 'request-header-underscore',
    seed: ['C33'],
    title: 'Request headers that programs do not see',
    why: '2.4 gives CGI programs only headers with letters, digits and hyphens in their names; 2.2 turned every other character into an underscore.',
    docs: ['env: Environment Variables and CGI', 'server/util_script.c: ap_add_common_vars'],
    names: ['RequestHeader'],
    tell: ({ args }) => {
      const [action, name] = args.map(({ value }) => value);
      return name !== undefined &&
        /^(?:add|append|merge|set)$/i.test(action!) &&
        !/^[A-Za-z0-9-]+:?$/.test(name)
        ? {
            level: 'warning',
            message: `CGI programs no longer see the header ${name}: its name may hold letters, digits and hyphens only`,
          }
        : undefined;
    },
  },
  {
    id: 'set-env-equals',
    seed: ['C32'],
    title: 'SetEnv with an equals sign',
    why: 'SetEnv takes a name and a value; 2.4 warns where the name holds an equals sign.',
    docs: ['mod_env: SetEnv', 'modules/metadata/mod_env.c: add_env_module_vars_set'],
    names: ['SetEnv'],
    tell: ({ args }) =>
      args[0]?.value.includes('=') === true
        ? {
            level: 'info',
            message: `2.4 warns that the name of this variable is ${args[0].value}, with the equals sign in it`,
          }
        : undefined,
  },
  {
    id: 'substitute-in-htaccess',
    seed: ['C37'],
    title: 'Substitute in a .htaccess needs AllowOverride FileInfo',
    why: 'In 2.2 any AllowOverride class let a .htaccess say Substitute; 2.4 wants FileInfo.',
    docs: ['mod_substitute: Substitute'],
    names: ['Substitute'],
    tell: (_, { root }, servers) =>
      root.role === 'htaccess' && servers.main?.whole === true
        ? {
            level: 'warning',
            message:
              '2.4 answers 500 here unless AllowOverride has FileInfo (or All); in 2.2 any class would do',
          }
        : undefined,
  },
  {
    id: 'suexec-user-group',
    seed: ['C35'],
    title: 'SuexecUserGroup without suexec',
    why: '2.2 warned when suexec was not there; 2.4 does not start.',
    docs: ['mod_suexec: SuexecUserGroup', 'modules/generators/mod_suexec.c: set_suexec_ugid'],
    names: ['SuexecUserGroup'],
    tell: () => ({
      level: 'info',
      message:
        '2.4 does not start where suexec is not there, or not owned by root with the setuid bit; 2.2 only warned',
    }),
  },
  {
    id: 'user-dir-merged',
    seed: ['C36'],
    title: 'UserDir in the main server and in a virtual host',
    why: 'Early releases of 2.2 forgot the UserDir of the main server where a virtual host had one; 2.4 takes the directory and "disabled" from it where the virtual host does not say them.',
    docs: ['mod_userdir: UserDir', 'modules/mappers/mod_userdir.c: merge_userdir_config'],
    names: ['UserDir'],
    tell: (_, place, servers) => {
      const { parent } = servers.of(place);
      const outer = parent === undefined ? undefined : lastInForce(parent, ['UserDir']);
      return outer === undefined
        ? undefined
        : {
            level: 'info',
            message: `2.4 adds what the main server says (UserDir ${outer.node.rest}), which early releases of 2.2 did not`,
          };
    },
  },
];

export const adviceTransforms: readonly Transform[] = advices.map(advice);

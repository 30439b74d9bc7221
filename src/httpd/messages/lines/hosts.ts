import { type GivenLine, type GivenLines, type GivenSection, hostOf, isInDirectory } from './given-lines';
import { ALWAYS, type Finder } from './finder';

/** A URL of a backend in a line. */
interface Backend {
  readonly line: GivenLine;
  readonly scheme: string;
  readonly server: string;
  readonly port: string;
}

const PORTS: Readonly<Record<string, string>> = {
  __proto__: null!,
  http: '80',
  ws: '80',
  https: '443',
  wss: '443',
};

function backendsOf({ all }: GivenLines): Backend[] {
  return all.flatMap((line) => {
    if (!/^(?:proxypass(?:match)?|balancermember|rewriterule)$/.test(line.name)) return [];
    if (line.name === 'rewriterule' && !/\[(?:[^\]]*,)?(?:P|proxy)[,\]]/i.test(line.text)) return [];
    const [, scheme = '', server = '', port] =
      /[ "'](https?|wss?):\/\/([\w.-]+)(?::(\d+))?/i.exec(line.text) ?? [];
    const kind = scheme.toLowerCase();
    return scheme === ''
      ? []
      : [
          {
            line,
            scheme: kind,
            server: server.replace(/^(?:127\.0\.0\.1|\[::1\])$/, 'localhost'),
            port: port ?? PORTS[kind]!,
          },
        ];
  });
}

const isSecure = ({ scheme }: Backend): boolean => scheme === 'https' || scheme === 'wss';

/** One port of a backend that is asked with TLS and without. */
function oneWithTls(given: GivenLines): string | undefined {
  const all = backendsOf(given);
  const socket = all.find(({ scheme }) => scheme.startsWith('ws'));
  const web = all.find(
    ({ scheme, server, port }) =>
      scheme.startsWith('http') && server === socket?.server && port === socket.port,
  );
  if (socket === undefined || web === undefined || isSecure(socket) === isSecure(web)) return undefined;
  const wanted = isSecure(web) ? 'wss' : 'ws';
  return `write \`${wanted}://\` in place of \`${socket.scheme}://\`: the other lines ask the same port by ${web.scheme}:, and a port speaks ${isSecure(web) ? 'TLS, or it does not' : 'TLS, or plain text as here'}. What the browser speaks with httpd does not count there. It needs mod_proxy_wstunnel (since 2.4.47 ProxyPass with \`upgrade=websocket\` does it by mod_proxy_http)`;
}

/** A backend by https: in a host that speaks no TLS with backends. */
function noTlsToBackend(given: GivenLines): string | undefined {
  if (given.isElided || /^(?:SSLProxyEngine|Include\w*|Use) /im.test(given.text)) return undefined;
  return backendsOf(given).some((backend) => isSecure(backend) && hostOf(backend.line)?.isClosed === true)
    ? 'write `SSLProxyEngine On` into the <VirtualHost>, and load mod_ssl: without it httpd speaks no TLS with a backend by https: (in its error log AH00961 or AH01961), and answers 500'
    : undefined;
}

const isCovered = (path: string, by: string): boolean =>
  path !== by && path.startsWith(by.endsWith('/') ? by : `${by}/`);

/** A path behind one that covers it, where the first that fits counts. */
function generalFirst({ all }: GivenLines): string | undefined {
  const before: { kind: string; host: GivenSection | undefined; path: string }[] = [];
  for (const line of all) {
    const kind = /^(?:(proxypass)|(?:script)?(alias)|(redirect)(?:permanent|temp)?)$/
      .exec(line.name)
      ?.slice(1)
      .join('');
    if (kind === undefined || isInDirectory(line) || line.isConditional) continue;
    const path = line.words.find((word) => word.startsWith('/'));
    if (path === undefined || line.words.length < 2) continue;
    const host = hostOf(line);
    const first = before.find(
      (other) => other.kind === kind && other.host === host && isCovered(path, other.path),
    );
    if (first !== undefined)
      return `put the line of ${path} before that of ${first.path}: of several ${DIRECTIVES[kind]} lines the first that fits counts, and ${first.path} covers ${path}`;
    before.push({ kind, host, path });
  }
  return undefined;
}

const DIRECTIVES: Readonly<Record<string, string>> = {
  __proto__: null!,
  proxypass: 'ProxyPass',
  alias: 'Alias',
  redirect: 'Redirect',
};

/** ProxyPassReverse for another port than that of ProxyPass. */
function otherPort({ all }: GivenLines): string | undefined {
  const targetOf = ({ words }: GivenLine): RegExpExecArray | null =>
    /^(https?:\/\/[\w.-]+)(:\d+)?(?:\/|$)/i.exec(words.find((word) => /^https?:/i.test(word)) ?? '');
  const targets = all.filter(({ name }) => /^proxypass(?:match)?$/.test(name)).map(targetOf);
  for (const line of all.filter(({ name }) => name === 'proxypassreverse')) {
    const back = targetOf(line);
    const same = targets.filter((target) => target?.[1] === back?.[1]);
    if (back !== null && same.length > 0 && same.every((target) => target?.[2] !== back[2]))
      return `write into ProxyPassReverse the URL of ProxyPass (${same[0]![1]}${same[0]![2] ?? ''}): it changes redirects that begin with its own URL alone, and that has another port`;
  }
  return undefined;
}

/** Names that one line gives and another takes, where none of them is the same. */
const NAMES: readonly (readonly [given: RegExp, taken: RegExp, remedy: string])[] = [
  [
    /^WSGIDaemonProcess ["']?([\w.:-]+)/gim,
    /^WSGIProcessGroup ["']?([\w.:-]+)|\bprocess-group=([\w.:-]+)/gim,
    'write one name into WSGIDaemonProcess and WSGIProcessGroup',
  ],
  [
    /^<Proxy ["']?balancer:\/\/([\w.-]+)/gim,
    /^(?:ProxyPass|RewriteRule|SetHandler)\w* .*balancer:\/\/([\w.-]+)/gim,
    'write one name into <Proxy balancer://…> and the line that leads to it',
  ],
];

function otherName({ text, isElided }: GivenLines): string | undefined {
  if (isElided) return undefined;
  for (const [given, taken, remedy] of NAMES) {
    const known = [...text.matchAll(given)].map(([, name = '']) => name.toLowerCase());
    const asked = [...text.matchAll(taken)].map(([, name, other]) => name ?? other ?? '');
    const lost = asked.find((name) => !known.includes(name.toLowerCase()));
    if (lost !== undefined && known.length > 0)
      return `${remedy}: no line here gives the name ${lost}, but ${known.join(', ')}`;
  }
  return undefined;
}

const TLS_PORT = /:443\b/;

/** A host that sends everybody to itself. */
function redirectToItself({ all }: GivenLines): string | undefined {
  for (const line of all) {
    const host = hostOf(line);
    if (host === undefined || isInDirectory(line) || !/^redirect(?:permanent|temp)?$/.test(line.name))
      continue;
    const beside = all.filter((other) => hostOf(other) === host);
    const names = beside
      .filter(({ name }) => /^server(?:name|alias)$/.test(name))
      .flatMap(({ words }) => words);
    const isTls = TLS_PORT.test(host.argument) || beside.some(({ text }) => /^SSLEngine on$/i.test(text));
    const scheme = isTls ? 'https' : 'http';
    const [, to = ''] = /^(https?:\/\/[^/]+)\/?$/i.exec(line.words.at(-1) ?? '') ?? [];
    if (
      line.words.at(-2) === '/' &&
      names.some((name) => to.toLowerCase() === `${scheme}://${name.toLowerCase()}`)
    )
      return `take \`${line.text}\` out of <VirtualHost ${host.argument}>, and write it into that of ${isTls ? 'port 80' : 'the other name'} alone: here it sends everybody to the URL that was asked for, without end`;
  }
  return undefined;
}

/** TLS at the port of http:. */
function tlsAtPort80({ all }: GivenLines): string | undefined {
  return all.some(
    (line) => /^SSLEngine on$/i.test(line.text) && /^\S+:80$/.test(hostOf(line)?.argument ?? ''),
  )
    ? 'take `SSLEngine On` out of <VirtualHost …:80>, or give that the port 443 (with `Listen 443`): a port speaks TLS or plain http:, and browsers ask 80 without TLS, which is then a 400 ("speaking plain HTTP to an SSL-enabled server port")'
    : undefined;
}

/** One port that is opened twice. */
function listenTwice({ all }: GivenLines): string | undefined {
  const ports = all
    .filter(({ name, isConditional }) => name === 'listen' && !isConditional)
    .map(({ words }) => (words[0] ?? '').replace(/^(?:0\.0\.0\.0|\*|\[::\]):/, ''));
  const twice = ports.find((port, i) => /^\d+$/.test(port) && ports.indexOf(port) < i);
  return twice === undefined
    ? undefined
    : `leave one \`Listen ${twice}\` line: httpd does not start where a port is opened twice ("Address already in use", or "multiple Listeners on the same IP:port")`;
}

const REDIRECT =
  /\b(?:redirect\w*|loops?|too many|prox\w*|alias\w*|40[04]|50[0234]|instead|wrong|still|ignor\w*|not work\w*|n.t work|never|no effect|always|goes?|sent|serv\w+|not found|cert\w*|static|css|api)\b/i;

/** What lines of virtual hosts, proxies and paths say together. */
export const HOST_LINES: readonly Finder[] = [
  { finds: listenTwice, about: ALWAYS },
  { finds: otherName, about: ALWAYS },
  { finds: tlsAtPort80, about: ALWAYS },
  { finds: redirectToItself, about: ALWAYS },
  { finds: oneWithTls, about: /\bweb ?sockets?\b|\bwss?\b/i },
  { finds: noTlsToBackend, about: /\b50\d\b|\berrors?\b|\bfail\w*|\bnot work/i },
  { finds: generalFirst, about: REDIRECT },
  { finds: otherPort, about: /\bredirect\w*|\bports?\b|\blocation\b/i },
];

import { type Place, type Server, hostAround, linesOf, serversOf } from '../../src/config';
import { type Edit, appendArguments, insertAfter, insertAt } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';
import { sslServers } from '../common/servers';

const OPTION = '+LegacyDNStringFormat';
const RESTORES_FORMAT = `SSLOptions ${OPTION} restores the old one`;

export default defineTransform({
  id: 'ssl-dn-format',
  changes: ['S07'],
  title: 'SSL_CLIENT_S_DN and similar variables have another format',
  why: '2.2 gives the names in certificates as /C=XX/O=Org/CN=Name, 2.4 as CN=Name,O=Org,C=XX. This affects everything that compares, logs or passes on SSL_CLIENT_S_DN, SSL_CLIENT_I_DN, SSL_SERVER_S_DN or SSL_SERVER_I_DN; variables for one part of a name (SSL_CLIENT_S_DN_CN) are unchanged.',
  docs: ['mod_ssl: SSLOptions', 'modules/ssl/ssl_engine_vars.c: ssl_var_lookup_ssl_cert_dn_oneline'],
  directives: ['SSLOptions'],
  servesAccessFiles: true,
  run(context) {
    const uses = findUses(context);
    // CGI programs get the names of a client only if the client shows a certificate, and those of the server always.
    const isReadAnywhere = uses.length > 0 || asksForCertificates(context) || context.pinDefaults === true;
    let isServerNameTold = false;
    context.directives(['SSLOptions'], (node, place) => {
      if (!isCarriedOver(place) || hasOption(node)) return;
      // The virtual host around a part of a server may ask for certificates; one that is there has its own line for that.
      const isRead = isReadAnywhere || (!context.tree.isServer && hostAround(place.chain) === undefined);
      if (!isRead && !isServerNameTold && exportsVariables(node) && !isWrittenFor24(context, place)) {
        isServerNameTold = true;
        tellOfServerName(context, node, place);
      }
      // A word without a sign resets the options of the sections around it.
      const resetsOptions = node.args.some(({ value }) => !/^[+-]/.test(value));
      if ((isRead && exportsVariables(node)) || (resetsOptions && uses.length > 0))
        append(context, node, place);
    });
    if (uses.length > 0) addOption(context, uses);
  },
});

function asksForCertificates({ index }: TransformContext): boolean {
  return index.someDirective(
    ['SSLVerifyClient'],
    ({ args }, place) => args[0]?.value.toLowerCase() !== 'none' && isCarriedOver(place),
  );
}

interface VariableUse {
  readonly node: Directive;
  readonly place: Place;
}

/** Directives that name a variable whose format changed. */
function findUses(context: TransformContext): VariableUse[] {
  const pattern = /\bssl_(?:client|server)_[si]_dn(?![a-z0-9_])/;
  const { tree, index } = context;
  if (!tree.files.some(({ document }) => pattern.test(document.text.toLowerCase()))) return [];
  const uses: VariableUse[] = [];
  context.directives([...index.names], (node, place) => {
    if (pattern.test(node.rest.toLowerCase()) && isCarriedOver(place)) uses.push({ node, place });
  });
  return uses;
}

/** Adds the option to every server with SSL; if the run has none, to the places that use the variables. */
function addOption(context: TransformContext, uses: readonly VariableUse[]): void {
  const servers = serversOf(context.tree);
  const targets = sslServers(servers);
  for (const { server, engine } of targets) {
    const { node, place } = engine;
    const options = linesOf(server, ['SSLOptions']).filter((line) => isCarriedOver(line.place));
    if (setsOption(server)) continue;
    const last = options.at(-1);
    if (last !== undefined) append(context, last.node, last.place);
    else
      report(context, node, place, RESTORES_FORMAT, [
        insertAfter(place.file.document, node, [`SSLOptions ${OPTION}`]),
      ]);
  }
  if (targets.length > 0) return;
  const doneBodies = new Set<unknown>();
  const done = sectionsWithOption(context);
  for (const { node, place } of uses) {
    const body = place.chain.at(-1)?.section ?? place.file;
    if (
      doneBodies.has(body) ||
      setsOption(servers.of(place)) ||
      place.chain.some(({ section }) => done.has(section))
    )
      continue;
    doneBodies.add(body);
    const assumption = place.root.role === 'htaccess' ? 'AllowOverride allows Options' : 'mod_ssl is loaded';
    report(
      context,
      node,
      place,
      RESTORES_FORMAT,
      [insertAt(place.file.document, { node, side: 'before' }, [`SSLOptions ${OPTION}`])],
      assumption,
    );
  }
}

/** Programs seldom look at the name of their own server: the option is written only where the defaults of 2.2 are asked for. */
function tellOfServerName({ report: add }: TransformContext, node: Directive, { file }: Place): void {
  add({
    file,
    at: node.from,
    level: 'info',
    message: `programs get the name in the server's own certificate (SSL_SERVER_S_DN, SSL_SERVER_I_DN) in another format in 2.4: if one reads it, ${RESTORES_FORMAT} (--pin-defaults writes it)`,
  });
}

function append(context: TransformContext, node: Directive, place: Place): void {
  report(context, node, place, `${OPTION} restores the old one`, [
    appendArguments(place.file.document, node, [OPTION]),
  ]);
}

/** @param assumed what the edits assume */
function report(
  context: TransformContext,
  node: Directive,
  place: Place,
  remedy: string,
  edits: readonly Edit[],
  assumed?: string,
): void {
  const isFor24 = isWrittenFor24(context, place);
  const isPartial = isPartOfServer(context, place);
  const assumptions = assumed === undefined ? [] : [assumed];
  if (isPartial && !isFor24) assumptions.push('the server that this belongs to is not set up for 2.4 yet');
  const assumptionText =
    assumptions.length === 0 ? '' : `; this assumes that ${assumptions.join(' and that ')}`;
  const message = `names in certificates (SSL_CLIENT_S_DN, ...) have another format in 2.4; ${remedy}${assumptionText}`;
  const safety = isPartial || assumed !== undefined ? 'review' : 'safe';
  const finding = { file: place.file, at: node.from, level: 'warning', safety, message, edits } as const;
  if (!isFor24) context.report(finding);
  // In the other format, comparisons with a whole name have another result.
  else context.report({ ...asWrittenFor24(finding), level: exportsVariables(node) ? 'info' : 'warning' });
}

/** Whether the run does not see the whole server that a line belongs to. */
const isPartOfServer = (context: TransformContext, { root }: Place): boolean =>
  root.role === 'unreached' || serversOf(context.tree).main?.whole !== true;

const hasOption = (node: Directive): boolean =>
  node.args.some(({ value }) => /^[+-]?legacydnstringformat$/i.test(value));

/** StdEnvVars passes the names to CGI programs and server-side includes. */
const exportsVariables = (node: Directive): boolean =>
  node.args.some(({ value }) => /^\+?stdenvvars$/i.test(value));

function setsOption(server: Server): boolean {
  return server.lines.some(
    ({ node }) => node.kind === 'directive' && node.key === 'ssloptions' && hasOption(node),
  );
}

/** The sections that have the option already, in their own text or in what they include. */
function sectionsWithOption(context: TransformContext): ReadonlySet<Section> {
  const found = new Set<Section>();
  context.directives(['SSLOptions'], (node, { chain }) => {
    if (hasOption(node)) for (const { section } of chain) found.add(section);
  });
  return found;
}

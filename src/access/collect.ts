import { type ConfigFile, type ConfigTree, type Frame, type Place, visitTree } from '../config';
import type { Directive, Node, Section } from '../syntax';
import type { Collected, Misplaced } from './collected';
import { ALL_METHODS, methodMask } from './methods';
import { plus, shared, withOne } from './lists';
import { Mapping } from './mapping';
import { placeAccessFiles } from './placing';
import { type LineSpot, addLine, setsState } from './lines';
import { normalisePath } from './paths';
import { guardOf, lackedBy } from './guards';
import { OwnPolicyBuilder } from './own';
import { type ReadCondition, type Reading, conditionUnder, meet } from './reading';
import { moduleIdentifier } from './requires';
import { type Role, roleOf } from './role';
import { governed, noteDeadRegex, noteSlashes, patternOf } from './sections';
import { SslLines } from './ssl';
import { isTemplate, noteTemplates } from './template';
import { negatesTwice } from './tree24';
import { type Scope, type ScopeIdentity, newScope } from './scope';
import { CONDITIONALS, CONTAINERS, HOLDS_FILES, PER_REQUEST, SCOPES } from './sectionnames';
import { configTests, noteConditions, settleConditionals } from './undecided';

/** Where a chain of sections puts its lines. */
interface Spot extends Omit<LineSpot, 'file'> {
  inFile?: LineSpot;
  readonly scopes: readonly Scope[];
  readonly perRequest: boolean;
  /** Modules that the guards around it ask for. */
  readonly assumes: readonly string[];
  /** A guard around it that asks for a module of which it cannot be told whether 2.2 had it. */
  readonly lacked: Section | undefined;
}

const UNKNOWN: ReadCondition = { before: undefined, after: undefined };

const known: Record<Reading, WeakMap<ConfigTree, Collected>> = {
  '2.2': new WeakMap(),
  compat: new WeakMap(),
};

/** Walks the tree, once however often it is asked for, and files every line under the section it stands in. */
export function collect(tree: ConfigTree, reading: Reading = '2.2'): Collected {
  let collected = known[reading].get(tree);
  if (collected === undefined) known[reading].set(tree, (collected = collectTree(tree, reading)));
  return collected;
}

function collectTree(tree: ConfigTree, reading: Reading): Collected {
  const spots = new Map<readonly Frame[], Spot>();
  const rootSpots = new Map<unknown, Spot>();
  const byKey = new Map<string, Scope>();
  const scopes: Scope[] = [];
  const builders = new Map<Scope, OwnPolicyBuilder>();
  const ids = new Map<object, number>();
  const misplaced: Misplaced[] = [];
  const templates = new Map<Scope, Node[]>();
  let conditional: Collected['perRequest'];
  const loadModules: string[] = [];
  const ssl = new SslLines();
  const servedPaths: string[] = [];
  let merges = true;
  const named: string[] = [];
  const mapping = new Mapping(named);
  const roles = new Map<string, Role>();
  const idOf = (object: object): number => {
    let id = ids.get(object);
    if (id === undefined) ids.set(object, (id = ids.size));
    return id;
  };
  const scopeFor = (key: string, make: () => ScopeIdentity): Scope => {
    let scope = byKey.get(key);
    if (scope === undefined) {
      scope = newScope(make());
      byKey.set(key, scope);
      scopes.push(scope);
    }
    return scope;
  };
  const spotOf = (place: Place): Spot => {
    const { chain, root } = place;
    const made = chain.length === 0 ? rootSpots.get(root) : spots.get(chain);
    if (made !== undefined) return made;
    const spot = makeSpot(place);
    if (chain.length === 0) rootSpots.set(root, spot);
    else spots.set(chain, spot);
    return spot;
  };
  const makeSpot = (place: Place): Spot => {
    const { chain, root } = place;
    let key = `${idOf(root)}`;
    const homes = governed(root);
    named.push(...homes);
    let current: Scope[] = homes.map((path) =>
      scopeFor(`${key}@${path}`, () => ({
        kind: 'htaccess',
        pattern: { kind: 'path', path: normalisePath(path) },
        file: root,
        place,
        section: undefined,
        vhost: undefined,
        parent: undefined,
        order: scopes.length,
        reading,
      })),
    );
    let inner: Frame[] = [];
    let vhost: Section | undefined;
    let mask = ALL_METHODS;
    let nestedLimit = false;
    let condition: ReadCondition = { before: true, after: true };
    let undecided: Section[] = [];
    const outer: Section[] = [];
    let perRequest = false;
    let container: Section | undefined;
    const assumes: string[] = [];
    let lacked: Section | undefined;
    for (const frame of chain) {
      const { section, file } = frame;
      const name = section.key;
      key += `/${idOf(section)}`;
      const kind = name === 'directory' && section.args[0]?.value === '~' ? 'directory-match' : SCOPES[name];
      if (kind !== undefined) {
        const scopeKey = key;
        outer.push(...undecided);
        const make = (parent: Scope | undefined, suffix: string): Scope =>
          scopeFor(scopeKey + suffix, () => ({
            kind,
            pattern: patternOf(kind, section, tree),
            file,
            place,
            section,
            vhost,
            parent,
            order: scopes.length,
            reading,
          }));
        const [holder] = current;
        const wrong =
          mask !== ALL_METHODS ||
          (holder !== undefined && (kind !== 'files' || !HOLDS_FILES.has(holder.kind)));
        current =
          current.length > 0 && kind === 'files'
            ? current.map((parent, i) => make(parent, `#${i}`))
            : [make(undefined, '')];
        for (const scope of current) {
          scope.outer = configTests(outer);
          if (scope.conditions.length === 0) noteConditions(scope, outer);
          if (wrong && scope.problems.length === 0)
            scope.problems = plus(scope.problems, {
              node: section,
              message: `httpd refuses <${section.name}> in this place`,
            });
          if (kind === 'directory-match' && reading === '2.2') noteDeadRegex(scope, section);
        }
        inner = [];
        undecided = [];
        continue;
      }
      if (current.length > 0) inner.push(frame);
      if (name === 'virtualhost') vhost = section;
      else if (name === 'limit' || name === 'limitexcept') {
        nestedLimit ||= mask !== ALL_METHODS;
        mask = methodMask(section.args.map((arg) => arg.value), name === 'limitexcept'); // prettier-ignore
      } else if (CONTAINERS.has(name)) container = section;
      else if (PER_REQUEST.has(name)) perRequest = true;
      else if (CONDITIONALS.has(name)) {
        const guard = guardOf(section);
        if (guard?.negated === false) assumes.push(guard.identifier);
        const lack = lackedBy(section, loadModules);
        if (lack !== undefined) lacked ??= section;
        const one = lack === undefined ? conditionUnder(section, tree.defines, reading) : UNKNOWN;
        condition = { before: meet(condition.before, one.before), after: meet(condition.after, one.after) };
        if (one.before === undefined || (one.after === undefined && one.before)) undecided.push(section);
      }
    }
    return {
      scopes: current,
      inner: shared(inner),
      mask,
      nestedLimit,
      condition,
      undecided: shared(undecided),
      outer: shared(outer),
      perRequest,
      container,
      assumes: shared(assumes),
      lacked,
    };
  };

  visitTree(tree, (node: Node, place: Place) => {
    if (place.chain.length > 0 && isTemplate(node))
      for (const scope of spotOf(place).scopes) {
        const lines = templates.get(scope);
        if (lines === undefined) templates.set(scope, [node]);
        else lines.push(node);
      }
    if (node.kind === 'section') {
      if (node.key === 'directory') notePath(node.args[0]?.value);
      if (!CONTAINERS.has(node.key)) return;
    } else if (node.kind !== 'directive') return;
    const { key } = node;
    if (node.kind === 'directive') {
      let role = roles.get(key);
      if (role === undefined) roles.set(key, (role = roleOf(key)));
      if (role !== 'line') {
        if (role === 'none') return;
        if (role === 'slashes') merges = node.args[0]?.value.toLowerCase() !== 'off';
        else if (role === 'module') loadModules.push(moduleIdentifier(node));
        else if (role === 'ssl') noteSsl(node, place);
        else if (place.root.role !== 'htaccess') noteMapping(node, place);
        return;
      }
    }
    const spot = spotOf(place);
    if (spot.scopes.length === 0 || spot.perRequest) {
      if (spot.perRequest && node.kind === 'directive' && (key === 'require' || key === 'authmerging'))
        conditional ??= { node, place };
      const gone = key === 'order' || key === 'allow' || key === 'deny' || key === 'satisfy';
      if (node.kind === 'directive' && gone && spot.condition.after !== false)
        misplaced.push({ node, place, reason: spot.perRequest ? 'per-request' : 'no-section' });
      return;
    }
    for (const scope of spot.scopes) {
      let builder = builders.get(scope);
      if (builder === undefined) builders.set(scope, (builder = new OwnPolicyBuilder()));
      addLine(scope, builder, node, inFile(spot, place.file));
      for (const one of spot.assumes) scope.assumes = withOne(scope.assumes, one);
      if (spot.lacked !== undefined && node.kind === 'directive' && setsState(key))
        scope.problems = plus(scope.problems, {
          node,
          message: `<${spot.lacked.name} ${spot.lacked.open.rest}> asks for a module that no LoadModule line before it loads, so that it cannot be told which of its lines 2.2 read`,
        });
    }
  });
  for (const [scope, builder] of builders) settleConditionals(scope, builder);
  for (const scope of scopes)
    if (scope.own.authz?.tree !== undefined && negatesTwice(scope.own.authz.tree))
      scope.problems = plus(scope.problems, {
        node: scope.requires[0]!.node,
        message: 'a negation stands inside another in its Require lines',
      });
  if (merges) noteSlashes(scopes);
  ssl.settle(scopes);
  noteTemplates(scopes, templates);
  placeAccessFiles(scopes, servedPaths, tree.directories);
  return { reading, scopes, misplaced, perRequest: conditional, loadModules, ssl, servedPaths, mapping };

  function noteSsl(node: Directive, place: Place): void {
    const spot = spotOf(place);
    if (!spot.perRequest) ssl.add(node, place, inFile(spot, place.file), spot.scopes);
  }

  function noteMapping(node: Directive, place: Place): void {
    const values = node.args.map((arg) => arg.value);
    if (node.key.startsWith('proxy')) mapping.proxied = true;
    // In a Directory a rule maps within what has been reached already, or to another URL.
    if (place.chain.some(({ section }) => section.key in SCOPES)) return;
    const at = place.chain.findIndex(({ section }) => section.key === 'virtualhost');
    // A conditional around a virtual host decides whether there is one, not what it serves.
    const conditions = place.chain
      .slice(at + 1)
      .filter(({ section }) => CONDITIONALS.has(section.key))
      .map(({ section }) => conditionUnder(section, tree.defines, reading));
    if (conditions.some(({ before, after }) => before === false && after === false)) return;
    const sure = conditions.every(({ before, after }) => before === true && after === true);
    mapping.add(node.key, values, place.chain[at]?.section, sure);
    if (node.key === 'documentroot') notePath(values[0]);
    else if (node.key === 'alias' || node.key === 'scriptalias') notePath(values[1]);
  }

  function notePath(value: string | undefined): void {
    if (value === undefined || !value.startsWith('/')) return;
    servedPaths.push(normalisePath(value));
    named.push(normalisePath(value));
  }
}

/** A spot as seen from a file; most lines of a section stand in the same one. */
function inFile(spot: Spot, file: ConfigFile): LineSpot {
  if (spot.inFile?.file !== file) {
    const { inner, mask, nestedLimit, condition, undecided, outer, container } = spot;
    spot.inFile = { file, inner, mask, nestedLimit, condition, undecided, outer, container };
  }
  return spot.inFile;
}

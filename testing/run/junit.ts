import type { XmlElement } from './xml';

/** What Jenkins' junit-10.xsd allows: attributes, those required first, and the elements inside. */
const SCHEMA: Readonly<Record<string, { required: string[]; more: string[]; inside: string[] }>> = {
  testsuites: { required: [], more: ['name', 'time', 'tests', 'failures', 'errors'], inside: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    more: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    inside: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name'],
    more: ['time', 'classname', 'group'],
    inside: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { required: [], more: ['type', 'message'], inside: [] },
  error: { required: [], more: ['type', 'message'], inside: [] },
  skipped: { required: [], more: ['type', 'message'], inside: [] },
};

/** What the schema does not allow in a JUnit report: nothing in one that Jenkins reads. */
export function flaws({ name, attributes, children }: XmlElement): string[] {
  const allowed = SCHEMA[name];
  if (allowed === undefined) return [name];
  const given = Object.keys(attributes);
  return [
    ...allowed.required.filter((key) => !given.includes(key)).map((key) => `${name} lacks ${key}`),
    ...given
      .filter((key) => ![...allowed.required, ...allowed.more].includes(key))
      .map((key) => `${name} ${key}`),
    ...children
      .filter((child) => !allowed.inside.includes(child.name))
      .map((child) => `${child.name} in ${name}`),
    ...children.flatMap(flaws),
  ];
}

import fc from 'fast-check';
import { applyFindings } from '../../src/engine/apply';
import type { Finding } from '../../src/engine';
import { overlaps } from '../../src/edit';
import { convertFiles } from '../../testing/run/convert';
import { soon } from '../../testing/run/soon';

const TEXT = 'abcdefghijklmnopqrstuvwxyz\n';

function fileOf(name: string, text = TEXT.repeat(40)): Finding['file'] {
  const { tree } = convertFiles({ [`/${name}`]: text });
  return tree.files[0]!;
}

interface Proposal {
  readonly file: number;
  readonly spans: readonly (readonly [number, number, string])[];
  readonly group: number;
}

function findingOf({ file, spans, group }: Proposal, i: number, files: readonly Finding['file'][]): Finding {
  let at = 0;
  const edits = spans.map(([gap, length, text]) => {
    const start = at + gap;
    at = start + length;
    return { start, end: at, text };
  });
  return {
    rule: `r${i}`,
    file: files[file]!,
    at: 0,
    level: 'info',
    safety: 'safe',
    message: '',
    edits,
    ...(group === 0 ? {} : { group: `g${group}` }),
  };
}

const proposal = fc.record({
  file: fc.nat(1),
  spans: fc.array(fc.tuple(fc.nat(12), fc.nat(9), fc.constantFrom('', 'x')), { maxLength: 3 }),
  group: fc.nat(3),
});

describe('Findings that overlap', () => {
  const files = [fileOf('a.conf'), fileOf('b.conf')];

  test('a finding or a group is applied as a whole or not at all, and what is applied does not overlap', () => {
    fc.assert(
      fc.property(fc.array(proposal, { maxLength: 12 }), (proposals) => {
        const findings = proposals.map((proposal, i) => findingOf(proposal, i, files));
        const { outcomes } = applyFindings(findings, {});
        const applied = outcomes.filter(({ status }) => status === 'applied');
        for (const a of applied)
          for (const b of applied)
            if (a.rule !== b.rule && a.file === b.file)
              for (const first of a.edits)
                for (const second of b.edits) expect(overlaps(first, second)).toBe(false);
        for (const { group, edits, status } of outcomes)
          if (group !== undefined && edits.length > 0)
            expect(outcomes.some((o) => o.group === group && o.edits.length > 0 && o.status !== status)).toBe(
              false,
            );
        // Nothing is left out without need: each refused finding or its group meets one that stands before it.
        for (const outcome of outcomes.filter(({ status }) => status === 'not-applied'))
          expect(outcome.why).toMatch(/^it overlaps a change of r\d+$/);
      }),
    );
  });

  test('of two that overlap the earlier one is applied, and a place that is freed can be taken', () => {
    const at = (start: number, end: number, group = 0): Proposal => ({
      file: 0,
      spans: [[start, end - start, 'x']],
      group,
    });
    const proposals = [at(0, 4), at(2, 8, 1), at(6, 12), at(20, 25, 1), at(22, 30)];
    const { outcomes } = applyFindings(
      proposals.map((proposal, i) => findingOf(proposal, i, files)),
      {},
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'applied',
      'not-applied',
      'applied',
      'not-applied',
      'applied',
    ]);
  });

  test('what stands in a removal overlaps it, also where another removal in there comes first', () => {
    const proposals: Proposal[] = [
      { file: 0, spans: [[0, 12, '']], group: 0 },
      { file: 0, spans: [[2, 2, '']], group: 0 },
      { file: 0, spans: [[6, 2, 'x']], group: 0 },
    ];
    const { outcomes, plan } = applyFindings(
      proposals.map((proposal, i) => findingOf(proposal, i, files)),
      {},
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied', 'not-applied']);
    expect(plan).toHaveLength(1);
  });

  test('what needs groups is left out with any of them, and takes none with it', () => {
    const files = [fileOf('needs.conf')];
    const at = (start: number, group: number): Finding =>
      findingOf({ file: 0, spans: [[start, 2, 'x']], group }, start, files);
    const statusesWith = (takenBack: readonly string[]): string[] => {
      const findings = [at(0, 1), at(10, 2), at(20, 3), { ...at(30, 0), needs: ['g1', 'g2'] }];
      const reasons = new Map(takenBack.map((group) => [group, { kind: 'not-final' } as const]));
      return applyFindings(findings, {}, reasons).outcomes.map(({ status }) => status);
    };
    expect(statusesWith(['g2'])).toEqual(['applied', 'not-applied', 'applied', 'not-applied']);
    expect(statusesWith(['g3'])).toEqual(['applied', 'applied', 'not-applied', 'applied']);
  });

  describe('lines that 2.4 joins', () => {
    // Two backslashes end each of them: 9 bytes a line.
    const lines = Array.from({ length: 6 }, () => 'Foo ab\\\\\n');
    const file = fileOf('joined.conf', lines.join(''));
    const change = (line: number): Finding['edits'][number] => ({
      start: line * 9,
      end: line * 9 + 3,
      text: 'Bar',
    });
    const part = (line: number): Finding['edits'][number] => ({
      start: line * 9 + 8,
      end: line * 9 + 8,
      text: ' ',
    });
    const remove = (line: number): Finding['edits'][number] => ({
      start: line * 9,
      end: line * 9 + 9,
      text: '',
    });
    const findings = (all: readonly (readonly [Finding['edits'], (string | undefined)?])[]): Finding[] =>
      all.map(([edits, group], i) => ({
        rule: `r${i}`,
        file,
        at: 0,
        level: 'info',
        safety: 'safe',
        message: '',
        edits,
        ...(group !== undefined && { group }),
      }));
    const statuses = (all: readonly Finding[]): string[] =>
      applyFindings(all, {}).outcomes.map(({ status }) => status);

    test('are changed only where what parts them from the line above is applied', () => {
      const edit = fc
        .tuple(fc.constantFrom(change, part, remove), fc.nat(5))
        .map(([make, line]) => make(line));
      const edits = fc.uniqueArray(edit, {
        minLength: 1,
        maxLength: 3,
        selector: ({ start }) => Math.floor(start / 9),
      });
      const finding = fc.tuple(edits, fc.constantFrom(undefined, 'g', 'h'));
      fc.assert(
        fc.property(fc.array(finding, { minLength: 1, maxLength: 8 }), (all) => {
          const { outcomes } = applyFindings(findings(all), {});
          const applied = outcomes
            .filter(({ status }) => status === 'applied')
            .flatMap((outcome) => outcome.edits);
          for (const { start } of applied) {
            const line = Math.floor(start / 9);
            expect(
              line === 0 || applied.some((other) => other.start < line * 9 && other.end >= line * 9 - 1),
            ).toBe(true);
          }
        }),
        { numRuns: 500 },
      );
    });

    test('are left with what hangs on them, and nothing else is', () => {
      expect(statuses(findings([[[part(1)]], [[change(2)]], [[part(3)]]]))).toEqual([
        'not-applied',
        'not-applied',
        'not-applied',
      ]);
      expect(statuses(findings([[[part(0), change(4)]], [[change(1)]]]))).toEqual([
        'not-applied',
        'not-applied',
      ]);
      expect(statuses(findings([[[part(0)]], [[change(1)]], [[part(1)]], [[change(2)]]]))).toEqual(
        Array(4).fill('applied'),
      );
    });

    test('are parted by a removal also where there are others in it', () => {
      const whole = { start: 0, end: 36, text: '' };
      expect(statuses(findings([[[whole]], [[remove(1)]], [[remove(2)]], [[change(4)]]]))).toEqual(
        Array(4).fill('applied'),
      );
    });
  });

  test('takes time in proportion to the overlaps', async () => {
    const file = fileOf('large.conf', 'x'.repeat(400_000));
    const findings = Array.from({ length: 60_000 }, (_, i) =>
      findingOf({ file: 0, spans: [[Math.floor(i / 2) * 6, 4, 'x']], group: 0 }, i, [file]),
    );
    const { outcomes } = await soon(() => applyFindings(findings, {}));
    expect(outcomes.filter(({ status }) => status === 'not-applied')).toHaveLength(30_000);
  });
});

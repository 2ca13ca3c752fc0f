/** Severities: each check says in its page what sets its own, and has a table of them; queries share a ladder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { builtInChecks } from '../../checks/index.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import type { AnyClusterCheck } from '../../src/check.js';
import { packageRoot } from '../../src/files/package-root.js';
import { foundIn, judgeWorkload, problemsIn, type Recorded } from '../support/checks/workload-builders.js';
import { BY_CUSTOMER, BY_STATUS, PATTERN, WITH_SORT, totals } from '../support/queries/recorded-queries.js';

/** Tests that hold the tables of several checks. The table of any other check is in the test of its name. */
const SHARED_TABLES: Readonly<Record<string, string>> = {
  'upgrade-to-8': 'upgrades',
  'upgrade-to-9': 'upgrades',
  'missing-declared-index': 'source-evidence',
  'unindexed-query': 'source-evidence',
  'undeclared-index': 'source-evidence',
  'poor-targeting': 'workload-queries',
  'in-memory-sort': 'workload-queries',
  'case-insensitive-regex': 'workload-queries',
  'collection-scan': 'workload-queries',
};

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');

describe.each(builtInChecks)('$id', ({ id }) => {
  it('says in a line of its page what sets its severity', () => {
    expect(read(`checks/${id}.md`).match(/^\*\*Severity:\*\* \S/gm)).toHaveLength(1);
  });

  it('has a table of severities', () => {
    expect(read(`test/checks/${SHARED_TABLES[id] ?? id}.test.ts`)).toMatch(/'(?:error|warning|info)/);
  });
});

describe('a collection of 60 documents', () => {
  const sorted: Recorded = {
    command: { filter: {}, sort: { placed: -1 } },
    figures: { inMemorySorts: 1_000, ...totals(60, 60) },
  };
  const cases: readonly [AnyClusterCheck, Recorded, string][] = [
    [collectionScan, { ...BY_CUSTOMER, figures: totals(60, 20) }, 'customer_1'],
    [poorTargeting, { ...BY_STATUS, figures: totals(20, 1) }, 'status_1_number_1'],
    [inMemorySort, sorted, 'placed_-1'],
    [caseInsensitiveRegex, { ...PATTERN, figures: { keysExamined: 60_000, documentsExamined: 1_000 } }, 'mail'],
  ];

  it.each(cases)('is too small for $id to tell', (check, recorded) => {
    const [verdict, ...others] = judgeWorkload(check, { recorded: [recorded], documents: 60 });
    expect(others).toEqual([]);
    expect(verdict).toEqual({
      namespace: 'shop.orders',
      notJudged: 'too-small',
      detail: expect.stringMatching(
        /^too small to tell \(60 documents\); give expected sizes with `expect`\. Run there: find/,
      ),
    });
  });

  it.each(cases)('is judged by $id at the size that is expected', (check, recorded, path) => {
    const judgedAs = (documents: number) =>
      problemsIn(check, { recorded: [recorded], documents: 60, expected: { documents } });
    expect(judgedAs(5_000_000)).toMatchObject([
      {
        path,
        severity: check === inMemorySort ? 'warning' : 'error',
        judgedAt: { documents: 5_000_000, from: 'expect' },
      },
    ]);
    expect(judgedAs(5_000_000)[0]?.message).toMatch(/ 60 documents here, 5,000,000 expected\.$/);
    expect(judgedAs(600)).toEqual([]);
  });

  it.each(cases)('is not worth a word to $id once the index is there', (check, { command }) => {
    const served: Recorded = { command, plan: 'IXSCAN { a: 1 }', figures: totals(2, 2) };
    expect(judgeWorkload(check, { recorded: check === caseInsensitiveRegex ? [] : [served], documents: 60 })).toEqual(
      [],
    );
  });

  it('leaves open whether a search for one that finds it first would in a larger collection', () => {
    const first: Recorded = { command: { ...BY_CUSTOMER.command, limit: 1 }, figures: totals(1, 1) };
    const [verdict] = judgeWorkload(collectionScan, { recorded: [first], documents: 60 });
    expect(verdict).toMatchObject({ notJudged: 'too-small' });
    expect(
      problemsIn(collectionScan, { recorded: [first], documents: 60, expected: { documents: 5_000_000 } }),
    ).toMatchObject([{ severity: 'info', confidence: 'low' }]);
  });

  it('says nothing of a scan that is meant', () => {
    expect(
      judgeWorkload(collectionScan, { recorded: [{ ...BY_CUSTOMER, figures: totals(60, 30) }], documents: 60 }),
    ).toEqual([]);
    expect(judgeWorkload(collectionScan, { recorded: [{ command: { filter: {} } }], documents: 60 })).toEqual([]);
  });
});

describe('the severity of a query', () => {
  it.each([collectionScan, poorTargeting, inMemorySort, caseInsensitiveRegex])(
    'is the same for $id whatever else runs, and however long it takes',
    (check) => {
      const recorded =
        check === poorTargeting
          ? BY_STATUS
          : check === inMemorySort
            ? WITH_SORT
            : check === collectionScan
              ? BY_CUSTOMER
              : PATTERN;
      const slow = { ...recorded, figures: { ...recorded.figures, milliseconds: 1e7 } };
      const other: Recorded = {
        command: { filter: { _id: 1 } },
        plan: 'IDHACK',
        figures: { milliseconds: 1e9, documentsExamined: 1_000 },
      };
      const found = [[recorded], [slow], [recorded, other]].map((each) => foundIn(check, { recorded: each }));
      expect(found[0]).toHaveLength(1);
      expect(new Set(found.map(String)).size).toBe(1);
    },
  );
});

/** The orders of a customer, in the order of `_id`: a hundredth of what is examined or less. */
const examining = (examined: number, returned: number, executions = 1_000): Recorded => ({
  ...BY_STATUS,
  figures: { executions, documentsExamined: executions * examined, documentsReturned: executions * returned },
});

describe('an index that finds too much', () => {
  it.each<[string, Recorded, { documents: number; days?: number; bytes?: number }, string[]]>([
    ['walks all of a collection for a few', examining(9_160, 28), { documents: 9_160 }, ['warning']],
    ['walks a tenth of it', examining(9_160, 28), { documents: 91_600 }, ['warning']],
    ['reads one value of many, which may not grow', examining(9_160, 28), { documents: 1_000_000 }, ['info']],
    ['was tried by somebody', examining(9_160, 28, 2), { documents: 9_160, days: 1 / 24 }, ['info']],
    ['is used once a day', examining(9_160, 28, 30), { documents: 9_160 }, ['info']],
    ['returns a good part of it', examining(9_160, 2_000), { documents: 9_160 }, []],
    ['reads half of it for a hundredth of that', examining(9_160, 91), { documents: 18_000 }, ['warning']],
    ['reads all of it for a tenth', examining(9_160, 916), { documents: 9_160 }, ['warning']],
    ['reads less than half of it for a tenth of that', examining(9_160, 916), { documents: 20_000 }, ['warning']],
    ['reads less than half of it for a ninth of that', examining(9_160, 1_018), { documents: 20_000 }, []],
    ['examines few', examining(900, 1), { documents: 6_000 }, []],
    ['examines few of 8 KB', examining(900, 1), { documents: 6_000, bytes: 8_192 }, ['warning']],
  ])('%s', (_, recorded, given, expected) => {
    const found = foundIn(poorTargeting, { recorded: [recorded], ...given });
    expect(found.map((line) => line.split(' ')[0])).toEqual(expected);
  });
});

it('is not hidden by cheap queries that the same index serves', () => {
  const dear: Recorded = {
    ...BY_STATUS,
    figures: { executions: 2_000, documentsExamined: 2_000 * 1_200_000, documentsReturned: 2_000 },
  };
  const cheap: Recorded = {
    kind: 'count',
    command: { query: { status: 'open', number: 3 } },
    plan: 'IXSCAN { status: 1 }',
    figures: { executions: 7_000, documentsExamined: 7_000 * 2_000 },
  };
  const given = { documents: 5_000_000 };
  const [together] = problemsIn(poorTargeting, { recorded: [cheap, dear], ...given });
  const [alone] = problemsIn(poorTargeting, { recorded: [dear], ...given });
  expect(together).toMatchObject({ severity: alone?.severity, message: alone?.message });
  expect(problemsIn(poorTargeting, { recorded: [cheap], ...given })[0]?.severity).not.toBe(alone?.severity);
});

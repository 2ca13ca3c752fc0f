/** Pages by the last document instead of by their number, on a real server: the same documents, and no more are read. */
import { type Document, type Sort } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { deepSkip } from '../../checks/deep-skip.js';
import type { Finding, RemedyStep } from '../../src/finding.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { runShellCode } from '../support/shell-code.js';

const DOCUMENTS = 24_000;
const CITIES = 12;
/** Executions that show that an application pages. */
const ENOUGH = 3;
/** Of the printed statement. */
const PAGE = 20;
const client = sharedClient();

interface Case {
  readonly what: string;
  readonly filter: Document;
  readonly sort: Sort;
  /** Documents before the page. */
  readonly skip: number;
  readonly values: Document;
  /** Positions of the steps with a statement that creates an index, and of the one that asks for the page. */
  readonly index: number | null;
  readonly page: number;
  /** At most so many documents or keys are examined. */
  readonly examined: number;
}

const CASES: readonly Case[] = [
  { what: 'by _id', filter: {}, sort: { _id: 1 }, skip: 12_000, values: {}, index: null, page: 0, examined: 4 * PAGE },
  {
    what: 'by a field with equal values, backwards',
    filter: { shop: 1 },
    sort: { day: -1, _id: -1 },
    skip: 10_900,
    values: { shopValue: 1 },
    index: 1,
    page: 0,
    examined: 4 * PAGE,
  },
  {
    what: 'by a nested field that most share, within alternatives',
    filter: { $or: [{ shop: 1 }, { number: { $lt: 12_000 } }] },
    sort: { 'address.city': 1, _id: 1 },
    skip: 10_400,
    values: { shopValue: 1, numberTo: 12_000 },
    index: 1,
    page: 0,
    // Those of one city at most, and one more page.
    examined: DOCUMENTS / CITIES + 2 * PAGE,
  },
  {
    what: 'by two fields in two directions',
    filter: {},
    sort: { day: 1, number: -1 },
    skip: 15_000,
    values: {},
    index: 1,
    page: 0,
    examined: 4 * PAGE,
  },
  {
    what: 'by a field that some documents lack, once they have it',
    filter: {},
    sort: { rank: 1, _id: 1 },
    skip: 14_000,
    values: {},
    index: 2,
    page: 1,
    examined: 4 * PAGE,
  },
];

const storesFirst = ({ text }: RemedyStep) => /^Store one value of one type in .+ first/.test(text);

describe('range pagination on a real server', () => {
  const database = freshDatabase(client);
  const docs = database.collection('docs');

  beforeAll(async () => {
    await docs.insertMany(
      Array.from({ length: DOCUMENTS }, (_, number) => ({
        _id: number as never,
        number: (number * 7_919) % DOCUMENTS,
        shop: number % 2,
        day: (number * 31) % 365,
        address: { city: `city ${number % CITIES}` },
        ...(number % 3 > 0 && { rank: number % 400 }),
      })),
    );
    await docs.createIndexes([{ key: { shop: 1 } }]);
  });

  const recorded = async (run: () => Promise<unknown>): Promise<{ examined: number; findings: readonly Finding[] }> => {
    const { findings, entries } = await judgedRun(database, run, { only: docs, checks: [deepSkip] });
    const queries = entries.filter(({ op }) => op === 'query');
    return {
      examined: Math.max(...queries.map(({ docsExamined, keysExamined }) => Math.max(docsExamined, keysExamined))),
      findings,
    };
  };

  it.each(CASES)('$what', async ({ filter, sort, skip, values, index, page, examined }) => {
    const asked = () => docs.find(filter).sort(sort);
    let byNumber: Document[] = [];
    const before = await recorded(async () => {
      for (let times = 0; times < ENOUGH; times += 1) byNumber = await asked().skip(skip).limit(PAGE).toArray();
    });
    expect(before.findings.map(({ severity, path }) => [severity, path])).toEqual([['warning', null]]);
    const steps = before.findings[0]?.remedy.steps ?? [];
    expect(steps.filter(storesFirst)).toHaveLength(page);
    if (page > 0) {
      await docs.updateMany({ rank: null }, { $set: { rank: 0 } });
      byNumber = await asked().skip(skip).limit(PAGE).toArray();
    }
    if (index !== null) await runShellCode(client, steps[index]?.code ?? '');
    const last = await asked()
      .skip(skip - 1)
      .limit(1)
      .next();
    let byRange: unknown;
    const after = await recorded(async () => {
      for (let times = 0; times < ENOUGH; times += 1)
        byRange = await runShellCode(client, steps[page]?.code ?? '', { ...values, last });
    });
    expect(byRange).toEqual(byNumber);
    expect(before.examined).toBeGreaterThan(skip);
    expect(after.examined).toBeLessThanOrEqual(examined);
    expect(after.findings).toEqual([]);
  });
});

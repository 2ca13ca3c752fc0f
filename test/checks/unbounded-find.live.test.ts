/** Unbounded finds on a real server: the printed reads have the same results in smaller replies, and are no finding. */
import { type Document, type Sort } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { unboundedFind } from '../../checks/unbounded-find/check.js';
import type { Finding } from '../../src/finding.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { runShellCode } from '../support/shell-code.js';

const DOCUMENTS = 2_400;
const EXECUTIONS = 3;
/** Of the printed statement. */
const PAGE = 100;
const client = sharedClient();

interface Case {
  readonly what: string;
  readonly filter: Document;
  readonly sort?: Sort;
  readonly values: Document;
}

const CASES: readonly Case[] = [
  { what: 'all', filter: {}, values: {} },
  { what: 'by a value', filter: { section: 'city' }, values: { sectionValue: 'city' } },
  { what: 'by a range', filter: { number: { $gte: 600 } }, values: { numberFrom: 600 } },
  { what: 'sorted', filter: { section: 'city' }, sort: { day: -1 }, values: { sectionValue: 'city' } },
];

describe('unbounded-find on a real server', () => {
  const database = freshDatabase(client);
  const articles = database.collection('articles');

  beforeAll(async () => {
    await articles.insertMany(
      Array.from({ length: DOCUMENTS }, (_, number) => ({
        number: (number * 7_919) % DOCUMENTS,
        section: number % 2 === 0 ? 'city' : 'sport',
        day: (number * 31) % 365,
        body: `${number} `.repeat(400),
      })),
    );
    await articles.createIndexes([{ key: { section: 1 } }, { key: { number: 1 } }]);
  });

  /** What is found of reads, and the profiler's entries of them. */
  async function recorded(run: () => Promise<unknown>) {
    const ran = await judgedRun(database, run, { only: articles, checks: [unboundedFind] });
    expect(ran.skipped).toEqual([]);
    return ran;
  }

  /** Page by page, as the printed statement asks for what follows the last document. */
  async function byPages({ remedy }: Finding, values: Document): Promise<Document[]> {
    const codes = remedy.steps.flatMap(({ code }) => code ?? []);
    const page = codes.find((code) => code.includes('last[')) ?? '';
    for (const code of codes.filter((each) => each.includes('createIndex'))) await runShellCode(client, code);
    const [, order = '{}', limit = '0'] = /\.sort\((\{.*\})\)\.limit\((\d+)\)$/.exec(page) ?? [];
    const { filter } = CASES.find((each) => each.values === values)!;
    const first = await articles
      .find(filter, { projection: { body: 0 } })
      .sort(JSON.parse(order) as Sort)
      .limit(Number(limit))
      .toArray();
    const all: Document[] = [...first];
    for (let found: Document[] = first; found.length === Number(limit);) {
      found = (await runShellCode(client, page, { ...values, last: all.at(-1) })) as Document[];
      all.push(...found);
    }
    return all;
  }

  it.each(CASES)('$what', async ({ filter, sort, values }) => {
    const asked = () => (sort === undefined ? articles.find(filter) : articles.find(filter).sort(sort));
    let whole: Document[] = [];
    const before = await recorded(async () => {
      for (let run = 0; run < EXECUTIONS; run += 1) whole = await asked().toArray();
    });
    expect(before.findings).toMatchObject([{ check: 'unbounded-find', severity: 'info', path: null }]);
    const finding = before.findings[0]!;
    expect(finding.evidence['documentsReturned']).toBe(whole.length);
    const bytes = before.entries.reduce((sum, { responseLength }) => sum + Number(responseLength), 0) / EXECUTIONS;
    expect(finding.evidence['bytesReturned']).toBe(Math.round(bytes));

    let pages: Document[] = [];
    const after = await recorded(async () => {
      pages = await byPages(finding, values);
    });
    const withoutBody = whole.map(({ _id, number, section, day }) => ({ _id, number, section, day }));
    expect(byId(pages)).toEqual(byId(withoutBody));
    expect(after.findings).toEqual([]);
    const reads = after.entries.filter(({ op }) => op === 'query');
    // A page of each alternative.
    expect(Math.max(...reads.map(({ docsExamined }) => Number(docsExamined)))).toBeLessThanOrEqual(2 * PAGE);
    expect(Math.max(...reads.map(({ responseLength }) => Number(responseLength)))).toBeLessThan(bytes / 50);

    const [projected = ''] = finding.remedy.steps.flatMap(({ code }) => code ?? []);
    expect(projected).toContain('{ "body": 0 }');
    expect(byId((await runShellCode(client, projected, values)) as Document[])).toEqual(byId(withoutBody));
  });
});

function byId(documents: readonly Document[]): Document[] {
  return documents.toSorted((one, other) => String(one['_id']).localeCompare(String(other['_id'])));
}

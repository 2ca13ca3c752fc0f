import { describe, expect, it } from 'vitest';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { withSource } from '../../src/lint/with-source.js';
import { understood } from '../support/code/understood.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

const DRIVER = `import { MongoClient } from 'mongodb';
const orders = new MongoClient('').db().collection('orders');
`;
const PUSH = `orders.updateOne({ a: 1 }, { $push: { notes: 1 } });`;

/** The report on an array of `shop.orders` and on another one, with what comments in the source say. */
async function reported(text: string, skipped: ReturnType<typeof reportOf>['skipped'] = []) {
  const ofOrders = findingOf({ check: 'unbounded-array', namespace: 'shop.orders', path: 'notes' });
  const other = findingOf({ check: 'unbounded-array', namespace: 'shop.users', path: 'tags', fingerprint: 'b' });
  const report = {
    ...reportOf({ findings: [ofOrders, other], skipped }),
    checks: [{ check: 'unbounded-array', title: 'Unbounded array', judged: 2 }],
  };
  const {
    findings,
    notices = [],
    summary,
  } = withSource(report, report.findings, await understood({ 'a.ts': DRIVER + text }), () => []);
  const [first, second] = findings;
  return { first: first?.suppressed, second: second?.suppressed, notices, summary };
}

describe('a comment that ignores a check', () => {
  it('suppresses a finding of its line, or of the line below, with its reason', async () => {
    const suppressed = { by: 'src/a.ts:3', reason: 'ten at most', expires: null };
    const beside = await reported(`${PUSH} // mongolint-ignore unbounded-array: ten at most`);
    expect(beside).toMatchObject({ first: suppressed, second: undefined, notices: [], summary: { suppressed: 1 } });
    const above = await reported(`/* mongolint-ignore unbounded-array: ten at most */\n${PUSH}`);
    expect(above.first).toEqual(suppressed);
  });

  it('is reported if nothing was found there', async () => {
    for (const text of [
      `${PUSH}\n\n// mongolint-ignore unbounded-array: elsewhere`,
      `// mongolint-ignore unbounded-array: no line\n`,
    ]) {
      const { first, notices } = await reported(text);
      expect(first).toBeUndefined();
      expect(notices).toMatchObject([{ kind: 'suppression-unused' }]);
    }
  });

  it('is not reported if its check could not judge everything, or did not run', async () => {
    const skipped = [{ check: 'unbounded-array', reason: 'privilege' as const, detail: 'not authorized.' }];
    expect((await reported(`// mongolint-ignore unbounded-array: no line`, skipped)).notices).toEqual([]);
    expect((await reported(`// mongolint-ignore unused-index: no line`)).notices).toEqual([]);
  });

  it('says nothing without a reason, or of another check', async () => {
    expect((await reported(`${PUSH} // mongolint-ignore unbounded-array`)).first).toBeUndefined();
    expect((await reported(`${PUSH} // mongolint-ignore unbounded-array: <reason>`)).first).toBeUndefined();
    expect((await reported(`${PUSH} // mongolint-ignore unused-index: why`)).first).toBeUndefined();
  });
});

describe('an index that a remedy creates', () => {
  const command = { createIndexes: 'orders', indexes: [{ key: { notes: 1 }, name: 'notes_1' }] };
  const remedy = reportedRemedy({ steps: [{ text: 'Create it.', command: { db: 'shop_test', command } }] });
  const finding = findingOf({ namespace: 'shop.orders', path: 'notes', remedy });
  const steps = async (files: Readonly<Record<string, string>>) => {
    const report = reportOf({ findings: [finding] });
    return withSource(report, report.findings, await understood(files), () => []).findings[0]?.remedy;
  };

  it('is first of all to be declared, if the source has the schema', async () => {
    const model = `import { Schema, model } from 'mongoose';\nmodel('Order', new Schema({\n  notes: String,\n}));`;
    const changed = await steps({ 'm.ts': model });
    expect(changed?.steps).toEqual([
      {
        text: 'Declare it with the schema, at `src/m.ts:3`: each database that the code builds then has it. The command is for those that exist.',
        code: 'schema.index({ notes: 1 }, { name: "notes_1" });',
      },
      ...remedy.steps,
    ]);
    expect(changed?.commands).toEqual(remedy.commands);
  });

  it('stays as it is without a schema', async () => {
    expect(await steps({ 'a.ts': `${DRIVER}orders.find({ total: 1 });` })).toEqual(remedy);
  });
});

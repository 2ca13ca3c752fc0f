import { describe, expect, it } from 'vitest';
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
    expect((await reported(`${PUSH} // mongolint-ignore unused-index: why`)).first).toBeUndefined();
  });
});

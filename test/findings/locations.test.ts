import { describe, expect, it } from 'vitest';
import { FOREIGN_LINE, UNREAD_LINE } from '../../src/code/source-line.js';
import { withLocations } from '../../src/findings/locations.js';
import type { StampedFinding } from '../../src/findings/stamp.js';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { plainIndex } from '../../src/judgement/indexes/index-proposal.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import type { Operation } from '../../src/workload/workload.js';
import { understood } from '../support/code/understood.js';
import { findingOf } from '../support/report/sample-report.js';

const DRIVER = `import { MongoClient } from 'mongodb';
export const db = new MongoClient('').db();
`;
const NONE = { indexesOf: () => [], namespaces: [] };

/** "src/a.ts:3 operation", with a question mark if it is one of several. */
async function linesOf(
  files: Readonly<Record<string, string>>,
  finding: Partial<StampedFinding>,
  { indexes = [], namespaces = [] }: { indexes?: readonly IndexDescription[]; namespaces?: readonly string[] } = {},
): Promise<readonly string[]> {
  const stamped = { ...findingOf({ namespace: 'shop.orders', path: null }), ...finding } as StampedFinding;
  const [located] = withLocations([stamped], [stamped], await understood(files), {
    indexesOf: () => indexes,
    namespaces,
  });
  const named = located?.locations?.map(({ file, line, of, certain }) => `${file}:${line} ${of}${certain ? '' : '?'}`);
  return [...(named ?? []), ...(located?.furtherPlaces === undefined ? [] : [`${located.furtherPlaces} places`])];
}

function recorded(kind: 'find' | 'aggregate' | 'update', command: object): Operation {
  const shape = operationShape({ kind, namespace: 'shop.orders', command, truncated: false }, literalPlaceholder);
  return { shape, figures: {} };
}

const byStatus = { operations: [recorded('find', { filter: { status: 1 } })] };
const calls = (number: number, call: string) => Array.from({ length: number }, () => `${call};\n`).join('');

function sent(sentFrom: readonly (string | null)[]) {
  return { operations: [{ ...recorded('find', { filter: { status: 1 } }), sentFrom }] };
}

function pushing(notes: string) {
  return understood({
    'a.ts': `${DRIVER}db.collection('orders').updateOne({ a: 1 }, { $push: { notes: ${notes} } });`,
  });
}

describe('the lines of a finding', () => {
  it('are certain if nothing else can have sent its operation', async () => {
    const code = `${DRIVER}db.collection('orders').find({ status: 1 });\ndb.collection('orders').find({ total: 1 });`;
    expect(await linesOf({ 'a.ts': code }, byStatus)).toEqual(['src/a.ts:3 operation']);
  });

  it.each([
    [`db.collection('orders')`, ['shop.orders', 'crm.people'], 'src/a.ts:3 operation'],
    [`db.collection('orders')`, ['shop.orders', 'crm.orders'], 'src/a.ts:3 operation?'],
    ['db.collection(process.argv[2])', ['shop.orders', 'shop.people'], 'src/a.ts:3 operation'],
    ['db.collection(process.argv[2])', ['shop.orders', 'crm.people'], 'src/a.ts:3 operation?'],
  ])('of %s beside %j are certain if no other database can be meant', async (collection, namespaces, line) => {
    const files = { 'a.ts': `${DRIVER}${collection}.find({ status: 1 });` };
    expect(await linesOf(files, byStatus, { namespaces })).toEqual([line]);
  });

  it('are alternatives if two or three can, and a number if more can', async () => {
    const call = `db.collection('orders').find({ status: 1 })`;
    expect(await linesOf({ 'a.ts': DRIVER + calls(2, call) }, byStatus)).toEqual([
      'src/a.ts:3 operation?',
      'src/a.ts:4 operation?',
    ]);
    expect(await linesOf({ 'a.ts': DRIVER + calls(4, call) }, byStatus)).toEqual(['4 places']);
  });

  it('are not certain if a test can have sent it, which is not named', async () => {
    const call = `${DRIVER}db.collection('orders').find({ status: 1 });`;
    expect(await linesOf({ 'a.ts': call, 'test/a.test.ts': call }, byStatus)).toEqual(['src/a.ts:3 operation?']);
    expect(await linesOf({ 'test/a.test.ts': call, 'b.ts': '' }, byStatus)).toEqual([]);
  });

  it('are not certain if a place whose collection nobody knows can have sent it', async () => {
    const code = `${DRIVER}db.collection('orders').find({ status: 1 });\nexport const f = (name) => db.collection(name).find({ status: 1 });`;
    expect(await linesOf({ 'a.ts': code }, byStatus)).toEqual(['src/a.ts:3 operation?', 'src/a.ts:4 operation?']);
  });

  describe('if comments name where its operation was sent', () => {
    const call = `db.collection('orders').find({ status: 1 })`;
    const files = { 'a.ts': DRIVER + calls(4, call), 'test/a.test.ts': '\n\n' };

    it('are these alone, though more places can have sent it', async () => {
      expect(await linesOf(files, sent(['src/a.ts:5']))).toEqual(['src/a.ts:5 operation']);
    });

    it('are these though no place is understood there', async () => {
      expect(await linesOf(files, sent(['src/a.ts:1']))).toEqual(['src/a.ts:1 operation']);
    });

    it('are alternatives if they name two or three, and a number if more', async () => {
      const lines = ['src/a.ts:6', 'src/a.ts:5', 'src/a.ts:4', 'src/a.ts:3'];
      expect(await linesOf(files, sent(lines.slice(2)))).toEqual(['src/a.ts:3 operation?', 'src/a.ts:4 operation?']);
      expect(await linesOf(files, sent(lines))).toEqual(['4 places']);
    });

    it('are those of the other places, too, if some execution names none', async () => {
      const two = { 'a.ts': DRIVER + calls(2, call) };
      expect(await linesOf(two, sent(['src/a.ts:4', null]))).toEqual([
        'src/a.ts:4 operation?',
        'src/a.ts:3 operation?',
      ]);
      expect(await linesOf(two, sent([null]))).toEqual(['src/a.ts:3 operation?', 'src/a.ts:4 operation?']);
    });

    it('are those of the file that is named, if it is named without a line', async () => {
      const two = { 'a.ts': DRIVER + calls(2, call), 'b.ts': DRIVER + calls(1, call) };
      expect(await linesOf(two, sent(['src/b.ts']))).toEqual(['src/b.ts:3 operation']);
      expect(await linesOf(two, sent(['src/a.ts']))).toEqual(['src/a.ts:3 operation?', 'src/a.ts:4 operation?']);
    });

    it('are none if all were sent by another language, and not certain if some were', async () => {
      const one = { 'a.ts': DRIVER + calls(1, call) };
      expect(await linesOf(one, sent([FOREIGN_LINE]))).toEqual([]);
      expect(await linesOf(one, sent([FOREIGN_LINE, 'src/a.ts:3']))).toEqual(['src/a.ts:3 operation?']);
      expect(await linesOf(one, sent([FOREIGN_LINE, null]))).toEqual(['src/a.ts:3 operation?']);
    });

    it('are not certain if a file was not read that is named', async () => {
      expect(await linesOf({ 'a.ts': DRIVER + calls(1, call) }, sent([UNREAD_LINE]))).toEqual([
        'src/a.ts:3 operation?',
      ]);
    });

    it('are not named if a test sent it', async () => {
      expect(await linesOf(files, sent(['src/test/a.test.ts:1']))).toEqual([]);
    });

    it('are the stage of its join there', async () => {
      const pipeline = [{ $lookup: { from: 'items', localField: 'item', foreignField: 'sku', as: 'items' } }];
      const join = `db.collection('orders').aggregate(${JSON.stringify(pipeline)})`;
      const operations = [{ ...recorded('aggregate', { pipeline }), sentFrom: ['src/a.ts:4'] }];
      const finding = { namespace: 'shop.items', path: 'sku', operations };
      expect(await linesOf({ 'a.ts': DRIVER + calls(4, join) }, finding)).toEqual(['src/a.ts:4 join']);
    });
  });

  it('are those of the stage of a join, in the file in which it is written', async () => {
    const files = {
      'joins.ts': `\nexport const withItems = {\n  $lookup: { from: 'items', localField: 'item', foreignField: 'sku', as: 'items' },\n};`,
      'a.ts': `${DRIVER}import { withItems } from './joins';\ndb.collection('orders').aggregate([{ $match: { a: 1 } }, withItems]);`,
    };
    const pipeline = [
      { $match: { a: 1 } },
      { $lookup: { from: 'items', localField: 'item', foreignField: 'sku', as: 'items' } },
    ];
    const join = { namespace: 'shop.items', path: 'sku', operations: [recorded('aggregate', { pipeline })] };
    expect(await linesOf(files, join)).toEqual(['src/joins.ts:3 join']);
    expect(await linesOf(files, { ...join, namespace: 'shop.orders', path: null })).toEqual(['src/a.ts:4 operation']);
  });

  it('are those that make an array longer, and of the schema', async () => {
    const code = `${DRIVER}db.collection('orders').updateOne({ _id: 1 }, {\n  $set: { a: 1 },\n  $push: { notes: 1 },\n});`;
    const model = `import { Schema, model } from 'mongoose';\nmodel('Order', new Schema({\n  total: Number,\n  notes: [{ text: String }],\n}));`;
    const finding = { path: 'notes', causedBy: 'notes' };
    expect(await linesOf({ 'a.ts': code }, finding)).toEqual(['src/a.ts:5 push']);
    expect(await linesOf({ 'a.ts': code, 'm.ts': model }, finding)).toEqual(['src/a.ts:5 push', 'src/m.ts:4 schema']);
    expect(await linesOf({ 'm.ts': model }, { path: 'notes[].text' })).toEqual(['src/m.ts:4 schema']);
  });

  it('are those that give a map further keys', async () => {
    const code = `${DRIVER}export const vote = (id) =>\n  db.collection('orders').updateOne({}, { $inc: { [\`votes.\${id}\`]: 1 } });`;
    expect(await linesOf({ 'a.ts': code }, { path: 'votes' })).toEqual(['src/a.ts:4 push']);
  });

  it('are where an index is declared, by the driver and by a schema', async () => {
    const indexes = [
      plainIndex({ status: 1, at: -1 }, null, 'status_1_at_-1'),
      plainIndex({ email: 1 }, null, 'email_1'),
    ];
    const code = `${DRIVER}db.collection('orders').createIndex({ status: 1, at: -1 });`;
    const model = `import { Schema, model } from 'mongoose';\nconst schema = new Schema({ email: { type: String, unique: true } });\nschema.index({ status: 1, at: -1 });\nmodel('Order', schema);`;
    const ofIndex = (path: string, files: Readonly<Record<string, string>>) => linesOf(files, { path }, { indexes });
    expect(await ofIndex('status_1_at_-1', { 'a.ts': code })).toEqual(['src/a.ts:3 index']);
    expect(await ofIndex('status_1_at_-1', { 'm.ts': model })).toEqual(['src/m.ts:3 index']);
    expect(await ofIndex('email_1', { 'm.ts': model })).toEqual(['src/m.ts:2 index']);
    expect(await ofIndex('email_1', { 'a.ts': code })).toEqual([]);
  });

  it('are those of `save()` and `populate()` of mongoose, which no operation shows', async () => {
    const code = `import { Schema, model } from 'mongoose';
const Order = model('Order', new Schema({ user: { type: Schema.Types.ObjectId, ref: 'User' } }));
export async function note(id, text) {
  const order = await Order.findById(id).orFail();
  order.notes.push(text);
  await order.save();
  return Order.find({ total: 1 }).populate('user');
}`;
    const saved = recorded('update', { q: { _id: 1, __v: 0 }, u: { $push: { notes: 1 } } });
    expect(await linesOf({ 'a.ts': code }, { operations: [saved] })).toEqual(['src/a.ts:6 operation']);
    expect(await linesOf({ 'a.ts': code }, { path: 'notes', operations: [] })).toContain('src/a.ts:5 push');
    const elsewhere = recorded('update', { q: { total: 1 }, u: { $push: { notes: 1 } } });
    expect(await linesOf({ 'a.ts': code }, { operations: [elsewhere] })).toEqual([]);
    const populated = operationShape(
      { kind: 'find', namespace: 'shop.users', command: { filter: { _id: { $in: [1] } } }, truncated: false },
      literalPlaceholder,
    );
    const finding = { namespace: 'shop.users', operations: [{ shape: populated, figures: {} }] };
    expect(await linesOf({ 'a.ts': code }, finding)).toEqual(['src/a.ts:7 operation']);
  });

  it('say in the message what leaves an array without a bound', async () => {
    const finding = { ...findingOf({ namespace: 'shop.orders', path: 'notes' }), causedBy: 'notes' };
    const [uncapped] = withLocations([finding], [finding], await pushing('1'), NONE);
    expect(uncapped?.message).toBe(`${finding.message} src/a.ts:3 adds to it without \`$slice\`.`);
    const [capped] = withLocations([finding], [finding], await pushing('{ $each: [1], $slice: -50 }'), NONE);
    expect(capped?.message).toBe(finding.message);
  });
});

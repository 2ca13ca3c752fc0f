import { SeededRandom } from '../../../src/demo/seeded-random.js';

const FIELDS = ['status', 'at', 'total', 'user', 'address.city', 'tags'];
const VALUES = [
  '1',
  `'open'`,
  'null',
  'true',
  'new Date(0)',
  'x',
  'y',
  '[1, x]',
  '/^a/',
  '`${x}-${y}`',
  '{ nested: x }',
];
const OPERANDS = [
  '{ $gt: x }',
  '{ $in: [x, y] }',
  '{ $in: y }',
  '{ $exists: true }',
  '{ $ne: null }',
  '{ $gte: 1, $lt: x }',
];

/** The lines before the functions. */
const HEADER = `const BASE = { base: 1 };
const own = (user) => ({ user, gone: null });
`;

/** Writes functions that each send one operation of the driver, in whatever way sources put it together. */
class SourceGenerator {
  constructor(private readonly random: SeededRandom) {}

  private one<Of>(values: readonly Of[]): Of {
    return values[this.random.below(values.length)] as Of;
  }

  private some(least: number, most: number): readonly string[] {
    const left = [...FIELDS];
    return Array.from({ length: this.random.between(least, most) }, () =>
      left.splice(this.random.below(left.length), 1),
    ).flat();
  }

  private fields(paths: readonly string[], value = () => this.one(VALUES)): string {
    return paths.map((path) => `'${path}': ${value()}`).join(', ');
  }

  private written(): string {
    return `{ ${this.fields(this.some(1, 3), () => this.one([...VALUES, ...OPERANDS]))} }`;
  }

  /** A filter, and the statements that it needs before. */
  private filter(): { readonly before: string; readonly filter: string } {
    const plain = this.written();
    const branches = `[${plain}, ${this.written()}]`;
    return this.one([
      { before: '', filter: plain },
      { before: '', filter: `{ ...BASE, ...${plain} }` },
      { before: '', filter: `x ? ${plain} : ${this.written()}` },
      { before: '', filter: `{ ...(y && ${plain}), last: x }` },
      { before: '', filter: `{ $or: ${branches} }` },
      { before: '', filter: `{ $and: ${branches}, open: x }` },
      { before: '', filter: 'own(x)' },
      { before: '', filter: '{ ...own(y), [`votes.${y}`]: 1 }' },
      { before: `const filter = ${plain}; if (x) filter.more = y; `, filter: 'filter' },
      { before: `const filter = ${plain}; if (y) filter.$or = ${branches}; `, filter: 'filter' },
      { before: `let filter = ${plain}; if (x) filter = ${this.written()}; `, filter: 'filter' },
      { before: `const filter = {}; Object.assign(filter, ${plain}); if (y) delete filter.status; `, filter: 'filter' },
    ]);
  }

  private update(): string {
    const set = `{ ${this.fields(this.some(1, 2))} }`;
    return this.one([
      `{ $set: ${set} }`,
      `{ $set: { ...(x && ${set}), last: y } }`,
      `{ $set: ${set}, ...(y && { $inc: { n: 1 } }) }`,
      '{ $push: { notes: x }, $currentDate: { changed: true } }',
      '{ $addToSet: { names: { $each: [x, y] } } }',
      '{ $set: { [`votes.${y}`]: x } }',
      '{ $unset: { old: 1 } }',
    ]);
  }

  private sorted(): string {
    return this.one([
      '',
      '',
      '.sort({ at: -1 })',
      `.sort({ total: 1, at: -1 }).limit(3)`,
      '.limit(2)',
      '.sort({ at: x ? 1 : -1 })',
    ]);
  }

  private pipeline(filter: string): string {
    const group = `{ $group: { _id: '$user', n: { $sum: 1 } } }`;
    const lookup = `{ $lookup: { from: 'users', localField: 'user', foreignField: '_id', as: 'of' } }`;
    return this.one([
      `[{ $match: ${filter} }, ${group}]`,
      `[{ $match: ${filter} }, { $sort: { at: -1 } }, { $limit: 2 }, ${lookup}]`,
      `[...(x ? [{ $match: ${filter} }] : []), { $project: { at: 1 } }]`,
      `[{ $match: ${filter} }, { $count: 'n' }]`,
      `[{ $set: { late: true } }, { $unset: 'old' }, { $match: ${filter} }]`,
    ]);
  }

  /** A function of a database and two values, on one line. */
  line(name: string): string {
    const { before, filter } = this.filter();
    const call = this.one([
      `find(${filter})${this.sorted()}.toArray()`,
      `find(${filter}, { sort: { at: 1 }, limit: 4 }).toArray()`,
      `findOne(${filter})`,
      `countDocuments(${filter})`,
      `distinct('status', ${filter})`,
      `deleteMany(${filter})`,
      `deleteOne(${filter})`,
      `updateOne(${filter}, ${this.update()})`,
      `updateMany(${filter}, ${this.update()}, { upsert: true })`,
      `findOneAndUpdate(${filter}, ${this.update()}, { sort: { at: 1 } })`,
      `findOneAndDelete(${filter})`,
      `replaceOne(${filter}, { status: x })`,
      `aggregate(${this.pipeline(filter)}).toArray()`,
    ]);
    return `export const ${name} = (db, x, y) => { ${before}return db.collection('orders').${call}; };`;
  }
}

/** A module of functions, each on a line of its own: `f0` is the first. */
export function generatedSource(
  seed: number,
  count: number,
): { readonly text: string; lineOf(number: number): number } {
  const generator = new SourceGenerator(new SeededRandom(seed));
  const lines = Array.from({ length: count }, (_, number) => generator.line(`f${number}`));
  return { text: `${HEADER}${lines.join('\n')}\n`, lineOf: (number) => HEADER.split('\n').length + number };
}

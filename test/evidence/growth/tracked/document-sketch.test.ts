import { BSON, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { DocumentProfiler, type ProfiledGrowth } from '../../../../src/profile/document-profiler.js';
import { hashesIn, shortened, sketchOf } from '../../../../src/evidence/growth/tracked/document-sketch.js';
import { sampledDocuments } from '../../../../src/evidence/growth/tracked/tracked-sample.js';
import { TrackedDocuments } from '../../../../src/evidence/growth/tracked/tracked-documents.js';
import { MS_PER_DAY } from '../../../../src/time-units.js';

function profiled(documents: readonly Document[]): ProfiledGrowth {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(BSON.serialize(document));
  profiler.profile();
  return profiler.growth();
}

const listOf = (length: number) => Array.from({ length }, (_, index) => index);
const named = (count: number, length: (index: number) => number): Document[] =>
  listOf(count).map((index) => ({ _id: `customer-${index}@example.com`, log: listOf(length(index)) }));

describe('a sketch of documents', () => {
  it('is the same whatever their order, and another one with another salt', () => {
    const documents = named(700, (index) => index % 9);
    const sketch = sketchOf(profiled(documents), 'salt');
    expect(sketchOf(profiled(documents.toReversed()), 'salt')).toEqual(sketch);
    expect(hashesIn(sketch.hashes)).toHaveLength(200);
    const other = new Set(hashesIn(sketchOf(profiled(documents), 'pepper').hashes));
    expect(hashesIn(sketch.hashes).filter((hash) => other.has(hash))).toEqual([]);
  });

  it('holds the longest among others', () => {
    const { lengths, evenly } = sketchOf(profiled(named(900, (index) => (index === 500 ? 300 : index % 9))), 'salt');
    expect(lengths[0]?.values.slice(evenly)).toContain(300);
  });

  it('holds no _id, nor anything that is one', () => {
    const id = new ObjectId('665500000000000000abcdef');
    const text = JSON.stringify(
      sketchOf(
        profiled([
          { _id: id, log: [1] },
          { _id: 'xyzzy', log: [] },
        ]),
        'salt',
      ),
    );
    expect(text).not.toMatch(/6655|abcdef|xyzzy/);
    expect(text).not.toContain(Buffer.from(id.id).toString('base64').slice(0, 8));
  });

  it('is small: at most 4 KB for a list, whatever the number of documents, and bounded for hundreds of lists', () => {
    const one = JSON.stringify(sketchOf(profiled(named(1_000, (index) => index)), 'salt'));
    expect(one.length).toBeLessThan(4_096);
    const lists = listOf(300).map((index): [string, number[]] => [`list${'abcdefghij'[index % 10]}${index}x`, [1]]);
    const many = sketchOf(profiled(listOf(500).map((_id) => ({ _id, ...Object.fromEntries(lists) }))), 'salt');
    expect(many.lengths.reduce((sum, { values }) => sum + values.length, 0)).toBeLessThan(7_000);
  });

  it('keeps both kinds of documents if it is made shorter', () => {
    const sketch = sketchOf(profiled(named(900, (index) => index)), 'salt');
    const short = shortened(sketch, 50);
    expect(hashesIn(short.hashes)).toEqual([
      ...hashesIn(sketch.hashes).slice(0, 40),
      ...hashesIn(sketch.hashes).slice(160, 170),
    ]);
    expect(short).toMatchObject({ evenly: 40, sizes: { length: 50 } });
    expect(short.lengths[0]?.values).toHaveLength(50);
  });
});

describe('documents of earlier runs', () => {
  const NOW = 10 * MS_PER_DAY;

  it('are recognised by string _ids, with what they had, also if they had no array yet', () => {
    const before = named(100, (index) => index).map((document, index) =>
      index === 7 ? { _id: document['_id'] } : document,
    );
    const runs = [{ at: 9 * MS_PER_DAY, sketch: sketchOf(profiled(before), 'salt') }];
    const now = profiled(named(120, (index) => index + 3));
    const { daysAgo, documents } = new TrackedDocuments(runs, sampledDocuments(now, 'salt'), NOW).lengthsAt('log');
    expect(daysAgo).toEqual([1, 0]);
    expect(documents).toHaveLength(100);
    const gains = documents.map(({ values }) => (values[1] as number) - (values[0] as number));
    expect(gains.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 99 }, () => 3), 10]);
  });

  it('are not recognised by another salt', () => {
    const runs = [{ at: 9 * MS_PER_DAY, sketch: sketchOf(profiled(named(100, () => 5)), 'other') }];
    const tracked = new TrackedDocuments(runs, sampledDocuments(profiled(named(100, () => 5)), 'salt'), NOW);
    expect(tracked.lengthsAt('log').documents).toEqual([]);
  });
});

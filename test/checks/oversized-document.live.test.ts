import { parse } from '@mongodb-js/shell-bson-parser';
import { ObjectId, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FindingEvidence } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const RUNS = 6;
const MB = 1024 * 1024;

const small = (number: number) => ({ number, text: 'a small document of 67 bytes or so' });

/** The arguments of a printed statement: a filter and a projection. */
function shellArguments(text = ''): [Document, Document] {
  return (parse(`{ arguments: [${text}] }`) as { arguments: [Document, Document] }).arguments;
}

describe('oversized-document on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const lintCollection = (name: string) => lintShared({ include: [`${database.databaseName}.${name}`] });
  const oversized = async (name: string) =>
    (await lintCollection(name)).findings.filter(({ check }) => check === 'oversized-document');

  beforeAll(async () => {
    await database.collection('hidden').insertMany(Array.from({ length: 30_000 }, (_, number) => small(number)));
    await database.collection('identified').insertMany(Array.from({ length: 30_000 }, (_, number) => small(number)));
    await database.collection('hidden').insertOne({ blob: Buffer.alloc(15 * MB) });
    for (let number = 0; number < 5; number += 1)
      await database.collection('half').insertOne({ number, blob: Buffer.alloc(9 * MB) });
    for (let number = 0; number < 4; number += 1)
      await database.collection('well below').insertOne({ number, blob: Buffer.alloc(7 * MB) });
  });

  it(`reports the 15 MB document among 30,000 small ones in ${RUNS} runs of ${RUNS}`, async () => {
    const severities: string[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const findings = await oversized('hidden');
      severities.push(...findings.map(({ severity, path }) => `${severity} ${path}`));
    }
    expect(severities).toEqual(Array.from({ length: RUNS }, () => 'error null'));
  });

  it.each<[string, unknown, string, string]>([
    [
      'an ObjectId',
      new ObjectId('507f1f77bcf86cd799439011'),
      '{"$oid":"507f1f77bcf86cd799439011"}',
      '507f1f77bcf86cd799439011',
    ],
    ['a date', new Date('2024-02-29T12:34:56Z'), '{"$date":"2024-02-29T12:34:56Z"}', '2024-02-29T12:34:56Z'],
    ['an object', { customer: 'secret', day: 7 }, '{"customer":"secret","day":7}', 'secret'],
  ])('shows an _id that is %s only with showValues', async (_, _id, extended, secret) => {
    const identified = database.collection<{ _id: unknown; blob: Buffer }>('identified');
    await identified.insertOne({ _id, blob: Buffer.alloc(12 * MB) });
    const options = { uri: sharedReplicaSetUri(), include: [identified.namespace], sampleSize: 2 };
    try {
      let evidence: FindingEvidence | undefined;
      // The sample may hold the document, and then no search is made: one in a hundred or so.
      for (let run = 0; run < 5 && evidence?.source !== 'probe'; run += 1) {
        const { findings } = await lint({ ...options, showValues: true });
        evidence = findings.find(({ check }) => check === 'oversized-document')?.evidence;
      }
      expect(evidence).toMatchObject({ source: 'probe', ids: [extended] });
      expect(JSON.stringify(await lint(options))).not.toContain(secret);
    } finally {
      await identified.deleteMany({ blob: { $exists: true } });
    }
  });

  it('warns of documents over half of the limit, and not below', async () => {
    const found = await oversized('half');
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
    // As many as plain queries count, and the printed search lists the same.
    expect(found[0]?.evidence).toMatchObject({ documentsOverLine: 5 });
    const code = found[0]?.remedy.steps[0]?.code ?? '';
    const [filter, projection] = shellArguments(/\.find\((.*)\)\.readPref\("secondaryPreferred"\)/.exec(code)?.[1]);
    const listed = await database.collection('half').find(filter, { projection }).toArray();
    expect(listed.map(({ bytes }) => Number(bytes) >= 8 * MB)).toEqual(Array.from({ length: 5 }, () => true));
    expect(await oversized('well below')).toEqual([]);
  });

  it('is silent once the remedy is applied: the large part moved out', async () => {
    await database
      .collection('hidden')
      .updateOne({ blob: { $exists: true } }, { $unset: { blob: '' }, $set: { file: 'elsewhere' } });
    expect(await oversized('hidden')).toEqual([]);
  });
});

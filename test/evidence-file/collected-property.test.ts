import { join } from 'node:path';
import { Decimal128, Long, MinKey, ObjectId, type Document } from 'mongodb';
import { expect, it } from 'vitest';
import { absentBecause } from '../../src/connect/server-error.js';
import { Pseudonyms } from '../../src/evidence-file/pseudonyms/pseudonyms.js';
import { readEvidence } from '../../src/evidence-file/read-evidence.js';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import { describedIndex } from '../../src/evidence/indexes.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { storageFrom } from '../../src/inventory/storage.js';
import { type Evidence, present } from '../../src/presence.js';
import { isExecution } from '../../src/workload/operations/execution.js';
import { OperationTally } from '../../src/workload/operations/operation-tally.js';
import { LogContext, slowQueryOf } from '../../src/workload/sources/slow-query.js';
import { profileOfBytes } from '../support/documents/profiles.js';
import { anyDocument } from '../support/documents/random-documents.js';
import { EVIDENCE_SETTINGS, plainRun } from '../support/evidence-runs.js';
import * as fc from '../support/fast-check.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { slowLine } from '../support/workload/log-text.js';

const name = fc.oneof(
  fc.constantFrom(
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    '',
    '$a',
    'a.b',
    '*',
    '[]',
    '\ud800',
    'count',
  ),
  fc.string(),
);
const figure = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(-1, 0.5, 2 ** 53, NaN, Infinity, Long.MAX_VALUE, Long.MIN_VALUE, Decimal128.fromString('NaN')),
  name,
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    figure,
    fc.boolean(),
    fc.constant(null),
    fc.date({ noInvalidDate: true }),
    fc.constantFrom(new Date(8.64e15), new Date(-8.64e15), new ObjectId('ff'.repeat(12)), new MinKey()),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(name, value, { maxKeys: 4 });
const plain = object.map((one) => JSON.parse(JSON.stringify(one)) as Document);
/** Any of the fields may be missing. */
const answer = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

const given = fc.record({
  documents: fc.array(anyDocument, { minLength: 1, maxLength: 4 }),
  sizes: answer({ count: figure, size: figure, storageSize: figure, totalIndexSize: figure, indexSizes: object }),
  indexes: fc.array(
    answer({
      name,
      key: object,
      expireAfterSeconds: figure,
      partialFilterExpression: object,
      weights: object,
      collation: object,
      min: value,
    }),
    { maxLength: 3 },
  ),
  options: answer({
    validator: object,
    viewOn: name,
    pipeline: fc.array(object, { maxLength: 3 }),
    collation: object,
    expireAfterSeconds: figure,
  }),
  commands: fc.array(plain, { maxLength: 3 }),
  attributes: plain,
});

const NOTHING = { documents: [Buffer.from([5, 0, 0, 0, 0])], sizes: {}, options: {}, commands: [], attributes: {} };
/** No schema looks at a value of this name, until a pseudonym stands in its place. */
const ODD_WEIGHT = { name: 'a', key: {}, weights: JSON.parse('{"__proto__":null}') as Document };

function collected<Value>(read: () => Value): Evidence<Value> {
  try {
    return present(read());
  } catch (error) {
    return absentBecause(error, 'reading it', 'find');
  }
}

function operationsOf(commands: readonly Document[], attributes: Document) {
  const tally = new OperationTally();
  const context = new LogContext();
  for (const command of commands) {
    const filter = { ...command };
    const read = slowQueryOf(
      slowLine({ find: 'orders', filter, projection: filter, sort: filter }, attributes),
      context,
    );
    if (typeof read.execution === 'object' && isExecution(read.execution)) tally.add(read.execution);
  }
  return tally.operations().map(({ shape, figures }) => ({ shape, figures: { logFile: figures } }));
}

it('judge accepts what collect wrote, whatever a server says', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'collected.evidence.jsonl');
  await fc.assert(
    fc.asyncProperty(
      given,
      fc.boolean(),
      async ({ documents, sizes, indexes, options, commands, attributes }, hidden) => {
        const sample = { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 1 } as const;
        const orders = {
          collection: {
            namespace: 'shop.orders',
            database: 'shop',
            name: 'orders',
            kind: 'collection',
            clustered: false,
            ...options,
          },
          evidence: {
            documents: collected(() => ({ sample, profile: profileOfBytes(documents) })),
            storage: collected(() => storageFrom([{ storageStats: sizes }], true)),
            indexes: collected(() => indexes.map((one) => describedIndex('listIndexes', one as Document))),
          },
        } as unknown as KeptCollection;
        const run = plainRun([orders]);
        const evidence = await run.ofCluster([]);
        const workload = evidence.workload as Extract<typeof evidence.workload, { present: true }>;
        const operations = operationsOf(commands, attributes);
        await writeEvidence(file, {
          run: {
            ...run,
            ofCluster: async () => ({ ...evidence, workload: present({ ...workload.value, operations }) }),
          },
          plan: { kept: new Set<never>() },
          settings: EVIDENCE_SETTINGS,
          collections: 1,
          ...(hidden && { pseudonyms: new Pseudonyms(Buffer.from('a secret of this test')) }),
          onCollection: () => {},
          onCluster: () => {},
        });
        const read = await readEvidence(file);
        const collections = await read.ofCollections((one) => one);
        const { present: hasDocuments } = collections[0]?.evidence.documents ?? { present: false };
        expect(hasDocuments).toBe(true);
        await read.ofCluster(collections);
        await read.close();
      },
    ),
    {
      numRuns: 300,
      examples: [[{ ...NOTHING, indexes: [ODD_WEIGHT] }, true]],
    },
  );
});

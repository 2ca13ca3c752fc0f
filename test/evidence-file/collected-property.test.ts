import { join } from 'node:path';
import { Decimal128, Long, MinKey, ObjectId, type Document } from 'mongodb';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { absentBecause } from '../../src/connect/server-error.js';
import { Pseudonyms } from '../../src/evidence-file/pseudonyms/pseudonyms.js';
import { readEvidence } from '../../src/evidence-file/read-evidence.js';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import { describedIndex } from '../../src/evidence/indexes.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { CLUSTER_EVIDENCE_NAMES, EVIDENCE_NAMES } from '../../src/evidence/sources.js';
import { resolvedSettings } from '../../src/findings/check-settings.js';
import { evidencePlan } from '../../src/findings/evidence-plan.js';
import { storageFrom } from '../../src/inventory/storage.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import { judgeRun } from '../../src/lint/judge.js';
import { checksOf } from '../../src/lint/reading-options.js';
import { absent, type Evidence, present } from '../../src/presence.js';
import { isExecution } from '../../src/workload/operations/execution.js';
import { OperationTally } from '../../src/workload/operations/operation-tally.js';
import { NO_ROUTER_LOGS } from '../../src/workload/sources/log-file.js';
import { LogContext, slowQueryOf } from '../../src/workload/sources/slow-query.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import { workloadRestSchema } from '../../src/workload/workload-schema.js';
import type { Workload } from '../../src/workload/workload.js';
import { profileOfBytes } from '../support/documents/profiles.js';
import { anyDocument } from '../support/documents/random-documents.js';
import { EVIDENCE_SETTINGS, plainRun, smallCollection } from '../support/evidence-runs.js';
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
      numRuns: 120,
      examples: [[{ ...NOTHING, indexes: [ODD_WEIGHT] }, true]],
    },
  );
});

interface Definition {
  readonly type: string;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly element: z.ZodType;
  readonly innerType: z.ZodType;
  readonly valueType: z.ZodType;
  readonly options: readonly z.ZodType[];
  readonly entries: Readonly<Record<string, unknown>>;
  readonly values: readonly unknown[];
  readonly getter: () => z.ZodType;
}

const word = fc.constantFrom('shop.orders', 'shop.items', 'a', 'at_1', '{ at: 1 }', 'the primary');

/** What a schema lets pass. */
function anyOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const definition = schema.def as unknown as Definition;
  switch (definition.type) {
    case 'object': {
      const fields = Object.entries(definition.shape);
      const requiredKeys = fields.flatMap(([key, { def }]) => ((def.type as string) === 'optional' ? [] : [key]));
      const arbitraries = Object.fromEntries(fields.map(([key, field]) => [key, anyOf(field)]));
      return fc.record(arbitraries, { requiredKeys, noNullPrototype: true });
    }
    case 'array':
      return fc.array(anyOf(definition.element), { maxLength: 2 });
    case 'record':
      return fc.dictionary(word, anyOf(definition.valueType), { maxKeys: 2, noNullPrototype: true });
    case 'union':
      return fc.oneof(...definition.options.map(anyOf));
    case 'optional':
      return anyOf(definition.innerType);
    case 'nullable':
      return fc.option(anyOf(definition.innerType));
    case 'enum':
      return fc.constantFrom(...Object.values(definition.entries));
    case 'literal':
      return fc.constantFrom(...definition.values);
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'int':
      // A file has no -0, and no figure is one.
      return fc
        .oneof(
          fc.nat(),
          fc.double({ noNaN: true }).map((one) => one + 0),
        )
        .filter((one) => schema.safeParse(one).success);
    case 'string':
    case 'unknown':
      return word;
    case 'lazy':
      return fc.constantFrom('?string', '?number', { a: '?number' });
    default:
      throw new Error(`No values of the type ${definition.type} are made.`);
  }
}

it('judge reports of a workload what lint reports of it', { timeout: 120_000 }, async () => {
  const file = join(await temporaryFolder(), 'workload.evidence.jsonl');
  const settings = resolvedSettings({});
  const checks = await checksOf({});
  const plan = evidencePlan(checks, settings);
  const none = absent('unsupported', 'it is not asked for.');
  const lacking = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.map((piece) => [piece, none])) as Record<Name, typeof none>;
  const orders = smallCollection('shop.orders');
  const all = [{ ...orders, evidence: { ...lacking(EVIDENCE_NAMES), ...orders.evidence } }];
  await fc.assert(
    fc.asyncProperty(anyOf(workloadRestSchema) as fc.Arbitrary<Workload>, async (rest) => {
      const live = plainRun(all);
      const evidence = await live.ofCluster([]);
      const { operations } = (evidence.workload as Extract<typeof evidence.workload, { present: true }>).value;
      const sources = Object.assign({ routerLog: NO_ROUTER_LOGS }, rest.sources);
      const workload = traceWorkload({ ...rest, operations, sources });
      const run: EvidenceRun = {
        ...live,
        ofCluster: async () => ({ ...lacking(CLUSTER_EVIDENCE_NAMES), ...evidence, workload: present(workload) }),
      };
      const linted = await judgeRun(run, {
        checks,
        settings,
        plan,
        include: [],
        sized: (one) => one,
        onFault: () => {},
        onJudged: () => {},
      });
      await writeEvidence(file, {
        run,
        plan,
        settings: EVIDENCE_SETTINGS,
        collections: 1,
        onCollection: () => {},
        onCluster: () => {},
      });
      expect((await judgeEvidence({ file })).report).toEqual(linted);
    }),
    { numRuns: 100 },
  );
});

import { absent, evidenceSchema, present } from '../../presence.js';
import { CONFIDENCES } from '../../severity.js';
import { findOn } from '../privilege.js';
import { ageGrowthSchema, growthRatesSchema } from '../schemas.js';
import { z } from 'zod';
import type { CollectionSource } from '../source.js';

const NOT_READ = absent('insufficient', 'no enabled check asked for the oplog.');

export const growth: CollectionSource<'growth'> = {
  name: 'growth',
  restsOn: ['storage', 'sample', 'documents', 'oplog'],
  possibleOn: ['collection'],
  privileges: [findOn('local', 'oplog.rs')],
  async collect({ collection, of, ofCluster, growth: run }) {
    const [storage, sample] = [of('storage'), of('sample')];
    if (!sample.present) return sample;
    const stored = storage.present ? storage.value : null;
    const { profile } = sample.value.evidence;
    const count = stored?.count ?? profile.documents;
    const bytes = stored?.size ?? null;
    const averageBytes = stored?.averageDocumentSize ?? profile.sizes.mean;
    // A run that only records growth leaves the oplog alone.
    const oplog = (await ofCluster('oplog')) ?? NOT_READ;
    return present(await run.measure(collection, { count, bytes, averageBytes }, sample.value, oplog));
  },
  get schema() {
    return growthSchema();
  },
};

function growthSchema() {
  const windowSchema = z.strictObject({ days: z.number(), from: z.string() });
  const sourceSchema = evidenceSchema(windowSchema);
  return z.strictObject({
    arrays: z.array(
      z.strictObject({
        path: z.string(),
        age: ageGrowthSchema.nullable(),
        oplog: oplogGrowthSchema().nullable(),
        history: historyGrowthSchema().nullable(),
        growth: measuredSchema().nullable(),
        forecasts: z.array(forecastSchema()),
        earlierForecasts: z
          .strictObject({ made: z.number(), held: z.number(), since: z.number(), latest: z.boolean().nullable() })
          .exactOptional(),
        mostAreOlder: z.literal(true).exactOptional(),
      }),
    ),
    sizes: z.strictObject({
      age: ageGrowthSchema.nullable(),
      history: historyGrowthSchema().nullable(),
      growth: measuredSchema().nullable(),
      forecast: forecastSchema().nullable(),
    }),
    sources: z.strictObject({ age: sourceSchema, oplog: sourceSchema, history: sourceSchema }),
    earlierCount: z.strictObject({ documents: z.number(), daysAgo: z.number() }).exactOptional(),
    carried: carriedSchema().exactOptional(),
  });
}

function carriedSchema() {
  const numbers = z.array(z.number());
  const told = z.strictObject({
    unit: z.enum(['elements', 'bytes']),
    limit: z.number(),
    days: z.number(),
    surelyDays: z.number().exactOptional(),
  });
  const summary = z.strictObject({ count: z.number(), quantiles: numbers });
  return z
    .strictObject({
      documents: z.number(),
      bytes: z.number().exactOptional(),
      complete: z.boolean(),
      sizes: summary,
      sizeForecast: told.exactOptional(),
      arrays: z.array(
        z.strictObject({
          path: z.string(),
          lengths: summary,
          expected: z.strictObject({ low: z.number(), high: z.number() }).exactOptional(),
          held: z.boolean().exactOptional(),
          forecasts: z.array(told).exactOptional(),
          emptied: z.literal(true).exactOptional(),
        }),
      ),
      sketch: z
        .strictObject({
          hashes: z.string(),
          evenly: z.number(),
          sizes: numbers,
          lengths: z.array(z.strictObject({ path: z.string(), values: numbers })),
        })
        .describe('Some documents, by salted hashes of 40 bits. The salt is not in the file.')
        .exactOptional(),
      daysApart: z.number(),
    })
    .describe('What later files of the same cluster compare with.');
}

function oplogGrowthSchema() {
  return z.strictObject({
    shape: z.enum(['growing', 'few', 'replaced', 'capped', 'one-off', 'rolls-over', 'young']),
    windowDays: z.number(),
    coveredDays: z.number(),
    appendedPerDay: z.number().nullable(),
    documents: z.number(),
    highestIndex: z.number(),
    ongoing: z.boolean(),
    rates: growthRatesSchema.nullable(),
    created: z.strictObject({ first: z.number(), last: z.number() }).nullable(),
    lifetimeDays: z.number().nullable(),
    evenly: z.boolean(),
    emptied: z.literal(true).exactOptional(),
    byChance: z.literal(true).exactOptional(),
    writes: z.number(),
    shareAtLongest: z.number().nullable(),
    mostAtOnce: z.number().exactOptional(),
    active: z.strictObject({ arrays: z.number(), lengths: z.array(z.number()) }).exactOptional(),
  });
}

function historyGrowthSchema() {
  const seen = { runs: z.number(), windowDays: z.number() };
  return z.discriminatedUnion('shape', [
    z.strictObject({
      shape: z.literal('growing'),
      ...seen,
      rates: growthRatesSchema,
      certain: z.boolean(),
      lifetimeDays: z.number().nullable(),
    }),
    z.strictObject({ shape: z.enum(['level', 'cap', 'single-step', 'young', 'cut']), ...seen }),
  ]);
}

function measuredSchema() {
  const source = z.enum(['age', 'oplog', 'history']);
  return z.strictObject({
    source,
    sources: z.array(source),
    disagreeing: z.array(source),
    confidence: z.enum(CONFIDENCES),
    windowDays: z.number(),
    rates: growthRatesSchema,
    byChance: z.literal(true).exactOptional(),
  });
}

function forecastSchema() {
  // What is never reached is reached after infinitely many days.
  const days = z.union([z.number(), z.literal(Infinity)]);
  const range = z.strictObject({ earliest: days, latest: days }).nullable();
  return z.strictObject({
    typical: range,
    largest: range,
    unit: z.enum(['elements', 'bytes']),
    limit: z.number(),
    expectedDays: days,
    surelyDays: days.exactOptional(),
  });
}

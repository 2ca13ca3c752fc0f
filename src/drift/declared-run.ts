import { z } from 'zod';
import { headerSchema, listedCollectionSchema } from '../evidence-file/evidence-lines.js';
import { fromFile, toFile } from '../evidence-file/file-collection.js';
import { fromJson, toJson, validLine } from '../evidence-file/valid-line.js';
import type { EvidenceRun } from '../evidence/evidence-run.js';
import type { KeptCollection } from '../evidence/source.js';
import { indexDescriptionSchema } from '../inventory/collection.js';
import type { NamespaceGlobs } from '../inventory/namespace-glob.js';
import { picked } from '../plain.js';
import { evidenceSchema } from '../presence-schema.js';
import { collectionFacts, type CollectionFacts } from './collection-facts.js';
import { DriftComparison, type ComparedRunFacts } from './drift-comparison.js';
import type { Drift, SideNames } from './drift.js';

const { kind, sharding } = listedCollectionSchema.shape;

const factsSchema = z.object({
  kind,
  declared: evidenceSchema(
    listedCollectionSchema
      .omit({
        namespace: true,
        database: true,
        name: true,
        kind: true,
        uuid: true,
        optionsUnknown: true,
        encrypted: true,
      })
      .extend({ sharding: sharding.unwrap().pick({ key: true, unique: true, zones: true }).exactOptional() }),
  ),
  indexes: evidenceSchema(z.array(indexDescriptionSchema)).nullable(),
  fields: z.null(),
  sizes: z.null(),
});

const patterns = z.array(z.string());
const header = headerSchema.shape;
const runSchema = z.object({
  cluster: header.cluster.pick({ engine: true, version: true, topology: true }),
  inventory: z.object({ unlisted: header.unlisted, shardingUnknown: header.shardingUnknown }),
  globs: z.array(z.object({ include: patterns, exclude: patterns })),
});

const lineSchema = z.union([
  z.object({ run: runSchema.nullable() }),
  z.object({ namespace: z.string(), facts: factsSchema }),
]);

/**
 * What is declared in a cluster: its collections with their options, validators and indexes. A run keeps it for the next one,
 * a line of JSON each.
 */
export class DeclaredRun {
  private run: ComparedRunFacts | null = null;
  /** By namespace, as JSON, which takes a fraction of the memory. */
  private readonly collections = new Map<string, string>();

  /** @throws SyntaxError for lines that are cut off, or hold something else */
  static of(lines: readonly string[]): DeclaredRun {
    const declared = new DeclaredRun();
    for (const line of lines) {
      const { data } = lineSchema.safeParse(plain(line));
      if (data === undefined) throw new SyntaxError('A line is not what is declared.');
      if ('run' in data) declared.run = data.run;
      else declared.collections.set(data.namespace, JSON.stringify(toJson(data.facts)));
    }
    return declared;
  }

  /** @param globs what it was asked for */
  begin({ cluster, inventory }: Pick<EvidenceRun, 'cluster' | 'inventory'>, globs: NamespaceGlobs): void {
    this.run = {
      cluster: picked(cluster, ['engine', 'version', 'topology']),
      inventory: picked(inventory, ['unlisted', 'shardingUnknown']),
      globs: [globs],
    };
  }

  /** As evidence files hold it: types stand for the values of validators and views, and what is malformed is absent. */
  take({ collection, evidence: { indexes } }: KeptCollection): void {
    const known = { collection, evidence: indexes === undefined ? {} : { indexes } };
    const { line } = validLine({ kind: 'collection' as const, ...toFile(known) });
    if (line === null) return;
    const facts = { ...collectionFacts(fromFile(line)), fields: null, sizes: null };
    this.collections.set(collection.namespace, JSON.stringify(toJson(facts)));
  }

  /** What differs from an older run, or from another cluster; null if one of the two is not known. */
  driftFrom(older: DeclaredRun, names: SideNames): Drift | null {
    if (older.run === null || this.run === null) return null;
    const comparison = new DriftComparison(names);
    for (const [side, { run, collections }] of [['old', older] as const, ['new', this as DeclaredRun] as const]) {
      comparison.begin(side, run as ComparedRunFacts);
      for (const [namespace, facts] of collections) comparison.takeFacts(side, namespace, factsIn(facts));
    }
    return comparison.result();
  }

  /** What to keep: also what an older run knew and this one could not read or was not asked for. */
  lines(older: DeclaredRun): string[] {
    const all = new Map(this.collections);
    const unread = this.driftFrom(older, { old: 'old', new: 'new' })?.notCompared ?? [];
    for (const { subject, namespace, side } of unread) {
      const before = older.collections.get(namespace ?? '');
      if (side !== 'new' || namespace === null || before === undefined) continue;
      if (subject === 'collection') all.set(namespace, before);
      if (subject !== 'index' && subject !== 'options') continue;
      const [old, now] = [factsIn(before), factsIn(all.get(namespace) ?? before)];
      const known = {
        ...now,
        ...(now.indexes?.present === false && { indexes: old.indexes }),
        ...(!now.declared.present && { declared: old.declared }),
      };
      all.set(namespace, JSON.stringify(toJson(known)));
    }
    return [
      JSON.stringify({ run: toJson(this.run) }),
      ...[...all].map(([namespace, facts]) => `{"namespace":${JSON.stringify(namespace)},"facts":${facts}}`),
    ];
  }
}

function factsIn(text: string): CollectionFacts {
  return plain(text) as CollectionFacts;
}

/** @throws SyntaxError if it is no JSON, or nested too deeply */
function plain(text: string): unknown {
  try {
    return fromJson(JSON.parse(text));
  } catch (error) {
    throw error instanceof RangeError ? new SyntaxError(error.message) : error;
  }
}

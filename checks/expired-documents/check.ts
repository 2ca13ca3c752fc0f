import { type Collection, defineCheck, type IndexDescription, type RemedyStep, type Verdict } from '../../src/check.js';
import { formatShare } from '../../src/format.js';
import { isVisible } from '../../src/inventory/index-key.js';
import { judgedAt, judgedAtText, judgedSize, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { bySample } from '../../src/judgement/severity-lines.js';
import { seenPart, shareWithin, STATED_RISK, type SeenPart } from '../../src/judgement/margins.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { spacedJson } from '../../src/judgement/spaced-json.js';
import { sizesUnknown } from '../../src/judgement/unknown-sizes.js';
import { LINE_RISK } from '../../src/profile/sampling/confidence.js';
import type { DocumentProfile, PathProfile } from '../../src/profile/document-profile.js';
import { isQueryable } from '../../src/profile/path-steps.js';
import type { CollectionReads } from '../../src/workload/reads/collection-reads.js';
import { isObjectShape, type ObjectShape } from '../../src/workload/shapes/shape.js';
import { conditionsOf } from '../../src/judgement/queries/conditions.js';

/** By their names, in lower case without separators: when something expires, and when it is to be deleted. */
const EXPIRES = new Set(['expiresat', 'expireat', 'expires', 'expireson', 'expiretime', 'expirytime']);
const DELETES = new Set(['deleteat', 'deleteafter', 'removeat', 'removeafter', 'purgeat', 'purgeafter', 'ttl']);

/** Share of a field's values that are dates; others are null for what never expires. */
const MOSTLY = 0.95;

export const expiredDocuments = defineCheck({
  id: 'expired-documents',
  title: 'Expired documents that nothing removes',
  summary: 'documents whose date of expiry passed a month ago or more, and that no TTL index deletes',
  appliesTo: ['collection'],
  needs: ['documents', 'indexes', 'storage'],
  uses: ['reads'],
  lostByPseudonyms: 'fields with a date of expiry were not recognized by their names.',
  thresholds: {
    documents: {
      default: 1_000,
      unit: 'documents',
      description: 'documents from which an info is given; fewer are too small to tell',
      source: 'judgement: fewer cost nothing; the floor of other checks of what is proportional to the documents',
    },
    share: {
      default: 0.5,
      unit: 'share',
      description: 'share of the documents that must have expired 31 days ago or more',
      source: 'judgement: a job that cleans up each month leaves fewer, unless it does not keep up',
    },
    warning: {
      default: 1_000_000,
      unit: 'documents',
      description:
        'expired documents from which a warning is given, if queries or the name of the field show that they are not wanted',
      source:
        'judgement: the index on _id then has 10 MB or more for them alone (measured on 6.0.5: 10 to 20 bytes per document)',
    },
  },
  judge({ collection, documents, indexes, storage, reads }, limits): readonly Verdict[] {
    const isBounded = collection.capped !== undefined || collection.expireAfterSeconds !== undefined;
    if (isBounded || indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)) return [];
    // Something removes documents, by a rule that is not known.
    if ((reads?.deletes ?? 0) > 0) return [];
    const { profile } = documents;
    const fields = expiryFields(profile);
    if (fields === null) return [{ notJudged: 'insufficient', detail: NOT_TOLD, nothingJudged: true }];
    const seen = seenPart(documents, storage);
    return fields.flatMap((field): Verdict[] => {
      const within = (risk: number, part = seen) => shareWithin(field.monthPast, profile.documents, part, risk);
      const asked = expiryReads(field.path, reads);
      if (within(LINE_RISK)[0] < limits.share || asked === 'expired') return [];
      if (storage.count === null) return [sizesUnknown(collection.namespace)];
      const size = judgedSize(collection, storage.count);
      if (size.documents < limits.documents) return [tooSmallToTell(size, `kept beyond \`${field.path}\``)];
      const isUnwanted = asked === 'unexpired' || field.saysDelete;
      const share = field.monthPast / profile.documents;
      const isMany = (part: SeenPart) => within(LINE_RISK, part)[0] * size.documents >= limits.warning;
      return [
        {
          ...bySample(seen, (part) => ({ severity: isUnwanted && isMany(part) ? 'warning' : 'info' })),
          confidence: isUnwanted ? 'medium' : 'low',
          path: field.path,
          message:
            `${formatShare(share)} of the documents expired a month ago or more by \`${field.path}\`, and no TTL index deletes them. ` +
            `${askedText(asked, field)}${judgedAtText(size)}`,
          ...judgedAt(size),
          evidence: {
            source: 'sample',
            window: sampleWindow(documents, storage),
            expired: field.monthPast,
            expiredShare: share,
            ...(seen.share < 1 && { expiredShareRange: [...within(STATED_RISK)] }),
          },
          remedy: { steps: steps(collection, field.path, indexes) },
        },
      ];
    });
  },
});

const NOT_TOLD =
  'which dates are past is not in this evidence file. Collect it again: they are counted since this check exists.';

function askedText(asked: ExpiryReads, { saysDelete }: ExpiryField): string {
  switch (asked) {
    case 'unexpired':
      return 'Every recorded read asks only for documents that have not expired.';
    case 'any':
    case 'expired':
      return 'Recorded reads return them too, so somebody may want them.';
    case 'unknown':
      return saysDelete
        ? 'Its name says that they are to be deleted.'
        : 'No recorded reads show whether anybody wants them.';
  }
}

function steps(
  { namespace, database, name }: Collection,
  path: string,
  indexes: readonly IndexDescription[],
): RemedyStep[] {
  const key = { [path]: 1 };
  const existing = indexes.find((index) => isVisible(index) && isOnlyOn(index, path));
  const convert = { collMod: name, index: { keyPattern: existing?.key ?? key, expireAfterSeconds: 0 } };
  return [
    {
      text: 'First make sure that nobody needs these documents: audits, reports, support. A TTL index deletes them for good.',
    },
    ...(existing === undefined
      ? [
          {
            text: 'Create an index on the field, without expiry yet. The build reads all documents on every member that holds data, while reads and writes go on.',
            code: shellStatement(namespace, 'createIndex', spacedJson(key)),
          },
        ]
      : []),
    {
      text: 'Delete what has expired in portions, the oldest first: set `until` a little later each time. Else the TTL index deletes all of it at once, and the members have to follow.',
      code: shellStatement(namespace, 'deleteMany', `{ ${JSON.stringify(path)}: { "$lt": until } }`),
    },
    {
      text: 'Make the index a TTL index. Documents then go within about a minute of their date. Before MongoDB 5.1, drop it and create it with expireAfterSeconds instead.',
      code: `db.getSiblingDB(${JSON.stringify(database)}).runCommand(${spacedJson(convert)})`,
    },
    {
      text: 'Check after some minutes that none are left. The files keep the free space for new documents: see reusable-space.',
    },
  ];
}

/** What a TTL index may be made of; a partial one would leave documents. */
function isOnlyOn({ key, partialFilterExpression }: IndexDescription, path: string): boolean {
  const [field, ...others] = Object.entries(key);
  const isPlain = others.length === 0 && field?.[0] === path && typeof field[1] === 'number';
  return isPlain && partialFilterExpression === undefined;
}

interface ExpiryField {
  readonly path: string;
  /** Sampled documents whose date was past for a month. */
  readonly monthPast: number;
  /** True if the name says that the document is to be deleted. */
  readonly saysDelete: boolean;
}

/**
 * The fields with a date of expiry; null if the evidence does not tell which dates are past. Within arrays a TTL index goes
 * by the earliest date, which nobody means.
 */
function expiryFields({ paths }: Pick<DocumentProfile, 'paths'>): readonly ExpiryField[] | null {
  const named = paths.filter((path) => isNamed(path) && isMostlyDates(path));
  if (named.some(({ values }) => values?.dates !== undefined && values.dates.monthPast === undefined)) return null;
  return named.map(({ path, values }) => ({
    path,
    monthPast: values?.dates?.monthPast ?? 0,
    saysDelete: DELETES.has(plainName(path)),
  }));
}

function isNamed({ path }: PathProfile): boolean {
  const name = plainName(path);
  return (EXPIRES.has(name) || DELETES.has(name)) && !path.includes('[]') && isQueryable(path);
}

function plainName(path: string): string {
  return (path.split('.').at(-1) ?? '').replaceAll(/[_-]/g, '').toLowerCase();
}

function isMostlyDates({ types, occurrences }: PathProfile): boolean {
  const { date = 0, null: none = 0 } = types;
  return date > 0 && date >= MOSTLY * (occurrences - none);
}

/** What recorded reads ask of a date of expiry: only what has not expired, also what has, or nothing that is known. */
type ExpiryReads = 'unexpired' | 'expired' | 'any' | 'unknown';

function expiryReads(path: string, reads: CollectionReads | undefined): ExpiryReads {
  if (reads === undefined || reads.reads.length === 0) return 'unknown';
  const asked = reads.reads.map(({ stages }) => askedOf(path, stages));
  if (asked.includes('expired')) return 'expired';
  return asked.every((each) => each === 'unexpired') ? 'unexpired' : 'any';
}

function askedOf(path: string, stages: readonly ObjectShape[]): ExpiryReads {
  const filters = stages.flatMap(({ $match }) => (isObjectShape($match) ? [$match] : []));
  const { all, alternatives } = conditionsOf(filters);
  const of = (operators: readonly string[]) =>
    all.some((condition) => condition.path === path && operators.includes(condition.operator));
  if (of(['$lt', '$lte'])) return 'expired';
  // In an alternative, it may be either.
  return of(['$gt', '$gte']) && alternatives.length === 0 ? 'unexpired' : 'any';
}

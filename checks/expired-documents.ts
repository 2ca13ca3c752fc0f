import {
  type Collection,
  type CollectionReads,
  defineCheck,
  type DocumentProfile,
  type IndexDescription,
  type PathProfile,
  type RemedyStep,
  type Verdict,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatShare } from '../src/format.js';
import { isVisible } from '../src/inventory/index-key.js';
import { judgedAt, judgedAtText, judgedSize, sizesUnknown, tooSmallToTell } from '../src/judgement/judged-size.js';
import { bySample, seenPart, type SeenPart, shareWithin, STATED_RISK } from '../src/judgement/margins.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { conditionsOf } from '../src/judgement/queries/conditions.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { shellCommand, shellStatement, spacedJson } from '../src/judgement/shell-statement.js';
import { isQueryable, queryPath } from '../src/profile/path-steps.js';
import { LINE_RISK } from '../src/profile/sampling/confidence.js';
import { isObjectShape, type ObjectShape } from '../src/workload/shapes/shape.js';

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
      description: 'documents for an info; fewer are not judged',
      source: 'judgement: fewer cost nothing; the floor of other checks of what is proportional to the documents',
    },
    share: {
      default: 0.5,
      unit: 'share',
      description: 'share of documents that expired 31 days ago or more, at least',
      source: 'judgement: a job that cleans up each month leaves fewer, unless it does not keep up',
    },
    warning: {
      default: 1_000_000,
      unit: 'documents',
      description: "documents that expired, if queries or the field's name show that they are to go",
      source:
        'judgement: the index on _id then has 10 MB or more for them alone (measured on 6.0.5: 10 to 20 bytes per document)',
    },
  },
  judge({ collection, documents, indexes, storage, reads }, limits): readonly Verdict[] {
    if (collection.capped !== undefined || collection.expireAfterSeconds !== undefined) return [];
    // Something removes documents, by a rule that is not known.
    if ((reads?.deletes ?? 0) > 0) return [];
    const { profile } = documents;
    const fields = expiryFields(profile);
    if (fields === null) return [{ notJudged: 'insufficient', detail: NOT_COUNTED, nothingJudged: true }];
    const seen = seenPart(documents, storage);
    return fields.flatMap((field): Verdict[] => {
      if (indexes.some((index) => mayDelete(index, field, profile, limits.share))) return [];
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
          restsOn: ['sample'],
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

interface ExpiryField {
  readonly path: string;
  /** Sampled documents whose date was past for a month. */
  readonly monthPast: number;
  /** True if the name says that the document is to be deleted. */
  readonly saysDelete: boolean;
}

/** What recorded reads ask of a date of expiry: only what has not expired, also what has, or nothing that is known. */
type ExpiryReads = 'unexpired' | 'expired' | 'any' | 'unknown';

/** True of a TTL index on the field, and of one on another field that so many documents have a date in. */
function mayDelete(
  { key, expireAfterSeconds }: IndexDescription,
  { path }: ExpiryField,
  { paths, documents }: DocumentProfile,
  share: number,
): boolean {
  if (expireAfterSeconds === undefined) return false;
  const dated = paths.filter((each) => Object.hasOwn(key, queryPath(each.path)) && each.types.date !== undefined);
  return Object.hasOwn(key, path) || dated.some((each) => each.documents > (1 - share) * documents);
}

const NOT_COUNTED = 'this evidence file does not count past dates. Collect it again with this version.';

function askedText(asked: ExpiryReads, { saysDelete }: ExpiryField): string {
  if (asked === 'unexpired') return 'Every recorded read asks only for documents that have not expired.';
  if (asked !== 'unknown') return 'Recorded reads return them too, so somebody may want them.';
  return saysDelete
    ? 'Its name says that they are to be deleted.'
    : 'No recorded reads show whether they are still used.';
}

function steps(
  { namespace, database, name }: Collection,
  path: string,
  indexes: readonly IndexDescription[],
): RemedyStep[] {
  const key = { [path]: 1 };
  const existing = indexes.find((index) => isVisible(index) && isOnlyOn(index, path));
  const convert = { collMod: name, index: { keyPattern: existing?.key ?? key, expireAfterSeconds: 0 } };
  return stepsOf(
    'First make sure that nobody needs these documents: audits, reports, support. A TTL index deletes them for good.',
    ...onlyIf(existing === undefined, {
      text: 'Create an index on the field, without expiry yet. The build reads all documents on every member that holds data, while reads and writes go on.',
      code: shellStatement(namespace, 'createIndex', spacedJson(key)),
    }),
    {
      text: 'Delete what has expired in portions, the oldest first: set `until` a little later each time. Otherwise the TTL index deletes all of it at once, and secondaries may lag.',
      code: shellStatement(namespace, 'deleteMany', `{ ${JSON.stringify(path)}: { "$lt": until } }`),
    },
    {
      text: 'Make the index a TTL index. Documents then go within about a minute of their date. Before MongoDB 5.1, drop it and create it with expireAfterSeconds instead.',
      code: shellCommand(database, convert),
    },
    'Check after some minutes that none are left. The files keep the free space for new documents: see reusable-space.',
  );
}

/** What a TTL index may be made of; a partial one would leave documents. */
function isOnlyOn({ key, partialFilterExpression }: IndexDescription, path: string): boolean {
  const [field, ...others] = Object.entries(key);
  const isPlain = others.length === 0 && field?.[0] === path && typeof field[1] === 'number';
  return isPlain && partialFilterExpression === undefined;
}

/** By their names, in lower case without separators: when something expires, and when it is to be deleted. */
const EXPIRES = new Set(['expiresat', 'expireat', 'expires', 'expireson', 'expiretime', 'expirytime']);

const DELETES = new Set(['deleteat', 'deleteafter', 'removeat', 'removeafter', 'purgeat', 'purgeafter', 'ttl']);

/** Share of a field's values that are dates; others are null for what never expires. */
const MOSTLY = 0.95;

/**
 * The fields with a date of expiry; null if the evidence does not report which dates are past. Within arrays a TTL index goes
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

import { defineCheck, type RemedyStep, type Verdict } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, formatDay, formatShare, inWords, plural } from '../src/format.js';
import { judgedAt, judgedAtText, judgedSize, sizesUnknown } from '../src/judgement/judged-size.js';
import { seenPart, shareWithin } from '../src/judgement/margins.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { SCAN_COST, shellScan, shellStatement, spacedJson } from '../src/judgement/shell-statement.js';
import type { DocumentShapes } from '../src/profile/document-profile.js';
import { LEAST_SHARE } from '../src/profile/document-shapes.js';
import { fieldName, isQueryable } from '../src/profile/path-steps.js';
import { MS_PER_DAY } from '../src/time-units.js';

type Shape = DocumentShapes['shapes'][number];

/** At any depth. Others are known by what their values tell, not by their names. */
const SCHEMA_VERSION = /^_?schema_?v(?:er(?:sion)?)?$/i;
const VERSION = 'schemaVersion';

/**
 * Compared documents from which shapes are known. Judgement: two fields that half of the documents have each, at random, are
 * together in every fourth.
 */
const FEWEST_COMPARED = 100;

/**
 * Chance that a document is newer than one of the shape before, from which one follows the other. Judgement: kinds of things
 * come to a half.
 */
const FOLLOWS = 0.9;

/**
 * Days between the median documents of a shape and of the next. Judgement: documents of one week are an import, or test data.
 */
const DAYS_APART = 7;

export const schemaVersions = defineCheck({
  id: 'schema-versions',
  title: 'Several generations of documents without a version',
  summary: 'older and newer documents of different fields in one collection, and no field that says which is which',
  appliesTo: ['collection'],
  needs: ['documents', 'storage'],
  thresholds: {
    documents: {
      default: 1_000,
      unit: 'documents',
      description: 'documents of the collection, at least',
      source: 'judgement: fewer are migrated in a moment',
    },
    share: {
      default: 0.05,
      unit: 'share',
      description: `share of the documents in each shape, ${LEAST_SHARE} or more`,
      source: 'judgement: a rare shape is a mistake, or what a migration left',
    },
    fields: {
      default: 3,
      unit: 'fields',
      description: 'fields in which the shapes differ, unless one is an array in one of them',
      source: 'MongoDB, "Building with Patterns: The Schema Versioning Pattern"',
    },
  },
  retiredThresholds: ['sampled', 'follows', 'days'],
  judge({ collection, documents, storage }, limits): readonly Verdict[] {
    const { shapes: found, paths } = documents.profile;
    if (found === undefined || found.documents < FEWEST_COMPARED) return [];
    const { shapes, follows, dividedBy } = found;
    const seen = seenPart(documents, storage);
    const rarest = Math.min(...shapes.map((shape) => shareWithin(shape.documents, found.documents, seen)[0]));
    if (rarest < limits.share || !isOtherStructure(shapes, limits.fields)) return [];
    if (paths.some(({ path }) => SCHEMA_VERSION.test(fieldName(path)))) return [];
    if (storage.count === null) return [sizesUnknown(collection.namespace)];
    const size = judgedSize(collection, storage.count);
    if (size.documents < limits.documents) return [];
    const [first] = fieldsOf(shapes.at(-1));
    const path = first ?? '_id';
    if (dividedBy !== null) return [{ exempt: `\`${dividedBy}\` says which shape a document has`, path }];
    if (follows === null)
      return [
        {
          notJudged: 'unsupported',
          detail: `whether the ${formatCount(shapes.length)} shapes of documents in ${collection.namespace} are generations or kinds of things is unknown: its \`_id\`s are not ObjectIds, so they show no ages.`,
        },
      ];
    if (follows < FOLLOWS)
      return [
        {
          exempt: `the shapes do not follow one another: in ${formatShare(1 - follows)} of the pairs, the older document has the later shape`,
          path,
        },
      ];
    const medians = shapes.map(({ created }) => created?.[1] ?? 0);
    if (medians.slice(1).some((median, at) => median - (medians[at] ?? 0) < DAYS_APART * MS_PER_DAY)) return [];
    return [
      {
        severity: 'info',
        confidence: 'medium',
        path,
        message:
          `${formatCount(shapes.length)} generations among ${plural(found.documents, 'document')}: ${shapes.map(shapeText).join('; ')}. No field says which one a document ` +
          `belongs to, so all code that reads them has to guess.${judgedAtText(size)}`,
        ...judgedAt(size),
        restsOn: ['sample'],
        evidence: {
          source: 'sample',
          window: sampleWindow(documents, storage),
          documentsOfShapes: shapes.map((shape) => shape.documents),
          fieldsThatDiffer: shapes.map((shape) => fieldsOf(shape).join(', ')),
          createdBetween: shapes.map(createdText),
          newerThanShapeBeforeShare: follows,
        },
        remedy: { steps: steps(collection.namespace, shapes) },
      },
    ];
  },
});

/** A value that became an object is reported by mixed-types, unless more has changed. */
function isOtherStructure(shapes: readonly Shape[], fields: number): boolean {
  const all = shapes.flatMap((shape) => shape.fields);
  const twice = all.filter(({ path }, at) => all.findIndex((other) => other.path === path) !== at);
  const isArrayNow = twice.some(({ path }) => all.some((one) => one.path === path && one.structure === 'array'));
  return isArrayNow || all.length - 2 * twice.length >= fields;
}

function fieldsOf(shape: Shape | undefined): string[] {
  return shape?.fields.map(({ path }) => path) ?? [];
}

function createdText({ created }: Shape): string {
  if (created === null) return 'at unknown times';
  const [from, to] = [month(created[0]), month(created[2])];
  return from === to ? `in ${from}` : `from ${from} to ${to}`;
}

function month(time: number): string {
  return formatDay(time).slice(0, '2026-11'.length);
}

function shapeText(shape: Shape): string {
  const fields = shape.fields.map(
    ({ path, structure }) => `\`${path}\`${structure === 'value' ? '' : ` (${structure})`}`,
  );
  return `${formatCount(shape.documents)} with ${inWords(fields)}, mostly created ${createdText(shape)}`;
}

function steps(namespace: string, shapes: readonly Shape[]): RemedyStep[] {
  const updates = shapes.map((shape, at) => numbering(namespace, shape, shapes, at + 1));
  const isMissing = spacedJson({ [VERSION]: { $exists: false } });
  return stepsOf(
    `Have the application write \`${VERSION}: ${shapes.length}\` with each document, and read each version by a function of its own.`,
    ...(updates.every((update) => update !== null)
      ? [
          {
            text: `Then number the stored documents by their shape. Each update scans the collection and writes to every document of its shape: in a large collection, add a range of \`_id\` to the filter, and go on range by range. To undo it, $unset \`${VERSION}\`.`,
            code: updates.join('\n'),
          },
        ]
      : [`Then number the stored documents by their shape, in the application.`]),
    { text: `Check that no document is left without a number. ${SCAN_COST}`, code: shellScan(namespace, isMissing) },
    'Rewrite older documents as the newest version whenever they are saved, or in batches; back up first, since that cannot be undone. Once none of a version is left, delete the code that reads it.',
  );
}

/** Null if no query finds the documents of the shape. */
function numbering(namespace: string, shape: Shape, shapes: readonly Shape[], version: number): string | null {
  const isShared = (path: string) => shapes.some((other) => other !== shape && fieldsOf(other).includes(path));
  const fields = shape.fields.filter(({ path }) => isQueryable(path));
  const field = fields.find(({ path }) => !isShared(path)) ?? fields[0];
  if (field === undefined) return null;
  const condition = isShared(field.path) ? OF_STRUCTURE[field.structure] : { $ne: null };
  const filter = { [field.path]: condition, [VERSION]: { $exists: false } };
  return shellStatement(namespace, 'updateMany', spacedJson(filter), spacedJson({ $set: { [VERSION]: version } }));
}

/** `$type` looks at the elements of an array, too. */
const OF_STRUCTURE = {
  array: { $type: 'array' },
  object: { $type: 'object', $not: { $type: 'array' } },
  value: { $ne: null, $not: { $type: ['array', 'object'] } },
} as const;

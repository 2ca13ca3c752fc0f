import {
  type Collection,
  defineCheck,
  type ObjectProfile,
  type PathProfile,
  type Problem,
  type RemedyStep,
  type Severity,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { FEWEST_READS } from '../src/judgement/documents/part-reads.js';
import { bySample, countAtLeast, distributionSeverity, seenPart, type SeenPart } from '../src/judgement/margins.js';
import { conditionsOf, everyCondition } from '../src/judgement/queries/conditions.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { fieldName, queryPath, withoutElements } from '../src/profile/path-steps.js';
import type { CollectionReads } from '../src/workload/reads/collection-reads.js';
import { fieldsOf, isObjectShape } from '../src/workload/shapes/shape.js';
import { DATA_NAME } from '../src/workload/shapes/sort-shape.js';

/** What the names are, for a message. Never a name itself. */
const PATTERN_TEXT = {
  number: 'are numbers',
  objectId: 'are ObjectIds',
  uuid: 'are UUIDs',
  hex: 'are ids in hexadecimal',
  date: 'are dates',
  email: 'are e-mail addresses',
  numbered: 'are ids of one form (text and digits)',
  mixed: 'have no common pattern',
} as const;

/** Objects from which a finding is of high confidence. */
const OBJECTS_FOR_HIGH = 20;

/** Different names divided by names per object: about 1 for one stable set, hundreds for a map keyed by ids. Judgement. */
const STABLE_RATIO = 2;

/** Different names in the sample from which nobody indexes them one by one, however few an object has. Judgement. */
const MANY_DISTINCT = 1_000;

/** Such names become more with the data, even if all objects share those of today. */
const NEVER_STABLE: ReadonlySet<string> = new Set(['objectId', 'uuid', 'hex', 'date']);
const GROWING: ReadonlySet<string> = new Set([...NEVER_STABLE, 'numbered']);

/** Different names that reads search or sort by, from which they are too many to have an index each: judgement. */
const MANY_SEARCHED = 10;

/** An object used as a map, with the maps in it. */
interface NameMap {
  readonly fields: ObjectProfile['fields'];
  readonly namePattern: ObjectProfile['namePattern'];
  /** Different names of each level, the outermost first. */
  readonly levels: readonly number[];
  /** The product of the levels. */
  readonly distinct: number;
  /** The product of the levels' medians. */
  readonly median: number;
}

export const dynamicFieldNames = defineCheck({
  id: 'dynamic-field-names',
  title: 'Field names that are data',
  summary: 'objects used as maps: their field names are ids, dates or other values',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage', 'reads'],
  lostByPseudonyms: 'years that are names of fields were not recognized.',
  thresholds: {
    distinct: {
      default: 50,
      unit: 'fields',
      description: 'fields of different names to report them; ids or dates are a warning',
      source: 'judgement: somebody could have written down so few',
    },
    warning: {
      default: 200,
      unit: 'fields',
      description: 'fields per object (an info if few objects reach it)',
      source:
        '"a couple of hundred" on the many side: MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
    },
    error: {
      default: 1_000,
      unit: 'fields',
      description: 'fields per object (a warning if few objects reach it)',
      source: 'judgement: the limit of unbounded-array; such an object is an array of embedded documents in disguise',
    },
  },
  retiredThresholds: ['stableRatio', 'manyDistinct'],
  judge({ collection, documents, storage, reads }, limits) {
    const { root, paths } = documents.profile;
    const seen = seenPart(documents, storage);
    const objects = [{ path: null, object: root }, ...paths.map(({ path, object }) => ({ path, object }))];
    const children = groupedBy(paths, ({ parent }) => parent);
    const nested: string[] = [];
    return objects.flatMap(({ path, object }): Problem[] => {
      if (object === undefined || nested.some((outer) => path?.startsWith(outer) === true)) return [];
      const map = mapAt(path, object, children);
      if (map === null || map.distinct < limits.distinct || isStable(map, STABLE_RATIO)) return [];
      const { fields, distinct, levels, namePattern } = map;
      if (levels.length > 1) nested.push(path === null ? '' : `${path}.`);
      const lines = { info: Infinity, warning: limits.warning, error: limits.error };
      const fewest = namePattern !== null && GROWING.has(namePattern) ? limits.distinct : MANY_DISTINCT;
      const gradeOf = (part: SeenPart): { severity: Severity } => {
        const byFields = distributionSeverity(fields, lines, part);
        const byNames = countAtLeast(distinct, part) >= fewest ? 'warning' : 'info';
        return { severity: byFields === null || byFields.severity === 'info' ? byNames : byFields.severity };
      };
      const name = path === null ? null : withoutElements(path);
      const graded = bySample(seen, gradeOf);
      if (graded.severity === 'info' && searchesByFew(path, reads)) return [];
      return [
        {
          ...graded,
          confidence:
            namePattern !== null && namePattern !== 'mixed' && fields.count >= OBJECTS_FOR_HIGH ? 'high' : 'medium',
          path: name,
          message: messageOf(collection, path, map),
          restsOn: ['sample'],
          evidence: {
            source: 'sample',
            window: sampleWindow(documents, storage),
            objects: fields.count,
            distinctFieldsAtLeast: distinct,
            namePattern,
            ...(levels.length > 1 && { namesPerLevel: [...levels] }),
            median: fields.median,
            p99: fields.p99,
            max: fields.max,
            distribution: { unit: 'fields', buckets: [...fields.buckets] },
          },
          remedy: {
            steps: [
              ...(namePattern === 'date' ? [dayStep(collection, name)] : []),
              ...(name === null ? rootSteps(collection) : attributeSteps(collection.namespace, name)),
            ],
          },
        },
      ];
    });
  },
});

function messageOf({ name }: Collection, path: string | null, map: NameMap): string {
  const { fields, distinct, levels, namePattern } = map;
  const where = path === null ? `the documents of ${name}` : `\`${path}\``;
  const kind = namePattern === null ? 'are data' : PATTERN_TEXT[namePattern];
  const count =
    levels.length > 1
      ? `${levels.map(formatCount).join(' × ')} different ones on its levels, up to ${formatCount(distinct)} combinations in ${formatCount(fields.count)} objects`
      : `at least ${formatCount(distinct)} different ones in ${formatCount(fields.count)} objects, up to ${formatCount(fields.max)} in one`;
  return `The field names of ${where} ${kind}: ${count}. Names that are not known in advance cannot be indexed.`;
}

/** What is counted by the day is one more document each day, of a size that stays. */
function dayStep({ name }: Collection, path: string | null): RemedyStep {
  return {
    text:
      `Keep one document for each ${name} document and day, with its _id in parentId and the day as a date, and a unique index on both. ` +
      `${path === null ? 'No document' : `Nothing below \`${path}\``} grows then, a range of days is one range of the index, and a TTL index can expire old days. ` +
      'Take the next steps only if a document has a few weeks of days at most.',
  };
}

function attributeSteps(namespace: string, path: string): RemedyStep[] {
  const field = queryPath(path);
  const isNameable = !path.includes('*');
  const index = `{ ${JSON.stringify(`${field}.k`)}: 1, ${JSON.stringify(`${field}.v`)}: 1 }`;
  return stepsOf(
    `Turn \`${path}\` into an array of { k: <name>, v: <value> } (attribute pattern). If the entries can grow without limit, move them ` +
      'to their own collection instead, one document per entry.',
    {
      text: 'If queries search by its names or values, create one index for all of them. The build scans the collection.',
      ...(isNameable && { code: shellStatement(namespace, 'createIndex', index) }),
    },
    ...(isNameable ? [wildcardStep(namespace, `${field}.$**`)] : []),
  );
}

function wildcardStep(namespace: string, field: string): RemedyStep {
  return {
    text: 'Until then, a wildcard index serves queries by single names. If there are none, it only slows writes. Its build scans the collection. Drop it afterwards.',
    code: shellStatement(namespace, 'createIndex', `{ ${JSON.stringify(field)}: 1 }`),
  };
}

function rootSteps({ name, namespace }: Collection): RemedyStep[] {
  return stepsOf(
    `Store each entry of ${name} as { k: <name>, v: <value> } (attribute pattern): either as its own document with the _id of its ` +
      'parent, or in one array.',
    'If queries search by names or values, index k and v together.',
    wildcardStep(namespace, '$**'),
  );
}

/** Nobody writes a schema of more names, and the count of different ones, which saturates at 65,536, is too low far beyond. */
const MOST_NAMES_OF_A_SCHEMA = 10_000;

/** The first level of a date that is spread over levels: `2026.05.17`. */
const YEAR = /^(?:19|20)\d{2}$/;

/** @param children by the path that they lie in; null is the document itself */
function mapAt(
  path: string | null,
  object: ObjectProfile,
  children: ReadonlyMap<string | null, readonly PathProfile[]>,
): NameMap | null {
  const { fields, distinctFields, folded } = object;
  const below = (children.get(path) ?? []).filter((child) => child.path !== '_id');
  const isYears = !folded && below.length > 0 && below.every((child) => YEAR.test(fieldName(child.path)));
  if (!folded && !isYears) return null;
  const [inner] = below
    .filter((child) => isYears || fieldName(child.path) === '*')
    .flatMap((child) => (child.object?.folded === true ? (mapAt(child.path, child.object, children) ?? []) : []))
    .toSorted((one, other) => other.distinct - one.distinct);
  if (isYears && inner === undefined) return null;
  return {
    fields,
    namePattern: isYears ? 'date' : object.namePattern,
    levels: [distinctFields, ...(inner?.levels ?? [])],
    distinct: distinctFields * (inner?.distinct ?? 1),
    median: fields.median * (inner?.median ?? 1),
  };
}

/** Names that most objects share are a wide schema, whatever they look like. */
function isStable({ fields, distinct, median, namePattern }: NameMap, stableRatio: number): boolean {
  if (distinct > MOST_NAMES_OF_A_SCHEMA || median > MOST_NAMES_OF_A_SCHEMA) return false;
  const areKeys = namePattern === 'email' || (namePattern !== null && NEVER_STABLE.has(namePattern));
  return !areKeys && fields.count > 1 && distinct <= stableRatio * median;
}

/** Whether recorded reads search and sort by few of a map's names, which could have an index each, or by none. */
function searchesByFew(path: string | null, seen: CollectionReads | undefined): boolean {
  if (seen === undefined || seen.executions < FEWEST_READS) return false;
  const stages = seen.reads.flatMap((read) => read.stages);
  const filters = stages.flatMap(({ $match }) => (isObjectShape($match) ? [$match] : []));
  const asked = [
    ...everyCondition(conditionsOf(filters)).map((condition) => condition.path),
    ...stages.flatMap(({ $sort }) => fieldsOf($sort).map(([field]) => field)),
  ];
  const prefix = path === null ? '' : `${queryPath(path)}.`;
  const names = asked.flatMap((each) => (each.startsWith(prefix) ? each.slice(prefix.length).split('.', 1) : []));
  return !names.includes(DATA_NAME) && new Set(names).size < MANY_SEARCHED;
}

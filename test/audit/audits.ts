/** How each figure of a finding's evidence is recomputed. What is not listed fails the audit. */
import type { Document, ObjectId } from 'mongodb';
import { groupedBy } from '../../src/grouped-by.js';
import {
  about,
  atMost,
  counted,
  errorOf,
  exact,
  figureOf,
  isWhole,
  largest,
  name,
  pathOf,
  quantile,
  rangeAround,
  share,
  shareOfFew,
  storageOf,
  sum,
  type Audit,
  type Audited,
} from './kinds-of-audit.js';
import {
  arraysAt,
  bsonTypeOf,
  bytesOf,
  correlation,
  deepestNames,
  depthOf,
  isPlain,
  valuesAt,
  type Recomputed,
} from './recomputed.js';
import { indexedField, STORED, TTL } from './stored-audits.js';
import {
  begun,
  INDEXES,
  joinedBy,
  JOINS,
  joinsOf,
  LISTS,
  lookupsIn,
  meanOf,
  OF_CONDITIONS_AND_WRITES,
  MULTIKEY,
  NEW_INDEXES,
  ONE_BY_ONE,
  QUERIES,
  READS,
  REBUILT,
  shareOfExamined,
  UPSERTS,
  UPDATES,
  USELESS,
} from './workload-audits.js';

const arraysOf = (it: Audited) => arraysAt(it.documents, pathOf(it));
const lengthsOf = (it: Audited) => arraysOf(it).map(({ length }) => length);
const ofAll = ({ documents }: Audited, of: (document: Document) => boolean) => documents.filter(of).length;

/** The checks whose figures are those of recorded queries. */
const QUERIES_OF =
  'collection-scan poor-targeting in-memory-sort deep-skip unstable-plan full-count case-insensitive-regex unselective-filter expression-filter'.split(
    ' ',
  );

/** Lengths of arrays, and what they weigh. */
const ARRAYS: Record<string, Audit> = {
  arrays: counted((it) => arraysOf(it).length),
  documents: counted((it) => it.documents.filter((document) => valuesAt(document, pathOf(it)).length > 0).length),
  elementKind: name,
  median: quantile(0.5, lengthsOf),
  p95: quantile(0.95, lengthsOf),
  p99: quantile(0.99, lengthsOf),
  max: largest(lengthsOf),
  cappedAt: largest(lengthsOf),
  countAtMax: counted((it) => lengthsOf(it).filter((length) => length === figureOf(it, 'max')).length),
  // The mean over documents: each weighs the same.
  shareOfDocument: share((it) => {
    const shares = it.documents.map((document, index) => {
      const own = sum(arraysAt([document], pathOf(it)).map(bytesOf));
      return own / (it.sizes[index] ?? 1);
    });
    const present = shares.filter((each) => each > 0);
    return sum(present) / present.length;
  }),
  sizeCorrelation: about(
    (it) =>
      correlation(
        it.documents.map((document, index) => [
          sum(arraysAt([document], pathOf(it)).map(({ length }) => length)),
          it.sizes[index] ?? 0,
        ]),
      ),
    0.05,
  ),
  largestBytes: largest((it) => it.documents.map((document) => sum(arraysAt([document], pathOf(it)).map(bytesOf)))),
  bounded: name,
  heavyTail: name,
  dominant: name,
  documentsShowing: counted((it) => ofAll(it, (document) => valuesAt(document, pathOf(it)).length > 0)),
};

const typesAt = (it: Audited) => it.documents.flatMap((document) => valuesAt(document, pathOf(it))).map(bsonTypeOf);
const minority = (it: Audited) => {
  const types = it.finding.evidence['types'] as Record<string, number>;
  const [, ...rare] = Object.entries(types).toSorted(([, one], [, other]) => other - one);
  const names = new Set(rare.map(([type]) => type));
  return typesAt(it).filter((type) => names.has(type)).length;
};

const danglingIn = async (it: Audited): Promise<{ documents: number; references: number; values: number }> => {
  const target = await it.other(String(it.finding.evidence['referredTo']));
  const ids = new Set(target.documents.map(({ _id }) => String(_id)));
  const path = pathOf(it);
  const lost = it.documents.map((document) => valuesAt(document, path).filter((id) => !ids.has(String(id))));
  return {
    documents: lost.filter((each) => each.length > 0).length,
    references: lost.flat().length,
    values: new Set(lost.flat().map(String)).size,
  };
};

/** At the finding's path; the documents themselves if it has none. */
const objectsOf = (it: Audited) =>
  it.finding.path === null
    ? it.documents
    : it.documents.flatMap((document) => valuesAt(document, pathOf(it))).filter(isPlain);
const fieldCounts = (it: Audited) => objectsOf(it).map((each) => Object.keys(each).length);

const repeatsOf = (names: readonly string[]) =>
  Math.max(0, ...[...groupedBy(names, (each) => each).values()].map((alike) => alike.length));

/** Of the families of types that both sides have, the smaller share of each. */
function sharedTypes({ finding: { evidence } }: Audited): number {
  const sides = [evidence['types'], evidence['otherTypes']] as [Record<string, number>, Record<string, number>];
  const [one, other] = sides.map((types) => {
    const all = sum(Object.values(types));
    return Object.fromEntries(Object.entries(types).map(([type, count]) => [type, count / all]));
  }) as [Record<string, number>, Record<string, number>];
  return sum(Object.entries(one).map(([type, part]) => Math.min(part, other[type] ?? 0)));
}

function typesWithin(value: unknown, { documents }: Recomputed, path: string): string | null {
  const all = documents.flatMap((document) => valuesAt(document, path)).map(bsonTypeOf);
  const wrong = Object.entries(value as Record<string, number>).filter(
    ([type, count]) => count > all.filter((each) => each === type).length,
  );
  return wrong.length === 0 && new Set(all).size === Object.keys(value as object).length
    ? null
    : `there are ${[...new Set(all)].join()}`;
}

const MS_PER_DAY = 86_400_000;

function agesAndLengths(it: Audited): (readonly [number, number])[] {
  return it.documents.map((document) => [
    (Date.now() - (document['_id'] as ObjectId).getTimestamp().getTime()) / MS_PER_DAY,
    sum(arraysAt([document], pathOf(it)).map(({ length }) => length)),
  ]);
}

/** By least squares. */
function slope(pairs: readonly (readonly [number, number])[]): number {
  const spread = (at: 0 | 1) => {
    const mean = sum(pairs.map((pair) => pair[at])) / pairs.length;
    return Math.sqrt(sum(pairs.map((pair) => (pair[at] - mean) ** 2)));
  };
  return (correlation(pairs) * spread(1)) / spread(0);
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Times in ms by source. */
function seriesOf(it: Audited): Map<string, number[]> {
  const [time, source] = ['timeField', 'sourceField'].map((key) => String(it.finding.evidence[key])) as [
    string,
    string,
  ];
  const series = groupedBy(it.documents, (document) => String(valuesAt(document, source)[0]));
  return new Map(
    [...series].map(([key, own]) => [key, own.map((each) => (valuesAt(each, time)[0] as Date).getTime())]),
  );
}

function gaps(times: readonly number[]): number[] {
  const ordered = times.toSorted((one, other) => one - other);
  return ordered.slice(1).map((time, index) => time - (ordered[index] ?? 0));
}

/** Children by parent. */
function familiesOf(it: Audited): Map<string, number> {
  return new Map(
    [...groupedBy(it.documents, (document) => String(valuesAt(document, pathOf(it))[0]))].map(([key, own]) => [
      key,
      own.length,
    ]),
  );
}

async function family(it: Audited): Promise<Recomputed[]> {
  const beginning = it.finding.namespace.slice(it.database.databaseName.length + 1).replace(/\*.*$/, '');
  const names = (await it.database.listCollections({}, { nameOnly: true }).toArray()).map((each) => each.name);
  return Promise.all(
    names.filter((each) => each.startsWith(beginning)).map((each) => it.other(`${it.database.databaseName}.${each}`)),
  );
}

/** By check. */
export const AUDITS: Readonly<Record<string, Readonly<Record<string, Audit>>>> = {
  'unbounded-array': ARRAYS,
  'long-reference-array': ARRAYS,
  'mixed-types': {
    types: async (value, it) => {
      const all = typesAt(it);
      const wrong = Object.entries(value as Record<string, number>).filter(([type, count]) => {
        const there = all.filter((each) => each === type).length;
        return isWhole(it) ? count !== there : count > there;
      });
      return wrong.length === 0 ? null : `other counts of ${wrong.join(' ')}`;
    },
    values: counted((it) => typesAt(it).length),
    minorityShare: share((it) => minority(it) / typesAt(it).length),
    minorityShareRange: rangeAround('minorityShare'),
    inMinority: counted(minority),
    documentsShowing: counted(minority),
  },
  'dynamic-field-names': {
    objects: counted((it) => fieldCounts(it).length),
    distinctFieldsAtLeast: atMost((it) => new Set(objectsOf(it).flatMap((each) => Object.keys(each))).size),
    namePattern: name,
    median: quantile(0.5, fieldCounts),
    p99: quantile(0.99, fieldCounts),
    max: largest(fieldCounts),
  },
  'deep-nesting': {
    levels: largest((it) => it.documents.map((document) => depthOf(document))),
    limit: exact(() => 100),
    deepestPath: name,
    documentsWithIt: counted((it) => ofAll(it, (document) => depthOf(document) === figureOf(it, 'levels'))),
    documentsShowing: counted((it) => ofAll(it, (document) => depthOf(document) === figureOf(it, 'levels'))),
    repeats: counted((it) => Math.max(...it.documents.map((document) => repeatsOf(deepestNames(document))))),
  },
  'oversized-document': {
    largestBytes: exact((it) => Math.max(...it.sizes)),
    shareOfLimit: about((it) => Math.max(...it.sizes) / (16 * 1024 * 1024), 0),
    documentsOverLine: exact((it) => it.sizes.filter((size) => size >= 8 * 1024 * 1024).length),
    documentsOverLineAtLeast: atMost((it) => it.sizes.filter((size) => size >= 8 * 1024 * 1024).length),
    documentsShowing: atMost((it) => it.sizes.filter((size) => size >= 8 * 1024 * 1024).length),
    heaviestPath: name,
    heaviestShare: about((it) => {
      const at = it.sizes.indexOf(Math.max(...it.sizes));
      return (
        sum(valuesAt(it.documents[at], String(it.finding.evidence['heaviestPath'])).map(bytesOf)) / (it.sizes[at] ?? 1)
      );
    }, 0.001),
  },
  'outlier-document': {
    median: quantile(0.5, ({ sizes }) => sizes),
    p90: quantile(0.9, ({ sizes }) => sizes),
    p95: quantile(0.95, ({ sizes }) => sizes),
    p99: quantile(0.99, ({ sizes }) => sizes),
    largestBytes: exact((it) => Math.max(...it.sizes)),
    outliersSeen: exact(
      (it) => it.sizes.filter((size) => size > 10 * figureOf(it, 'p95' in it.finding.evidence ? 'p95' : 'p90')).length,
    ),
    heaviestPath: name,
  },
  'bloated-document': {
    averageBytes: exact(storageOf('avgObjSize')),
    totalBytes: exact(storageOf('size')),
    heaviest: async (value, it) => {
      for (const { path, share: told } of value as { path: string; share: number }[]) {
        const own = sum(it.documents.map((document) => sum(valuesAt(document, path).map(bytesOf)))) / sum(it.sizes);
        if (Math.abs(own - told) > (isWhole(it) ? 0.001 : 0.05)) return `${path} is recomputed as ${own}`;
      }
      return null;
    },
    lightFields: (value, it) =>
      (value as number) <= new Set(it.documents.flatMap((each) => Object.keys(each))).size
        ? null
        : 'more than there are',
  },
  'dangling-reference': {
    dangling: atMost(async (it) => (await danglingIn(it)).references),
    shareDangling: shareOfFew(
      async (it) =>
        (await danglingIn(it)).references / it.documents.flatMap((each) => valuesAt(each, pathOf(it))).length,
      (it) => Math.round(figureOf(it, 'dangling') / figureOf(it, 'shareDangling')),
    ),
    valuesDangling: atMost(async (it) => (await danglingIn(it)).values),
    documentsDangling: atMost(async (it) => (await danglingIn(it)).documents),
    documentsReckoned: async (value, it) => {
      const { documents } = await danglingIn(it);
      if (!it.finding.message.includes('an estimated'))
        return documents === value ? null : `recomputed as ${documents}, and not marked as an estimate`;
      const trials = figureOf(it, 'dangling') / figureOf(it, 'shareDangling');
      const error = errorOf(documents / it.documents.length, trials) * it.documents.length;
      return Math.abs(documents - (value as number)) <= error ? null : `recomputed as ${documents} ± ${error}`;
    },
    documentsReckonedWithin: rangeAround('documentsReckoned'),
    referredTo: name,
    conversion: name,
  } as Record<string, Audit>,
  'denormalized-drift': {
    differing: atMost((it) => it.documents.length),
    shareDiffering: shareOfFew(
      async (it) => {
        const [namespace = '', field = ''] = String(it.finding.evidence['copiedFrom']).split(' ');
        const source = await it.other(namespace);
        const byId = new Map(source.documents.map((document) => [String(document['_id']), document]));
        const reference = String(it.finding.evidence['copiedBy']);
        const copies = it.documents.flatMap((document) => {
          const found = byId.get(String(valuesAt(document, reference)[0]));
          const copy = valuesAt(document, pathOf(it))[0];
          return found === undefined || copy === undefined ? [] : [String(copy) === String(valuesAt(found, field)[0])];
        });
        return copies.filter((isAlike) => !isAlike).length / copies.length;
      },
      (it) => Math.round(figureOf(it, 'differing') / figureOf(it, 'shareDiffering')),
    ),
    // Of the sampled copies alone, by their order.
    shareDifferingRange: rangeAround('shareDiffering'),
    agreementBeyondChance: (value) => ((value as number) <= 1 ? null : 'more than 1'),
    valuesAgreed: atMost(async (it) => {
      const source = await it.other(String(it.finding.evidence['copiedFrom']).split(' ')[0] ?? '');
      return source.documents.length;
    }),
    copiedBy: name,
    copiedFrom: name,
    sourcesWithOlderCopiesUpdated: atMost((it) => it.documents.length),
    sourcesWithOlderCopiesUntouched: atMost((it) => it.documents.length),
  },
  'unindexed-reference': {
    ...NEW_INDEXES,
    found: async (value, it) => {
      const target = await it.other(String(it.finding.evidence['referredTo']));
      const ids = new Set(target.documents.map(({ _id }) => String(_id)));
      const there = new Set(
        it.documents
          .flatMap((each) => valuesAt(each, pathOf(it)))
          .map(String)
          .filter((id) => ids.has(id)),
      );
      return (value as number) <= there.size ? null : `only ${there.size} values are there`;
    },
    shareFound: about(
      (it) => figureOf(it, 'found') / Number(/^[\d,]+/.exec(it.finding.evidence.window)?.[0].replaceAll(',', '')),
      0,
    ),
    documents: exact((it) => it.documents.length),
    referredTo: name,
    documentsReferredTo: exact(
      async (it) => (await it.other(String(it.finding.evidence['referredTo']))).documents.length,
    ),
    documentsPerReference: exact(async (it) => {
      const target = await it.other(String(it.finding.evidence['referredTo']));
      return it.documents.length / target.documents.length;
    }),
    conversion: name,
    searches: exact((it) => it.profiled.filter(({ command }) => command.filter?.[pathOf(it)] !== undefined).length),
  },
  'missing-validator': {
    documents: exact((it) => it.documents.length),
    requiredFields: name,
    stableShare: share((it) => {
      const fields = it.documents.flatMap((each) => Object.keys(each));
      const regular = fields.filter((field) => ofAll(it, (each) => field in each) >= 0.95 * it.documents.length);
      return regular.length / fields.length;
    }),
    averageDocumentSize: about(({ sizes }) => sum(sizes) / sizes.length, 0),
  },
  'empty-collection': {
    documents: exact((it) => it.documents.length),
    storageSize: exact(storageOf('storageSize')),
    totalIndexSize: exact(storageOf('totalIndexSize')),
    indexes: exact((it) => Object.keys(it.storage['indexSizes'] as object).length),
  },
  ...STORED,
  'ttl-without-effect': { ...TTL, types: (value, it) => typesWithin(value, it, indexedField(it)) },
  'lookup-type-mismatch': {
    types: async (value, it) => typesWithin(value, it, pathOf(it)),
    otherTypes: async (value, it) => {
      const [, place = '', path = ''] = /joined with (\S+) `([^`]+)`/.exec(it.finding.message) ?? [];
      return typesWithin(value, await it.other(place), path);
    },
    shareOfSameTypesAtMost: about(sharedTypes, 0.001),
    executions: exact((it) => joinsOf(it.profiled).length),
    joinedWith: name,
  },
  'missing-lookup-index': {
    foreignDocuments: exact((it) => it.documents.length),
    foreignSize: exact(storageOf('size')),
    ...JOINS,
    joinedFrom: name,
  },
  'heavy-lookup': {
    ...JOINS,
    chain: name,
    executions: exact((it) => begun(it.profiled).length),
    joinExecutions: exact((it) => joinsOf(it.profiled).length),
    shareOfOperations: exact((it) => joinsOf(it.profiled).length / begun(it.profiled).length),
    documentsPerExecution: exact((it) => Math.round(meanOf(joinsOf(it.profiled), 'docsExamined'))),
    shareOfDocuments: about(
      (it) =>
        sum(joinsOf(it.profiled).map(({ docsExamined }) => Number(docsExamined))) /
        sum(it.profiled.map(({ docsExamined }) => Number(docsExamined ?? 0))),
      0.001,
    ),
    shareOfWorkload: about(shareOfExamined, 0.05),
    joinsPerPipeline: exact((it) => {
      const counts = joinsOf(it.profiled).map(({ command }) => lookupsIn(command));
      return sum(counts) / counts.length;
    }),
    documentsJoined: atMost(async (it) => (await joinedBy(it)).documents.length),
    joinedBytes: exact(async (it) => {
      const { sizes } = await joinedBy(it);
      return Math.round(sum(sizes) / sizes.length);
    }),
    joined: name,
  },
  'fast-growing-array': {
    elementsPerDay: about((it) => slope(agesAndLengths(it)), 0.1),
    elementsPerDayRange: (value, it) => {
      const [least = 0, most = 0] = value as number[];
      const rate = slope(agesAndLengths(it));
      return least * 0.9 <= rate && rate <= most * 1.1 ? null : `recomputed as ${rate}`;
    },
    largestElementsPerDay: about((it) => {
      const [days, length] = agesAndLengths(it).toSorted((one, other) => other[1] - one[1])[0] ?? [1, 0];
      return length / days;
    }, 0.25),
    typicalLength: quantile(0.5, lengthsOf),
    largestLength: largest(lengthsOf),
    windowDays: about((it) => {
      const days = agesAndLengths(it)
        .map(([age]) => age)
        .toSorted((one, other) => one - other);
      const at = (part: number) => days[Math.round(part * (days.length - 1))] ?? Number.NaN;
      return at(0.95) - at(0.05);
    }, 0.01),
    ageField: name,
    ageCorrelation: about((it) => correlation(agesAndLengths(it)), 0.05),
    forecastDays: (value, it) => {
      const told = (value as Record<string, { typical: number[] }>)['1,000 elements']?.typical ?? [];
      const days = (1_000 - figureOf(it, 'typicalLength')) / figureOf(it, 'elementsPerDay');
      return (told[0] ?? 0) <= days && days <= (told[1] ?? Infinity) ? null : `recomputed as ${days}`;
    },
  },
  'bucket-candidate': {
    averageDocumentSize: about(({ sizes }) => sum(sizes) / sizes.length, 0),
    timeField: name,
    sourceField: name,
    valueFields: name,
    sources: counted((it) => seriesOf(it).size),
    intervalMs: about((it) => middle([...seriesOf(it).values()].flatMap(gaps)), 0.02),
    intervalSpread: about((it) => {
      const all = [...seriesOf(it).values()].flatMap(gaps);
      const median = middle(all);
      return middle(all.map((gap) => Math.abs(gap - median))) / median;
    }, 0.05),
    risingShare: (value) => ((value as number) > 0.9 && (value as number) <= 1 ? null : 'the series rises'),
    // What the documents weigh but for the measured values, which are of 8 bytes or fewer.
    repeatedShare: (value) => ((value as number) > 0 && (value as number) < 1 ? null : 'no share'),
    measurementsPerBucket: exact((it) => Math.min(1_000, Math.max(1, figureOf(it, 'measurementsPerBucket')))),
    buckets: atMost((it) => it.documents.length),
    indexBytesNow: exact(storageOf('totalIndexSize')),
    indexBytesThen: about(
      (it) => (storageOf('totalIndexSize')(it) * figureOf(it, 'buckets')) / it.documents.length,
      1.5,
    ),
  },
  'too-many-collections': {
    collections: exact(async (it) => (await family(it)).length),
    indexes: exact(async (it) =>
      sum((await family(it)).map(({ storage }) => Object.keys(storage['indexSizes'] as object).length)),
    ),
    documents: exact(async (it) => sum((await family(it)).map(({ documents }) => documents.length))),
    size: exact(async (it) => sum((await family(it)).map(({ storage }) => Number(storage['size'])))),
    dividedBy: name,
  },
  'split-one-to-few': {
    parent: name,
    readsByJoin: exact(async (it) => joinsOf(await it.profiledOn(String(it.finding.evidence['parent']))).length),
    readsByParent: exact(() => 0),
    readsAlone: exact(() => 0),
    writes: exact((it) => it.profiled.filter(({ op }) => ['update', 'remove'].includes(String(op))).length),
    readsPerWrite: exact(() => null),
    childrenAdded: exact((it) => it.profiled.filter(({ op }) => op === 'insert').length),
    parentsAdded: exact(() => 0),
    parentReads: exact(async (it) => begun(await it.profiledOn(String(it.finding.evidence['parent']))).length),
    families: exact((it) => familiesOf(it).size),
    allFamilies: name,
    childrenMedian: exact((it) => middle([...familiesOf(it).values()])),
    childrenMost: exact((it) => Math.max(...familiesOf(it).values())),
    orphans: exact(async (it) => {
      const parents = new Set(
        (await it.other(String(it.finding.evidence['parent']))).documents.map(({ _id }) => String(_id)),
      );
      return [...familiesOf(it).keys()].filter((key) => !parents.has(key)).length;
    }),
    embeddedBytes: async (value, it) => {
      const parent = await it.other(String(it.finding.evidence['parent']));
      const most = Math.max(...parent.sizes) + Math.max(...familiesOf(it).values()) * Math.max(...it.sizes);
      return (value as number) <= 1.1 * most ? null : `at most ${most}`;
    },
    growth: name,
  },
  'redundant-index': INDEXES,
  'unused-index': INDEXES,
  'hidden-index': INDEXES,
  'useless-index': USELESS,
  'large-multikey-index': MULTIKEY,
  'too-many-indexes': { ...INDEXES, writtenPerInsert: atMost((it) => figureOf(it, 'indexes')) },
  ...OF_CONDITIONS_AND_WRITES,
  'unbounded-find': READS,
  'over-fetching': READS,
  'rebuilt-array': REBUILT,
  'uncapped-write': { ...UPDATES, adds: name },
  'upsert-without-unique-index': UPSERTS,
  'n-plus-one-query': ONE_BY_ONE,
  'long-in-list': LISTS,
  'early-lookup': { ...QUERIES, joined: name },
  ...Object.fromEntries(QUERIES_OF.map((check) => [check, QUERIES])),
};

/**
 * What a number is of; texts are written as they are. A statistic has the unit of the distribution, and says something even if
 * it is 0. Rows are objects whose members are figures. Two numbers of days are a forecast, from now. What is hidden is a
 * judgement, or said elsewhere.
 */
export type Unit = 'count' | 'bytes' | 'share' | 'ms' | 'days' | 'statistic' | 'rows' | 'reads' | 'hidden';

interface Figure {
  readonly unit: Unit;
  /** Its name in words, if absent. */
  readonly label?: string;
  /** The figure behind which it stands in brackets; alone it says nothing. */
  readonly behind?: string;
  /** True if its two numbers are the ends of a range. */
  readonly isRange?: true;
}

type More = Pick<Figure, 'behind' | 'isRange'>;

type Row = readonly [name: string, figure: Figure];

/** Figures that are called by their names, in words. */
function of(unit: Unit, ...names: readonly string[]): Row[] {
  return names.map((name) => [name, { unit }]);
}

/** Figures with labels. */
function as(unit: Unit, labels: Readonly<Record<string, string>>, more: More = {}): Row[] {
  return Object.entries(labels).map(([name, label]) => [name, { unit, label, ...more }]);
}

/** Every figure of a built-in check: what it is called, and its unit. */
export const FIGURE_ROWS: readonly Row[] = [
  ...of('hidden', 'source', 'window', 'windowDays', 'distribution', 'documentsShowing', 'figuresFrom', 'ids'),
  ...of('hidden', 'heavyTail', 'bounded', 'dominant', 'allFamilies'),
  // Documents, fields and arrays.
  ...of('statistic', 'min', 'mean', 'median', 'p90', 'p95', 'p99', 'max'),
  ...as('count', { countAtMax: 'reached by' }, { behind: 'max' }),
  ...of('count', 'arrays', 'cappedAt', 'documents', 'elements', 'fields', 'levels', 'limit', 'objects', 'repeats'),
  ...of('count', 'deepestPath', 'lightFields', 'namePattern', 'namesPerLevel', 'requiredFields', 'types', 'values'),
  ...as('count', { distinctFieldsAtLeast: 'distinct fields, at least', elementKind: 'elements' }),
  ...of('count', 'distinctFields', 'fieldsThatDiffer', 'createdBetween', 'documentsOfShapes'),
  ...as('count', { outliersSeen: 'outliers found', outliersSeenAtLeast: 'outliers found, at least' }),
  ...as('count', { documentsOverLine: 'documents above the threshold', documentsWithIt: 'documents affected' }),
  ...as('count', { documentsOverLineAtLeast: 'documents above the threshold, at least' }),
  ...as('share', { shareOfDocument: 'share of the document', shareOfLimit: 'share of the limit' }),
  ...of('share', 'stableShare'),
  ...as('share', { newerThanShapeBeforeShare: 'newer than the shape before' }),
  ...as('count', { sizeCorrelation: 'correlation with the size', heaviestPath: 'largest field' }),
  ...as('share', { heaviestShare: '' }, { behind: 'heaviestPath' }),
  ...as('rows', { heaviest: 'largest fields' }),
  ...of('count', 'path', 'shard'),
  ...of('share', 'share'),
  ...as('bytes', { averageBytes: 'average', averageDocumentSize: 'average document', largestBytes: 'largest' }),
  ...as('bytes', { largestBytesAtMost: 'largest, at most', largestSeenBytes: 'largest seen', totalBytes: 'total' }),
  ...as('ms', { spanMs: 'written over' }),
  ...of('count', 'conflictsPerExecution', 'error', 'failed', 'inserts', 'readExecutions', 'writeConflicts'),
  ...of('count', 'documentsWithNull', 'refusedWrites'),
  ...of('count', 'builds', 'drops', 'indexNames'),
  ...as('count', { mostWritten: 'documents at once, at most' }),
  ...as('count', { documentsWithoutField: 'documents without it' }),
  ...of('bytes', 'heldBytes', 'writtenBytes'),
  ...of('share', 'failedShare'),
  ...as('bytes', { meanBytesAtLeast: 'mean of what was not read, at least', unseenBytes: 'size of what was not read' }),
  ...as('count', { unseenDocumentsAtMost: 'documents not read, at most' }),
  ...as('reads', { reads: 'recorded reads' }),
  ...as('share', { minorityShare: 'rare types' }),
  ...as('share', { minorityShareRange: 'in all documents' }, { behind: 'minorityShare', isRange: true }),
  ...as('count', { inMinority: 'values of rare types' }),
  ...of('count', 'documentsWithText', 'standsFor', 'storedAs', 'typedIn'),
  ...as('bytes', { averageTextBytes: 'average text', estimatedBytes: 'takes more, estimated' }),
  ...as('count', { expired: 'expired documents' }),
  ...as('share', { expiredShare: 'share of the sample' }),
  ...as('share', { expiredShareRange: 'in all documents' }, { behind: 'expiredShare', isRange: true }),
  // Growth.
  ...of('count', 'ageCorrelation', 'ageField', 'appendedPerDay', 'documentsAppended', 'elementsPerDay', 'growth'),
  ...of('count', 'highestIndex', 'largestElementsPerDay', 'largestLength', 'runs', 'typicalLength'),
  ...as('count', { elementsPerDayRange: '' }, { behind: 'elementsPerDay', isRange: true }),
  ...as('days', { forecastDays: 'forecast', oplogDays: 'oplog' }),
  // References, copies and children.
  ...of('count', 'agreementBeyondChance', 'conversion', 'copiedFrom', 'dangling', 'differing', 'documentsDangling'),
  ...of('count', 'documentsPerReference', 'documentsReferredTo', 'found', 'oneSided', 'otherSide', 'referredTo'),
  ...of('count', 'searches', 'sourcesWithOlderCopiesUntouched', 'sourcesWithOlderCopiesUpdated', 'valuesAgreed'),
  ...of('count', 'valuesDangling'),
  ...as('count', { copiedBy: 'reference', documentsReckoned: 'in all documents, estimated' }),
  ...as('count', { documentsReckonedWithin: '' }, { behind: 'documentsReckoned', isRange: true }),
  ...of('share', 'shareDangling', 'shareFound', 'shareOneSided', 'shareOfSameTypesAtMost'),
  ...as('share', { shareDiffering: 'share that differs' }),
  ...as('share', { shareDifferingRange: 'of all copies' }, { behind: 'shareDiffering', isRange: true }),
  ...of('count', 'childrenAdded', 'families', 'orphans', 'parent', 'parentReads', 'parentsAdded', 'readsAlone'),
  ...of('count', 'readsByJoin', 'readsByParent', 'readsPerWrite', 'writes'),
  ...as('count', { childrenMedian: 'median children', childrenMost: 'most children' }),
  ...as('bytes', { embeddedBytes: 'size if embedded' }),
  // Queries.
  ...of('count', 'adds', 'alsoWrites', 'collectionDocuments', 'deepestSkip', 'diskUses', 'documentsExamined'),
  ...of('count', 'documentsHere', 'documentsReturned', 'documentsSkipped', 'documentsSorted'),
  ...of('count', 'executions', 'executionsPerDay', 'executionsThatSkip', 'keysExamined', 'mostDocuments', 'queries'),
  ...of('count', 'comparedInSample', 'repeatedInSample', 'documentsListed', 'listedIn', 'lists', 'mostInTenSeconds'),
  ...of('count', 'plans', 'replanned', 'recordedExecutions', 'sampledValues', 'shapes', 'writesRecorded'),
  ...as('count', { absentField: 'in no sampled document' }),
  ...of('count', 'fieldInItsPlace', 'fieldNotHere', 'narrowedBy'),
  ...as('count', { inMemorySorts: 'in-memory sorts', medianValues: 'median values', mostValues: 'longest list' }),
  ...as('count', { medianValuesAtLeast: 'median values, at least', mostValuesAtLeast: 'longest list, at least' }),
  ...as('count', { keysExaminedInBatchesEstimated: 'keys examined in batches, estimated' }),
  ...as('count', { documentsUnwoundEstimated: 'documents unwound, estimated' }),
  ...as('count', { documentsExaminedWithIndex: 'documents examined with the index, estimated' }),
  ...as('count', { documentsExaminedWithIndexRange: '' }, { behind: 'documentsExaminedWithIndex', isRange: true }),
  ...as('count', { documentsExaminedWithIndexByQuery: 'by query' }, { behind: 'documentsExaminedWithIndex' }),
  ...as('count', { plansExecuted: 'executions' }, { behind: 'plans' }),
  ...as('count', { plansExamined: 'documents and keys per execution' }, { behind: 'plans' }),
  ...of(
    'share',
    'shareOfExamined',
    'shareOfOperations',
    'shareOfRecorded',
    'shareOfTime',
    'shareOfWorkload',
    'shareSortedInMemory',
  ),
  ...as('ms', { averageMs: 'average time', idleMs: 'idle', longestMs: 'longest', oldestReadMs: 'oldest read' }),
  ...of('bytes', 'bytesReturned', 'spills'),
  // Joins.
  ...of('count', 'documentsJoined', 'documentsPerExecution', 'foreignDocuments', 'joined', 'joinedFrom', 'joinedWith'),
  ...of('count', 'comparedWith', 'joinExecutions', 'joinsPerPipeline', 'otherTypes', 'storedTypes', 'strategy'),
  ...of('share', 'shareOfDocuments'),
  ...of('bytes', 'foreignSize'),
  ...as('bytes', { joinedBytes: 'size of a joined document' }),
  // Indexes.
  ...of('count', 'accesses', 'expireAfterSeconds', 'hiddenIndexes', 'indexes', 'key', 'missingOn', 'nodes'),
  ...of('count', 'declared', 'nodesNotAsked', 'relation', 'usedIndexes', 'writtenPerInsert'),
  ...as('count', { mostElements: 'longest array', medianElementsAtLeast: 'median elements, at least' }),
  ...as('count', { servedBy: 'also served by' }),
  ...as('count', { servedByKey: '' }, { behind: 'servedBy' }),
  ...as('bytes', { servedByBytes: '' }, { behind: 'servedBy' }),
  ...as('count', { superfluousIndexes: 'makes redundant' }),
  ...as('bytes', { superfluousIndexBytes: '' }, { behind: 'superfluousIndexes' }),
  ...as('count', { newIndexEntries: 'entries of the new index', newIndexWrites: 'recorded writes that it adds to' }),
  ...as('count', { newIndexEntriesEstimated: 'entries of the new index, estimated' }),
  ...as('count', { newIndexWritesPerDay: 'per day', newIndexWritesWindow: '' }, { behind: 'newIndexWrites' }),
  ...as('bytes', { newIndexBytesEstimated: 'size of the new index, estimated' }),
  ...as('bytes', { newIndexBytesRange: '' }, { behind: 'newIndexBytesEstimated', isRange: true }),
  ...as('bytes', { indexBytes: 'index', largestIndexBytes: 'largest indexes', documentBytes: 'data' }),
  ...as('bytes', { totalIndexBytes: 'all indexes', totalIndexSize: 'all indexes', storageSize: 'on disk' }),
  ...as('days', { hiddenDaysAtLeast: 'hidden for, at least' }),
  ...as('share', { rarestShare: 'share of the rarest value' }),
  // The server.
  ...of('count', 'changeStreamsLost', 'connectionsOpen', 'connectionsOpened', 'connectionsPerHour'),
  ...of('count', 'transactionsAborted', 'transactionsCommitted'),
  ...as('count', { unacknowledged: 'with w: 0', byOneMember: 'with w: 1', byMajority: 'with w: majority' }),
  ...as('count', { briefConnections: 'ended within a minute', operationsAtATime: 'operations at a time' }),
  // Collections, files and the oplog.
  ...of('count', 'boundedBy', 'buckets', 'bucketsFinished', 'bucketsOpened', 'bucketsOpenedForMetadata'),
  ...of('count', 'collections', 'dividedBy', 'earlierDocuments', 'emptyCollections', 'files', 'measurements'),
  ...of('count', 'measurementsPerBucket', 'sourceField', 'sources', 'timeField', 'updatesRecorded', 'valueFields'),
  ...as('count', { openFilesLimit: 'limit of open files', intervalSpread: 'spread of the intervals' }),
  ...as('ms', { bucketSpanMs: 'span of a bucket', intervalMs: 'interval', furthestBehindMs: 'furthest behind' }),
  ...of('share', 'repeatedShare', 'reusableShare', 'risingShare'),
  ...as('share', { unreadShareAtLeast: 'not read, at least' }),
  ...of('bytes', 'size'),
  ...as('bytes', {
    reusableBytes: 'reusable',
    reusableBytesByFile: 'by file',
    fileBytes: 'size of these files',
    oplogBytes: 'size of the oplog',
  }),
  ...as('bytes', { unreadBytesEstimated: 'size of what is not read, estimated', indexBytesNow: 'indexes now' }),
  ...as('bytes', { oplogBytesPerHour: 'written per hour', maximumOplogBytes: 'largest size of the oplog' }),
  ...as('bytes', { indexBytesThen: 'indexes of buckets' }),
  ...as('days', { daysSinceThen: 'counted before', daysUntilReused: 'reused in' }),
  // Sharding.
  ...of('count', 'analyzeShardKey', 'analyzeShardKeyCorrelation', 'balancer', 'chunks', 'correlation'),
  ...of('count', 'distinctValues', 'effectiveValues', 'insertionOrder', 'insertionPoints', 'insertsPerDay'),
  ...of('count', 'jumboChunks', 'kind', 'observations', 'operationsPerSecond', 'shardKey'),
  ...of('rows', 'shards'),
  ...as('count', { differenceChunks: 'difference in chunks', toleratedChunks: 'tolerated, in chunks' }),
  ...as('share', { mostCommonShare: 'share of the most common value' }),
  ...of('share', 'missingShare', 'newestInHighestChunk', 'newestInLowestChunk', 'shareOfChunks', 'shareOfFullest'),
  ...of('share', 'unshardedShare', 'writeShare'),
  ...of('bytes', 'bytes'),
  ...as('bytes', { chunkBytes: 'chunk size', mostCommonBytes: 'size of the most common value' }),
  ...as('bytes', { differenceBytes: 'difference', toleratedBytes: 'tolerated' }),
];

const FIGURES: ReadonlyMap<string, Figure> = new Map(FIGURE_ROWS);

/** Only the name is known of a plugin's figure that is not in the table. */
const UNKNOWN: Figure = { unit: 'count' };

export function figureNamed(name: string): Figure {
  return FIGURES.get(name) ?? UNKNOWN;
}

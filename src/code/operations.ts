import type { OperationKind } from '../workload/workload.js';

/** What a method of a collection or model sends, and which of its arguments say what. */
export interface Operation {
  /** Kinds that the server may record for it. */
  readonly kinds: readonly OperationKind[];
  readonly filter?: number;
  readonly update?: number;
  readonly pipeline?: number;
  /** Any further argument if it is not known of which library it is. */
  readonly options?: number | 'any';
  /** The filter is `_id`. */
  readonly byId?: true;
  /** At most one document is asked for. */
  readonly one?: true;
  readonly replaces?: true;
  /** Arrays have a method of that name, too. */
  readonly common?: true;
}

/** The methods of the Node driver. An aggregate counts for `countDocuments`. */
const DRIVER: Readonly<Record<string, Operation>> = {
  find: { kinds: ['find'], filter: 0, options: 1, common: true },
  findOne: { kinds: ['find'], filter: 0, options: 1, one: true },
  aggregate: { kinds: ['aggregate'], pipeline: 0, options: 1 },
  countDocuments: { kinds: ['aggregate'], filter: 0, options: 1 },
  estimatedDocumentCount: { kinds: ['count'] },
  count: { kinds: ['count'], filter: 0, options: 1, common: true },
  distinct: { kinds: ['distinct'], filter: 1, options: 2, common: true },
  insertOne: { kinds: ['insert'] },
  insertMany: { kinds: ['insert'] },
  updateOne: { kinds: ['update'], filter: 0, update: 1, options: 2 },
  updateMany: { kinds: ['update'], filter: 0, update: 1, options: 2 },
  replaceOne: { kinds: ['update'], filter: 0, replaces: true, options: 2 },
  deleteOne: { kinds: ['delete'], filter: 0, options: 1 },
  deleteMany: { kinds: ['delete'], filter: 0, options: 1 },
  findOneAndUpdate: { kinds: ['findAndModify'], filter: 0, update: 1, options: 2 },
  findOneAndReplace: { kinds: ['findAndModify'], filter: 0, replaces: true, options: 2 },
  findOneAndDelete: { kinds: ['findAndModify'], filter: 0, options: 1 },
  bulkWrite: { kinds: ['insert', 'update', 'delete'], common: true },
  // Methods of older versions, as those of mongoose below.
  insert: { kinds: ['insert'], common: true },
  update: { kinds: ['update'], filter: 0, update: 1, options: 2, common: true },
  remove: { kinds: ['delete'], filter: 0, options: 1, common: true },
  findAndModify: { kinds: ['findAndModify'], filter: 0, update: 2 },
};

const MONGOOSE: Readonly<Record<string, Operation>> = {
  ...DRIVER,
  find: { kinds: ['find'], filter: 0, options: 2, common: true },
  findOne: { kinds: ['find'], filter: 0, options: 2, one: true },
  findById: { kinds: ['find'], byId: true, options: 2, one: true },
  exists: { kinds: ['find'], filter: 0, one: true, common: true },
  create: { kinds: ['insert'], common: true },
  // An update that is empty is sent as a find.
  findOneAndUpdate: { kinds: ['findAndModify', 'find'], filter: 0, update: 1, options: 2 },
  findByIdAndUpdate: { kinds: ['findAndModify', 'find'], byId: true, update: 1, options: 2 },
  findByIdAndDelete: { kinds: ['findAndModify'], byId: true, options: 1 },
  findOneAndRemove: { kinds: ['findAndModify'], filter: 0, options: 1 },
  findByIdAndRemove: { kinds: ['findAndModify'], byId: true, options: 1 },
};

const METEOR: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries<Operation>({
    find: DRIVER['find'] as Operation,
    findOne: DRIVER['findOne'] as Operation,
    insert: DRIVER['insert'] as Operation,
    update: DRIVER['update'] as Operation,
    upsert: { kinds: ['update'], filter: 0, update: 1, options: 2, common: true },
    remove: { kinds: ['delete'], filter: 0, common: true },
  }).flatMap(([name, operation]) => [
    [name, operation],
    [`${name}Async`, operation],
  ]),
);

export const OPERATIONS = { driver: DRIVER, mongoose: MONGOOSE, meteor: METEOR } as const;

const ALL = new Map(Object.values(OPERATIONS).flatMap((of) => Object.entries(of)));

/** What a method of that name may be, of any library. */
export function operationNamed(name: string): Operation | null {
  return ALL.get(name) ?? null;
}

/** Methods of a cursor or query that leave what is asked for as it is, or that are read by name. */
export const CHAIN_METHODS: ReadonlySet<string> = new Set(
  (
    'sort limit skip project projection select lean exec toArray next hasNext forEach map then catch finally ' +
    'count hint maxTimeMS batchSize session comment cursor stream allowDiskUse readConcern withReadConcern ' +
    'read withReadPreference collation populate orFail addCursorFlag setOptions option explain fetch ' +
    'fetchAsync countAsync forEachAsync mapAsync close clone'
  ).split(' '),
);

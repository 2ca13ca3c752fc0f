import { type CommandStartedEvent, MongoClient } from 'mongodb';
import type { ConnectOptions } from '../../src/connect/client.js';
import { connect } from '../../src/connect/connect.js';
import { readCollection, type ReadingContext } from '../../src/evidence/collect-cluster-evidence.js';
import type { EvidenceName } from '../../src/evidence/evidence.js';
import { GroupedReads, type CollectedPieces, type PieceName } from '../../src/evidence/source.js';
import { isOfCluster, isPossibleOn } from '../../src/evidence/sources.js';
import { GrowthRun } from '../../src/growth/growth-run.js';
import type { Collection } from '../../src/inventory/collection.js';
import { takeInventory } from '../../src/inventory/inventory.js';

/** What groups can bring. */
const PIECES = ['storage', 'indexes', 'indexUsage', 'sample'] as const satisfies readonly PieceName[];
const BOUNDS = { sample: { documents: 1_000, bytes: 64 * 1024 * 1024 }, deep: false, showValues: false };

const ofCluster: ReadingContext['ofCluster'] = () => undefined as never;

/** The pieces of every collection, by name, and how many commands about them were sent. */
export interface CollectedWay {
  readonly pieces: Readonly<Record<string, CollectedPieces>>;
  /** By the command, or the first stage of the pipeline. */
  readonly sent: Readonly<Record<string, number>>;
}

export interface BothWays {
  readonly inGroups: CollectedWay;
  readonly oneByOne: CollectedWay;
}

/** Collects what groups can bring from the collections of a database, in groups and one by one. */
export async function collectBothWays(
  uri: string,
  database: string,
  options: {
    readonly connect?: Partial<ConnectOptions>;
    /** Just before the collections are read. */
    readonly before?: () => Promise<void>;
    /** After each way. */
    readonly after?: () => Promise<void>;
    /** Leaves pieces out. */
    readonly wanted?: readonly PieceName[];
  } = {},
): Promise<BothWays> {
  const oneByOne = await collect(uri, database, false, options);
  return { inGroups: await collect(uri, database, true, options), oneByOne };
}

async function collect(
  uri: string,
  database: string,
  inGroups: boolean,
  { connect: changes = {}, before, after, wanted: names = PIECES }: Parameters<typeof collectBothWays>[2] & object,
): Promise<CollectedWay> {
  const sent: Record<string, number> = {};
  const note = ({ command, commandName, databaseName }: CommandStartedEvent) => {
    if (databaseName !== database) return;
    const [stage] = (command['pipeline'] ?? []) as object[];
    const name = stage === undefined ? commandName : (Object.keys(stage)[0] as string);
    sent[name] = (sent[name] ?? 0) + 1;
  };
  const options = { uri, timeout: 15_000, maxTime: 600_000, concurrency: 1, ...changes };
  const connection = await connect(options, (client: MongoClient) => void client.on('commandStarted', note));
  try {
    const { reader, cluster } = connection;
    const ofDatabase = (namespace: string) => namespace.startsWith(`${database}.`);
    const inventory = await takeInventory(reader, ofDatabase, 4, cluster, [database]);
    await before?.();
    const wanted = (collection: Collection): ReadonlySet<PieceName> =>
      new Set(names.filter((name) => !isOfCluster(name) && isPossibleOn(collection.kind, name as EvidenceName)));
    const grouped = new GroupedReads(reader, BOUNDS.sample, {
      collections: inGroups ? inventory.collections : [],
      isShardingUnknown: inventory.shardingUnknown !== undefined,
      wanted,
    });
    const growth = new GrowthRun(reader, null, new Date());
    const common = { reader, grouped, growth, bounds: BOUNDS, ofCluster };
    const pieces: Record<string, CollectedPieces> = {};
    for (const collection of inventory.collections) {
      pieces[collection.name] = await readCollection({ ...common, collection }, wanted(collection));
      grouped.finish(collection);
    }
    return { pieces, sent };
  } finally {
    await after?.();
    await connection.close();
  }
}

/** Without what differs from one reading to the next: times, and the driver's errors. */
export function withoutTimes(pieces: Readonly<Record<string, CollectedPieces>>): unknown {
  return JSON.parse(
    JSON.stringify(pieces, (key, value: unknown) => {
      if (key === 'readAt' || key === 'elapsed' || key === 'error') return undefined;
      return value instanceof Map ? [...value] : value;
    }),
  );
}

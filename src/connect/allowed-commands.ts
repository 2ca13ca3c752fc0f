import type { Document } from 'mongodb';

// Reads, all of them. The driver's own housekeeping (`hello`, authentication, `getMore`, …) is not sent from here.
export const ALLOWED_COMMANDS = [
  'analyzeShardKey',
  'aggregate',
  'buildInfo',
  'connectionStatus',
  'count',
  'find',
  'getLog',
  'hello',
  'hostInfo',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'planCacheListFilters',
  'profile',
  'replSetGetStatus',
  'serverStatus',
] as const;

export type AllowedCommand = (typeof ALLOWED_COMMANDS)[number];

/** With this value `profile` returns the profiler's settings and leaves them as they are. */
export const PROFILER_SETTINGS = -1;

/** Refuses a command that is not listed, or would change something: a defect of mongolint, never of its user. */
export function assertReadOnlyCommand(command: Document): void {
  const [name] = Object.keys(command);
  if (!(ALLOWED_COMMANDS as readonly (string | undefined)[]).includes(name)) {
    throw new Error(`${name} is not on the list of commands that mongolint may send.`);
  }
  if (name === 'aggregate') assertReadOnlyPipeline(command['pipeline']);
  if (name === 'profile' && (command[name] !== PROFILER_SETTINGS || Object.keys(command).length > 1)) {
    throw new Error("mongolint never writes, so it does not change the profiler's settings.");
  }
  // To analyze reads and writes, the server would store split points in its config database.
  if (
    name === 'analyzeShardKey' &&
    (command['readWriteDistribution'] !== false || !(Number(command['sampleSize']) > 0))
  ) {
    throw new Error('mongolint never writes, so it lets analyzeShardKey read only a bounded sample of keys.');
  }
}

/** The stages that mongolint sends. Two of them have pipelines of their own. */
const READING_STAGES = new Set([
  '$addFields',
  '$collStats',
  '$group',
  '$indexStats',
  '$limit',
  '$lookup',
  '$match',
  '$project',
  '$querySettings',
  '$queryStats',
  '$replaceWith',
  '$sample',
  '$set',
  '$sort',
  '$unionWith',
]);

/** Refuses a pipeline with a stage that is not listed, at any depth: one of them may write, as `$out` and `$merge` do. */
export function assertReadOnlyPipeline(pipeline: unknown): void {
  if (!Array.isArray(pipeline))
    throw new Error('mongolint never writes, so it sends no pipeline that it can not read.');
  for (const stage of pipeline as readonly unknown[]) {
    for (const [name, body] of Object.entries(stage ?? { null: null })) {
      if (!READING_STAGES.has(name)) throw new Error(`mongolint never writes, so it does not send ${name}.`);
      const nested = (body as Document | null)?.['pipeline'] as unknown;
      if (nested !== undefined) assertReadOnlyPipeline(nested);
    }
  }
}

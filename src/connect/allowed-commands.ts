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

const WRITING_STAGES = new Set(['$out', '$merge']);
const STAGES_WITH_PIPELINES = ['$lookup', '$unionWith', '$facet'] as const;

/** Refuses a pipeline that would write, wherever the stage stands in it. */
export function assertReadOnlyPipeline(pipeline: readonly Document[]): void {
  for (const stage of pipeline) {
    for (const name of Object.keys(stage)) {
      if (WRITING_STAGES.has(name)) throw new Error(`mongolint never writes, so it does not send ${name}.`);
    }
    for (const name of STAGES_WITH_PIPELINES) {
      const body = stage[name] as Document | undefined;
      if (body === undefined) continue;
      const pipelines = name === '$facet' ? Object.values(body) : [body['pipeline']];
      for (const nested of pipelines) if (Array.isArray(nested)) assertReadOnlyPipeline(nested);
    }
  }
}

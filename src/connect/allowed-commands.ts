import type { Document } from 'mongodb';

/**
 * The commands that may leave the process: reads, every one. Housekeeping of the driver (`hello`, `ping`,
 * authentication, `getMore`, `killCursors`, `endSessions`) is not sent from here and not listed.
 */
export const ALLOWED_COMMANDS = [
  'analyzeShardKey',
  'aggregate',
  'buildInfo',
  'connectionStatus',
  'count',
  'find',
  'getLog',
  'hello',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'profile',
  'serverStatus',
] as const;

export type AllowedCommand = (typeof ALLOWED_COMMANDS)[number];

/** The value with which `profile` tells the profiler's settings and leaves them as they are. */
export const PROFILER_SETTINGS = -1;

/**
 * Refuses a command that is not on the list, or would change something.
 *
 * @throws Error. It is a defect of mongolint, never of its user.
 */
export function assertReadOnlyCommand(command: Document): void {
  const [name] = Object.keys(command);
  if (!(ALLOWED_COMMANDS as readonly (string | undefined)[]).includes(name)) {
    throw new Error(`${name} is not on the list of commands that mongolint may send.`);
  }
  if (name === 'profile' && (command[name] !== PROFILER_SETTINGS || Object.keys(command).length > 1)) {
    throw new Error("mongolint never writes, so it does not change the profiler's settings.");
  }
  // For the distribution of reads and writes the server stores split points in its config database.
  if (
    name === 'analyzeShardKey' &&
    (command['readWriteDistribution'] !== false || !(Number(command['sampleSize']) > 0))
  ) {
    throw new Error(
      'mongolint never writes, so it has analyzeShardKey look at a bounded sample of keys, and at nothing else.',
    );
  }
}

const WRITING_STAGES = new Set(['$out', '$merge']);
const STAGES_WITH_PIPELINES = ['$lookup', '$unionWith', '$facet'] as const;

/**
 * Refuses a pipeline that would write, wherever the stage stands in it.
 *
 * @throws Error for `$out` and `$merge`. It is a defect of mongolint, never of its user.
 */
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

import type { Document } from 'mongodb';
import type { WireFault } from './wire-fault.js';

type Matches = WireFault['on'];

/** Commands of this name. */
export function command(name: string): Matches {
  return (sent) => Object.keys(sent)[0] === name;
}

function firstStageIs(name: string): Matches {
  return ({ pipeline }) => Array.isArray(pipeline) && pipeline[0]?.[name] !== undefined;
}

function readsOf(collection: string): Matches {
  return (sent) => sent['find'] === collection || sent['aggregate'] === collection;
}

const isHello: Matches = (sent) => /^(?:hello|ismaster)$/i.test(Object.keys(sent)[0] as string);

/** Reads of documents of a user's collections: finds, and `$sample`. */
const isSample: Matches = (sent: Document) =>
  !['admin', 'config', 'local'].includes(String(sent['$db'])) &&
  !readsOf('system.profile')(sent) &&
  (sent['find'] !== undefined || firstStageIs('$sample')(sent));

/** The phases of a run, by what is sent in them. */
export const PHASES = {
  hello: isHello,
  buildInfo: command('buildInfo'),
  listDatabases: command('listDatabases'),
  listCollections: command('listCollections'),
  listIndexes: command('listIndexes'),
  collStats: firstStageIs('$collStats'),
  indexStats: firstStageIs('$indexStats'),
  sample: isSample,
  getMore: command('getMore'),
  profiler: readsOf('system.profile'),
  oplog: readsOf('oplog.rs'),
  killCursors: command('killCursors'),
  /** The workload's reading; not the probes of the load on the server, which leave sections out. */
  serverStatus: (sent) => sent['serverStatus'] !== undefined && sent['opLatencies'] === undefined,
  loadProbe: (sent) => sent['serverStatus'] !== undefined && sent['opLatencies'] !== undefined,
  getLog: command('getLog'),
  everything: () => true,
} as const satisfies Record<string, Matches>;

export type Phase = keyof typeof PHASES;

import type { Document } from 'mongodb';
import { z } from 'zod';
import {
  documentIn,
  figureIn,
  figuresIn,
  neededDocument,
  neededDocuments,
  neededFigure,
  textIn,
  timeIn,
} from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Cluster } from '../connect/connect.js';
import { absentBecause } from '../connect/server-error.js';
import { ofKind } from '../names.js';
import { figureSchema, type Plain, timeSchema } from '../plain.js';
import { evidenceSchema } from '../presence-schema.js';
import { type Evidence, present } from '../presence.js';
import { parsedLine } from '../workload/sources/connection-drivers.js';
import { UNUSED_SECTIONS } from '../workload/sources/server-status.js';

/** How a server is set up, as far as it says so itself. */
export const safetySchema = z.strictObject({
  /** In ms since 1970. */
  readAt: timeSchema,
  /** What a server warns of when it starts: the number of its log line, and the line's fixed text. */
  startupWarnings: evidenceSchema(z.array(z.strictObject({ id: figureSchema, text: ofKind('no name') }))),
  /** Connections since the start, those with TLS, and whether a client without a user may know that. */
  connections: evidenceSchema(
    z.strictObject({ created: figureSchema, encrypted: figureSchema, toAnyone: z.boolean() }),
  ),
  /** Members of the replica set that vote, those of them that hold data, and how many a majority write waits for; null of no set. */
  voters: evidenceSchema(
    z.strictObject({ voting: figureSchema, withData: figureSchema, forMajority: figureSchema }).nullable(),
  ),
  /** The version whose data formats it keeps to: "6.0". */
  compatibility: evidenceSchema(ofKind('no name')),
});

export type Safety = Plain<typeof safetySchema>;

const COMPATIBILITY = [{ $match: { _id: 'featureCompatibilityVersion' } }, { $project: { version: 1 } }];

async function asked<Value>(what: string, privilege: string, ask: () => Promise<Value>): Promise<Evidence<Value>> {
  try {
    return present(await ask());
  } catch (error) {
    return absentBecause(error, `reading ${what}`, privilege);
  }
}

const monitor = (command: string) => `${command} on the cluster, as in the role clusterMonitor`;

/** Asks a member how it is set up; each answer may be refused by itself. */
export async function readSafety(reader: ClusterReader, { topology }: Cluster): Promise<Evidence<Safety>> {
  const member = reader.withReadPreference('primaryPreferred');
  let readAt = Date.now();
  const startupWarnings = await asked('the warnings of the start', monitor('getLog'), async () => {
    const { log } = await member.command('admin', { getLog: 'startupWarnings' });
    return (Array.isArray(log) ? log : []).flatMap((line: unknown) => warningIn(String(line)) ?? []);
  });
  const connections = await asked('how connections are made', monitor('serverStatus'), async () => {
    const status = await member.command('admin', { serverStatus: 1, ...UNUSED_SECTIONS });
    readAt = timeIn(status, 'localTime') ?? readAt;
    neededDocument('serverStatus', status, 'transportSecurity');
    const byVersion = Object.values(figuresIn(status, 'transportSecurity') ?? {});
    const created = neededFigure('serverStatus', status, 'connections.totalCreated');
    const users = documentIn(await member.command('admin', { connectionStatus: 1 }), 'authInfo')?.[
      'authenticatedUsers'
    ];
    const toAnyone = Array.isArray(users) && users.length === 0;
    return { created, encrypted: byVersion.reduce((sum, count) => sum + count, 0), toAnyone };
  });
  const voters = await asked('who votes', monitor('replSetGetStatus'), async () => {
    if (topology !== 'replicaSet') return null;
    const status = await member.command('admin', { replSetGetStatus: 1 });
    const members = neededDocuments('replSetGetStatus', status, 'members');
    const voting = figureIn(status, 'votingMembersCount') ?? members.length;
    return {
      voting,
      withData: figureIn(status, 'writableVotingMembersCount') ?? voting,
      forMajority: neededFigure('replSetGetStatus', status, 'majorityVoteCount'),
    };
  });
  const compatibility = await asked('the feature compatibility version', 'find on admin.system.version', async () => {
    const [found] = await member.aggregate<Document>('admin', 'system.version', COMPATIBILITY).toArray();
    return textIn(found, 'version') ?? '';
  });
  return present({ readAt, startupWarnings, connections, voters, compatibility });
}

/** Texts of the server's own, without what differs from line to line. */
const FIXED_TEXT = /^[\w ,.;:/()'%-]{1,300}$/;

function warningIn(line: string): { id: number; text: string } | null {
  const parsed = parsedLine(line) as { readonly id?: unknown; readonly msg?: unknown } | null;
  const { id, msg } = parsed ?? {};
  return typeof id === 'number' && typeof msg === 'string' && FIXED_TEXT.test(msg) ? { id, text: msg } : null;
}

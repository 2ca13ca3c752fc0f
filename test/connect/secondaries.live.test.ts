import { MongoClient, type CommandSucceededEvent, type CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { startMemberSet, type MemberSet } from '../support/member-set.js';

/** A read of documents that a member answered: the command, the collection, and who answered. */
interface AnsweredRead {
  readonly collection: string;
  readonly address: string;
}

/** Collections of each way to read documents: whole, by the random cursor, and by a sorted sample. */
const DOCUMENTS: Readonly<Record<string, number>> = { few: 10, many: 25_000, some: 2_000 };

describe('a replica set of a primary and a secondary', () => {
  let set: MemberSet;
  beforeAll(async () => {
    set = await startMemberSet(2);
    const client = await new MongoClient(set.uri).connect();
    for (const [name, count] of Object.entries(DOCUMENTS)) {
      const documents = Array.from({ length: count }, (_, number) => ({ number }));
      await client
        .db('shop')
        .collection(name)
        .insertMany(documents, { writeConcern: { w: 2 } });
    }
    await client.close();
  });
  afterAll(() => set?.stop());

  it('is read from the secondary: every document of every collection, and none from the primary', async () => {
    const { report, reads } = await linted(set.uri);
    expect(report.summary.documentsSampled).toBe(10 + 1_000 + 1_000);
    expect(new Set(reads.map(({ collection }) => collection))).toEqual(new Set(Object.keys(DOCUMENTS)));
    expect(new Set(reads.map(({ address }) => address))).toEqual(new Set([addressOf(set, 1)]));
    expect(report.skipped.filter(({ reason }) => reason === 'connection' || reason === 'fault')).toEqual([]);
  });

  it('is read from the primary if the connection string says so', async () => {
    const { reads } = await linted(`${set.uri}&readPreference=primary`);
    expect(new Set(reads.map(({ address }) => address))).toEqual(new Set([addressOf(set, 0)]));
  });
});

function addressOf(set: MemberSet, member: number): string {
  return set.members[member]?.options.hosts[0]?.toString() ?? '';
}

/** Lints the database, and tells which member answered each aggregate and find over documents. */
async function linted(uri: string): Promise<{ report: Report; reads: AnsweredRead[] }> {
  const started = new Map<number, CommandStartedEvent>();
  const reads: AnsweredRead[] = [];
  const answered = ({ requestId, address }: CommandSucceededEvent) => {
    const command = started.get(requestId)?.command;
    const collection = command?.['aggregate'] ?? command?.['find'];
    if (typeof collection === 'string' && collection in DOCUMENTS && !readsStatistics(command?.['pipeline'])) {
      reads.push({ collection, address });
    }
  };
  const report = await lint({
    uri,
    include: ['shop.*'],
    onClient: (client) => {
      client.on('commandStarted', (event) => started.set(event.requestId, event));
      client.on('commandSucceeded', answered);
    },
  });
  return { report, reads };
}

/** Statistics of indexes are each member's own, so each is asked for them. */
function readsStatistics(pipeline: unknown): boolean {
  return Array.isArray(pipeline) && ('$indexStats' in pipeline[0] || '$collStats' in pipeline[0]);
}

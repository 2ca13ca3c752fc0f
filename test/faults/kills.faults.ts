import type { Document } from 'mongodb';
import { afterEach, describe, expect, it } from 'vitest';
import { APP_NAME } from '../../src/connect/client.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';

// Item 8 of "Hostile input": an operation that somebody killed is asked for again once, and is then a fault.
// One after another: the server refuses, or kills, for all.
const faulty = useFaultyShop();
const INTERRUPTED = 11_601;

async function refuse(mode: Document | 'alwaysOn' | 'off', failCommands: readonly string[] = []): Promise<void> {
  const data = mode === 'off' ? {} : { failCommands, errorCode: INTERRUPTED, appName: APP_NAME };
  await faulty.shop.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
}

afterEach(() => refuse('off'));

describe('item 8: an operation that was killed', () => {
  it.each(['aggregate', 'listIndexes', 'find', 'getMore', 'listCollections'])('once: %s', async (command) => {
    await refuse({ times: 1 }, [command]);
    const report = await faulty.lint({ exit: [1], report: true });
    expect(report?.findings.length).toBe(faulty.healthy.findings.length);
    expect(report?.failures ?? []).toEqual([]);
  });

  it.each(['aggregate', 'listIndexes'])('each time: %s', async (command) => {
    await refuse('alwaysOn', [command]);
    const report = await faulty.lint({ exit: [2], report: true });
    expect(JSON.stringify(report?.skipped)).toContain(
      'somebody ended it on the server, and again when it was repeated',
    );
  });

  it('again and again, by killOp', async () => {
    const admin = faulty.shop.client.db('admin');
    let killed = 0;
    const over = new AbortController();
    const killing = (async () => {
      while (!over.signal.aborted) {
        const { inprog } = await admin.command({ currentOp: 1, appName: APP_NAME, active: true });
        for (const { opid } of inprog as readonly Document[]) {
          await admin.command({ killOp: 1, op: opid as number });
          killed += 1;
        }
      }
    })();
    await faulty.lint({ exit: [1, 2] }, { args: ['--sample-bytes', '60000000'] });
    over.abort();
    await killing;
    expect(killed).toBeGreaterThan(0);
  });
});

import { openSync } from 'node:fs';
import type { MongoClient } from 'mongodb';
import { describe, it } from 'vitest';
import { whileRefusing } from '../support/faults/fail-command.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { LIMITS } from '../support/faults/linter-process.js';
import { addLinter, LINTER } from '../support/faults/shop.js';
import { PHASES } from '../support/wire/phases.js';
import {
  cutAfter,
  garbage,
  swallow,
  wrongDocumentLength,
  wrongMessageLength,
} from '../support/wire/reply-treatments.js';

// The core of `npm run test:faults`, a case of each kind: the built command on a real server, with a proxy between them.
const faulty = useFaultyShop();

describe('replies', () => {
  it.concurrent.each([
    { fault: 'that are cut', phase: 'getMore', reply: cutAfter(40), exit: [1, 2] },
    { fault: 'that are garbage', phase: 'listCollections', reply: garbage(), exit: [2] },
    { fault: 'of a negative length', phase: 'collStats', reply: wrongMessageLength('negative'), exit: [2] },
    { fault: 'with a document that is too long', phase: 'oplog', reply: wrongDocumentLength('too long'), exit: [2] },
  ] as const)('$fault, in the phase $phase', async ({ phase, reply, exit }) => {
    await faulty.lintThroughProxy({ exit, report: true }, [{ on: PHASES[phase], reply }]);
  });

  // The time of a command is up; what rests on others is judged.
  it.concurrent('that do not come', async () => {
    const fault = { on: PHASES.listIndexes, reply: swallow() };
    await faulty.lintThroughProxy({ exit: [1], report: true }, [fault], { limits: { ...LIMITS, timeout: 4_000 } });
  });
});

describe('midway', () => {
  it.concurrent('the user is dropped', async () => {
    await addLinter(faulty.shop.client, 'dropped');
    const uri = faulty.shop.uri.replace(LINTER.name, 'dropped');
    const before = () => dropUser(faulty.shop.client, 'dropped');
    await faulty.lintThroughProxy({ exit: [2], report: true }, [{ on: PHASES.listIndexes, times: 1, before }], { uri });
  });
});

describe('what the server refuses', () => {
  it('is told, and the rest is judged', async () => {
    await whileRefusing(faulty.shop.client, 'listIndexes', 'Unauthorized', () =>
      faulty.lint({ exit: [1], keeps: ['shop.threads'], report: true }),
    );
  });
});

describe('an output', () => {
  it.concurrent('that is full', async () => {
    await faulty.lint({ exit: [2] }, { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
  });

  it.concurrent('whose reader is gone', async () => {
    await faulty.lint({ exit: [1] }, { meanwhile: (linter) => void linter.stdout?.destroy() });
  });
});

async function dropUser(client: MongoClient, user: string): Promise<void> {
  await client.db('admin').command({ dropUser: user });
}

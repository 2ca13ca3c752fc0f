import type { MongoClient } from 'mongodb';
import { describe, it } from 'vitest';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { addLinter, LINTER, ROLES } from '../support/faults/shop.js';
import { PHASES, type Phase } from '../support/wire/phases.js';
import type { WireFault } from '../support/wire/wire-fault.js';

// Real users on a real server. A proxy says when: just before the server gets the first command of a phase.
const faulty = useFaultyShop();

const LOSSES = {
  dropUser: (client: MongoClient, user: string) => client.db('admin').command({ dropUser: user }),
  revokeRoles: (client: MongoClient, user: string) =>
    client.db('admin').command({ revokeRolesFromUser: user, roles: ROLES }),
} as const;

/** The phases before which the rights are lost, and whether a report is possible. */
const AT: readonly { readonly phase: Phase; readonly report: boolean }[] = [
  { phase: 'buildInfo', report: false },
  { phase: 'listCollections', report: false },
  { phase: 'listIndexes', report: true },
  { phase: 'sample', report: true },
  { phase: 'getMore', report: true },
];

describe.each(Object.entries(LOSSES))('%s', (loss, take) => {
  it.concurrent.each(AT)('before the first $phase', async ({ phase, report }) => {
    const user = `${loss}-${phase}`;
    await addLinter(faulty.shop.client, user);
    const uri = faulty.shop.uri.replace(LINTER.name, user);
    const before: WireFault['before'] = async () => void (await take(faulty.shop.client, user));
    await faulty.lintThroughProxy({ exit: [2], report }, [{ on: PHASES[phase], times: 1, before }], {
      uri,
      sharesProcess: true,
    });
  });
});

const sampleOf =
  (name: string): WireFault['on'] =>
  (command) =>
    PHASES.sample(command) && (command['find'] === name || command['aggregate'] === name);
/** What follows the first documents: the rest of their batch on a slow link, else the next documents by their ids. */
function moreOf(name: string): WireFault['on'] {
  let first: unknown;
  return (command) => {
    if (command['getMore'] !== undefined) return command['collection'] === name;
    const isOfDocuments = command['find'] === name && command['filter']?._id?.$in !== undefined;
    if (isOfDocuments) first ??= command;
    return isOfDocuments && command !== first;
  };
}

/** What is done to a collection midway; its findings may be missing, if that is said. */
describe('a collection that is', () => {
  const CHANGES = {
    dropped: (client: MongoClient, name: string) => client.db('shop').dropCollection(name),
    renamed: (client: MongoClient, name: string) => client.db('shop').renameCollection(name, `${name}_renamed`),
    emptied: (client: MongoClient, name: string) => client.db('shop').collection(name).deleteMany({}),
  } as const;
  const cases = Object.keys(CHANGES).flatMap((change) => [
    { change, when: 'before its sample', on: sampleOf },
    { change, when: 'within its sample', on: moreOf },
  ]);

  it.concurrent.each(cases)('$change $when', async ({ change, when, on }) => {
    const name = `${change}_${when}`.replaceAll(' ', '_');
    const body = '.'.repeat(300_000);
    await faulty.shop.client
      .db('shop')
      .collection(name)
      .insertMany(Array.from({ length: 60 }, (_, number) => ({ number, body })));
    const before: WireFault['before'] = async () =>
      void (await CHANGES[change as keyof typeof CHANGES](faulty.shop.client, name));
    const keeps = ['shop.threads', 'shop.orders'];
    await faulty.lintThroughProxy({ exit: [1], keeps, report: true }, [{ on: on(name), times: 1, before }], {
      sharesProcess: true,
    });
  });
});

/**
 * A property: what is understood of a call explains the command that the driver really sends for it. The source is generated,
 * run on a real server with a listener for commands, and read without being run.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BSON, MongoClient, ObjectId, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { explains } from '../../src/code/explains.js';
import type { Place } from '../../src/code/place.js';
import { readCode } from '../../src/code/read-code.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import type { OperationKind } from '../../src/workload/workload.js';
import { generatedSource } from '../support/code/generated-source.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';

type Sent = (database: Db, x: unknown, y: unknown) => Promise<unknown>;

const FUNCTIONS = 200;
/** Another one may be tried: SEED=7. */
const SEED = Number(process.env['SEED'] ?? 38);
const ARGUMENTS: readonly (readonly [x: unknown, y: unknown])[] = [
  [1, 'b'],
  [undefined, undefined],
  [new ObjectId(), ['a', 'b']],
  [null, new Date(0)],
  ['', { $gt: 2 }],
];

const client = new MongoClient(sharedReplicaSetUri(), { monitorCommands: true });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongolint-sent-'));
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});
const database = freshDatabase(client);

/** As the server records a command: each statement by itself. */
function recorded(name: string, command: Document): readonly { kind: OperationKind; command: Document }[] {
  if (name === 'update') return (command['updates'] as Document[]).map((each) => ({ kind: 'update', command: each }));
  if (name === 'delete')
    return (command['deletes'] as Document[]).map((each) => ({
      kind: 'delete',
      command: { ...each, multi: each['limit'] === 0 },
    }));
  return [{ kind: name as OperationKind, command }];
}

it('each command is explained by the call that sent it', async () => {
  const source = generatedSource(SEED, FUNCTIONS);
  const file = join(folder, 'generated.mjs');
  await writeFile(file, source.text);
  const functions = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Sent>>;
  const { places } = await readCode(folder);
  const placesAt = new Map<number, Place[]>();
  for (const place of places) placesAt.set(place.line, [...(placesAt.get(place.line) ?? []), place]);

  let events: CommandStartedEvent[] = [];
  client.on('commandStarted', (event) => events.push(event));
  const contradicted: object[] = [];
  let [sent, complete] = [0, 0];
  for (let number = 0; number < FUNCTIONS; number += 1) {
    const line = source.lineOf(number);
    const own = placesAt.get(line) ?? [];
    expect({ line, places: own.length }).toEqual({ line, places: 1 });
    if (own[0]?.complete === true) complete += 1;
    for (const [x, y] of ARGUMENTS) {
      events = [];
      // What the server refuses was sent all the same, and what the driver refuses was not.
      const refused = await functions[`f${number}`]?.(database, x, y).then(
        () => null,
        (error: unknown) => error,
      );
      if (refused !== null && !(refused instanceof Error)) throw new Error('It was refused without an error.');
      for (const { commandName, command } of events)
        // As it goes to the server: maps are objects, and undefined is null.
        for (const each of recorded(
          commandName,
          BSON.deserialize(BSON.serialize(command, { ignoreUndefined: false })),
        )) {
          sent += 1;
          const namespace = `${database.databaseName}.orders`;
          const shape = operationShape({ ...each, namespace, truncated: false }, literalPlaceholder);
          if (!own.some((place) => explains(place, shape)))
            contradicted.push([source.text.split('\n')[line - 1], { x, y }, shape, own[0]?.shapes]);
        }
    }
  }
  expect(contradicted).toEqual([]);
  expect(sent).toBeGreaterThan(FUNCTIONS * 3);
  // Else it would be no proof.
  expect(complete).toBeGreaterThan(FUNCTIONS / 2);
});

import type { Db } from 'mongodb';
import type { Finding, RemedyCommand } from '../../../src/finding.js';
import { reportedRemedy } from '../../../src/findings/stamp.js';
import { findingOf } from './sample-report.js';

/** Names that a server takes for collections, and that end a string or a comment where they are not escaped. */
const NAMES = [
  'x"); db.dropDatabase(); ("',
  "y'); db.dropDatabase(); ('",
  'z\u2028db.dropDatabase()',
  '*/ db.dropDatabase(); /*',
  'a\ndb.dropDatabase();',
];

interface CollectionState {
  readonly indexes: readonly string[];
  readonly isValidated: boolean;
}

/** Collections with such names, findings whose commands create, guard and hide there, and what of it is in force. */
export function hostileFindings(
  database: Db,
  prefix: string,
): { names: readonly string[]; findings: Finding[]; state: () => Promise<Record<string, CollectionState>> } {
  const names = NAMES.map((name) => `${prefix}${name}`);
  const findings = names.flatMap((name) => {
    const commands: RemedyCommand['command'][] = [
      { collMod: name, index: { name: 'old_1', hidden: true } },
      {
        collMod: name,
        validator: { [name.replaceAll('.', '')]: { $exists: true } },
        validationLevel: 'moderate',
        validationAction: 'warn',
      },
      { createIndexes: name, indexes: [{ key: { new: 1 }, name: 'new_1' }] },
    ];
    return commands.map((command) =>
      findingOf({
        namespace: `${database.databaseName}.${name}`,
        path: name,
        message: name,
        remedy: reportedRemedy({
          steps: [
            { text: name, command: { db: database.databaseName, command } },
            { text: name, code: name },
          ],
        }),
      }),
    );
  });
  const state = async () => {
    const entries = names.map(async (name): Promise<[string, CollectionState]> => {
      const [options] = await database.listCollections({ name }).toArray();
      const indexes = await database.collection(name).indexes();
      const texts = indexes.map((index) => `${index.name}${index['hidden'] === true ? ' hidden' : ''}`).toSorted();
      const { validator = {} } = (options as { options?: { validator?: object } } | undefined)?.options ?? {};
      return [name, { indexes: texts, isValidated: Object.keys(validator).length > 0 }];
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  return { names, findings, state };
}

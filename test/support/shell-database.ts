import type { RemedyCommand } from '../../src/finding.js';

type Command = RemedyCommand['command'];

const defaultName = (key: object) =>
  Object.entries(key)
    .map((each) => each.join('_'))
    .join('_');

/** A collection of {@link recordingShell}: what its methods run. */
function collectionMethods(name: string, run: (command: Command) => void) {
  const create = (keys: Command[], { name: given, ...options }: Command = {}) =>
    run({
      createIndexes: name,
      indexes: keys.map((key) => ({ key, name: given ?? defaultName(key), ...options })),
    });
  return {
    createIndex: (key: Command, options?: Command) => create([key], options),
    createIndexes: create,
    dropIndex: (index: string) => run({ dropIndexes: name, index }),
    dropIndexes: (index: string[]) => run({ dropIndexes: name, index }),
    hideIndex: (index: string) => run({ collMod: name, index: { name: index, hidden: true } }),
    unhideIndex: (index: string) => run({ collMod: name, index: { name: index, hidden: false } }),
    drop: () => run({ drop: name }),
  };
}

/**
 * Stands in for the `db` of mongosh: its methods hand over the commands that the shell would run. Objects come from another realm, whose
 * prototypes are others, so they are copied.
 */
export function recordingShell(record: (of: RemedyCommand) => void): object {
  const database = (db: string): object => {
    const run = (command: Command) => record({ db, command: JSON.parse(JSON.stringify(command)) as Command });
    const getCollection = (name: string) => collectionMethods(name, run);
    const methods: Record<string, unknown> = {
      runCommand: run,
      getCollection,
      createCollection: (name: string, options: Command = {}) => run({ create: name, ...options }),
      createRole: ({ role, ...rest }: Command) => run({ createRole: role ?? null, ...rest }),
      updateRole: (role: string, rest: Command) => run({ updateRole: role, ...rest }),
      createUser: ({ user, ...rest }: Command) => run({ createUser: user ?? null, ...rest }),
      grantPrivilegesToRole: (role: string, privileges: Command) => run({ grantPrivilegesToRole: role, privileges }),
    };
    return new Proxy(methods, { get: (_, name) => methods[String(name)] ?? getCollection(String(name)) });
  };
  return {
    getSiblingDB: database,
    adminCommand: (command: Command) =>
      record({ db: 'admin', command: JSON.parse(JSON.stringify(command)) as Command }),
  };
}

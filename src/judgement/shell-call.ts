import { isDeepStrictEqual } from 'node:util';
import { shellCollectionIn, shellDatabase } from '../namespace.js';

/** A command as `db.runCommand()` takes it; its name is the first key. */
type Command = Readonly<Record<string, unknown>>;

/** A method of mongosh, and what it is called with. */
export interface ShellCall {
  /** `db.getSiblingDB("shop").orders.createIndex`. */
  readonly method: string;
  readonly args: readonly unknown[];
}

interface Helper {
  readonly of: 'database' | 'collection';
  readonly name: string;
  readonly args: readonly unknown[];
}

/**
 * The call by which people run a command in mongosh: the shell's own method for it, or else `runCommand`. It names its
 * database, so that a line copied alone cannot run on another one.
 */
export function shellCall(database: string, command: Command): ShellCall {
  const helper = helperOf(command);
  if (helper === null)
    return {
      method: database === 'admin' ? 'db.adminCommand' : `${shellDatabase(database)}.runCommand`,
      args: [command],
    };
  const { of, name, args } = helper;
  const on =
    of === 'database' ? shellDatabase(database) : shellCollectionIn(database, String(Object.values(command)[0]));
  return { method: `${on}.${name}`, args };
}

function helperOf(command: Command): Helper | null {
  const [[name, value] = ['', null], ...others] = Object.entries(command);
  if (typeof value !== 'string' || value === '') return null;
  const options = Object.fromEntries(others);
  const names = others.map(([option]) => option).join();
  switch (name) {
    case 'createIndexes':
      return names === 'indexes' && Array.isArray(options['indexes'])
        ? creationOf(options['indexes'] as Command[])
        : null;
    case 'dropIndexes':
      if (names !== 'index') return null;
      return droppingOf(options['index']);
    case 'collMod': {
      const { name: index, hidden, ...more } = (options['index'] ?? {}) as Command;
      const isOther = names !== 'index' || Object.keys(more).length > 0 || typeof hidden !== 'boolean';
      if (isOther || typeof index !== 'string') return null;
      return onCollection(hidden ? 'hideIndex' : 'unhideIndex', index);
    }
    case 'drop':
      return names === '' ? onCollection('drop') : null;
    case 'create':
      return { of: 'database', name: 'createCollection', args: [value, ...(names === '' ? [] : [options])] };
    case 'createRole':
      return { of: 'database', name: 'createRole', args: [{ role: value, ...options }] };
    case 'updateRole':
      return { of: 'database', name: 'updateRole', args: [value, options] };
    case 'grantPrivilegesToRole':
      return names === 'privileges' ? { of: 'database', name, args: [value, options['privileges']] } : null;
    default:
      return null;
  }
}

function onCollection(name: string, ...args: readonly unknown[]): Helper {
  return { of: 'collection', name, args };
}

/** Several indexes are one call if they have the same options. */
function creationOf(indexes: readonly Command[]): Helper | null {
  const parts = indexes.map(({ key, name, ...options }) => {
    const isNamedByKey = name === defaultName((key ?? {}) as Command);
    return { key, options: isNamedByKey ? options : { name, ...options } };
  });
  const [first, ...others] = parts;
  if (first === undefined || parts.some(({ key }) => key === undefined)) return null;
  const options = Object.keys(first.options).length === 0 ? [] : [first.options];
  if (others.length === 0) return onCollection('createIndex', first.key, ...options);
  if (!others.every((other) => isDeepStrictEqual(other.options, first.options))) return null;
  return onCollection(
    'createIndexes',
    parts.map(({ key }) => key),
    ...options,
  );
}

/** The name that the shell gives an index without one. */
function defaultName(key: Command): string {
  return Object.entries(key)
    .map(([path, kind]) => `${path}_${String(kind)}`)
    .join('_');
}

function droppingOf(index: unknown): Helper | null {
  const names = Array.isArray(index) ? (index as unknown[]) : [index];
  if (names.length === 0 || !names.every((each) => typeof each === 'string' && each !== '*')) return null;
  if (names.length === 1) return onCollection('dropIndex', names[0]);
  return onCollection('dropIndexes', names);
}

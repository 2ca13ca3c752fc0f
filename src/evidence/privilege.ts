/**
 * What an action is allowed on. An empty name stands for all; system collections and the databases `config` and `local` are
 * not among them.
 */
export type Resource = { readonly cluster: true } | { readonly db: string; readonly collection: string };

/** A privilege as `createRole` takes it. */
export interface Privilege {
  readonly resource: Resource;
  readonly actions: readonly string[];
}

/** A privilege that a source of evidence needs. */
export interface NeededPrivilege extends Privilege {
  /** True if older servers do not know the action, and refuse to create a role with it. */
  readonly newerServersOnly?: true;
}

export const CLUSTER: Resource = { cluster: true };
export const DATA: Resource = { db: '', collection: '' };

export function findOn(db: string, collection: string): NeededPrivilege {
  return { resource: { db, collection }, actions: ['find'] };
}

export const FIND_DOCUMENTS: NeededPrivilege = { resource: DATA, actions: ['find'] };

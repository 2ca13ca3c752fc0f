import type { Document } from 'mongodb';
import type { IndexDescription } from '../../inventory/collection.js';
import type { RemedyCommand } from '../../finding.js';

/** An index that a remedy creates: where, and as `createIndexes` takes it. */
export interface CreatedIndex {
  readonly db: string;
  readonly collection: string;
  readonly specification: Document & Pick<IndexDescription, 'key' | 'collation'>;
}

/** The indexes that the commands of a remedy create, in their order. */
export function createdIndexes({
  commands = [],
}: {
  readonly commands?: readonly RemedyCommand[] | undefined;
}): CreatedIndex[] {
  return commands.flatMap(({ db, command }) => {
    const { createIndexes: collection, indexes } = command;
    if (typeof collection !== 'string' || !Array.isArray(indexes)) return [];
    return (indexes as CreatedIndex['specification'][]).map((specification) => ({ db, collection, specification }));
  });
}

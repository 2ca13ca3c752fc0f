import type { Collection, IndexDescription, RemedyStep } from '../../src/check.js';
import { inWords } from '../../src/format.js';
import type { ReusableFile } from './reusable-files.js';
import type { SpaceReuse } from './space-reuse.js';

export function stepsFor(
  { database, name }: Collection,
  indexes: readonly IndexDescription[],
  files: readonly ReusableFile[],
  reuse: SpaceReuse,
): RemedyStep[] {
  if (reuse.kind === 'soon')
    return [{ text: 'Leave it: the next documents use this space. Compacting now would make the files grow again.' }];
  const shards = [...new Set(files.flatMap(({ shard }) => shard ?? []))];
  const isKnown = reuse.kind === 'unneeded';
  return [
    ...(isKnown
      ? []
      : [
          {
            text:
              'First find out whether the collection fills up again: run with --history for a week or more. A queue needs at its ' +
              'peak what is free now, and is not to be compacted.',
          },
        ]),
    {
      text:
        `${isKnown ? 'Compact' : 'If it does not, compact'} one secondary after the other${shards.length === 0 ? '' : ` of ${inWords(shards)}`}, connected to it directly, in a quiet hour and with a backup. ` +
        `Since 4.4, reads and writes go on; building and dropping ${indexes.length > 1 ? 'its indexes' : 'indexes'} waits. Before 4.4.17, the member does not replicate meanwhile.`,
      code: `db.getSiblingDB(${JSON.stringify(database)}).runCommand({ compact: ${JSON.stringify(name)} })`,
    },
    {
      text: 'From 8.0 on, ask first how much it would free, with dryRun: true. autoCompact does it in the background.',
    },
    { text: 'Step the primary down, and compact it as a secondary.' },
    {
      text:
        'Alternative, if many collections of a node are like this: resync its members one by one. The initial sync writes new ' +
        'files. Keep a majority of members up.',
    },
    { text: 'Read freeStorageSize again: compaction moves what fits, so a part can stay.' },
  ];
}

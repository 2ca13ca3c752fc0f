import { present, SKIP_REASONS } from '../../presence.js';
import { findLargestDocuments } from '../../profile/largest-documents.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const largestDocuments: CollectionSource<'largestDocuments'> = {
  name: 'largestDocuments',
  restsOn: ['storage', 'sample', 'documents'],
  possibleOn: ['collection'],
  privileges: [FIND_DOCUMENTS],
  async collect({ reader, collection, bounds, of }) {
    const [storage, sample] = [of('storage'), of('sample')];
    if (!sample.present) return sample;
    const { evidence, sizes } = sample.value;
    return present(await findLargestDocuments(reader, collection, storage, evidence.sample, sizes, bounds));
  },
  schema: (z) =>
    z.strictObject({
      maximumBytes: z.number(),
      source: z.enum(['sample', 'probe']),
      sizes: z.array(z.number()),
      unseenBytes: z.number().nullable(),
      probe: z.discriminatedUnion('state', [
        z.strictObject({ state: z.literal('not-needed') }),
        z.strictObject({
          state: z.literal('complete'),
          thresholdBytes: z.number(),
          sizes: z.array(z.number()),
          atLeast: z.boolean(),
        }),
        z.strictObject({
          state: z.literal('cut-short'),
          thresholdBytes: z.number(),
          reason: z.enum(SKIP_REASONS),
          detail: z.string(),
        }),
      ]),
      ids: z.array(z.string()).exactOptional(),
    }),
};

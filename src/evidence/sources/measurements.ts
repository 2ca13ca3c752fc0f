import { readMeasurements } from '../measurements/measurement-series.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const measurements: CollectionSource<'measurements'> = {
  name: 'measurements',
  restsOn: ['documents'],
  possibleOn: ['collection'],
  privileges: [FIND_DOCUMENTS],
  async collect({ reader, collection, of }) {
    const documents = of('documents');
    return documents.present ? readMeasurements(reader, collection, documents.value.profile) : documents;
  },
  schema: (z) =>
    z
      .strictObject({
        timeField: z.string(),
        sourceField: z.string(),
        valueFields: z.array(z.string()),
        documents: z.number(),
        sources: z.number(),
        readingsPerSource: z.number(),
        interval: z.number(),
        intervalSpread: z.number(),
        risingShare: z.number(),
      })
      .nullable(),
};

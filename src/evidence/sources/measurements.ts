import { readMeasurements, measurementSeriesSchema } from '../measurements/measurement-series.js';
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
  schema: measurementSeriesSchema.nullable(),
};

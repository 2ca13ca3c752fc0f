import { growthSchema } from '../../growth/growth.js';
import { absent, present } from '../../presence.js';
import { findOn } from '../privilege.js';
import type { CollectionSource } from '../source.js';

const NOT_READ = absent('insufficient', 'no enabled check asked for the oplog.');

export const growth: CollectionSource<'growth'> = {
  name: 'growth',
  restsOn: ['storage', 'sample', 'documents', 'oplog'],
  possibleOn: ['collection'],
  privileges: [findOn('local', 'oplog.rs')],
  async collect({ collection, of, ofCluster, growth: run }) {
    const [storage, sample] = [of('storage'), of('sample')];
    if (!sample.present) return sample;
    const stored = storage.present ? storage.value : null;
    const { profile } = sample.value.evidence;
    const count = stored?.count ?? profile.documents;
    const averageBytes = stored?.averageDocumentSize ?? profile.sizes.mean;
    // A run that only records growth leaves the oplog alone.
    const oplog = (await ofCluster('oplog')) ?? NOT_READ;
    return present(await run.measure(collection, { count, averageBytes }, sample.value, oplog));
  },
  schema: growthSchema,
};

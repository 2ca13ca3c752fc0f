import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const DOCUMENTS = 2_000;
const KEPT = 100;
const TEXT_BYTES = 3_000;
const USUAL_SECONDS = 300;

export const reusableSpace: Exhibit = {
  check: 'reusable-space',
  story: 'scans of which nearly all were deleted / scans that were kept',
  needsMember: true,
  thresholds: { reusable: 2 * 1024 * 1024 },
  thresholdsBecause: 'the demo plants a few megabytes',
  bad: {
    name: 'scans_mostly_deleted',
    path: null,
    async plant(database) {
      const scans = database.collection(this.name);
      await plantScans(database, this.name);
      const admin = database.client.db('admin');
      await admin.command({ fsync: 1 });
      // Else deleted documents stay readable for five minutes, and in the file.
      await admin.command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });
      const written = { writeConcern: { w: 'majority', j: true } } as const;
      await scans.deleteMany({ number: { $gte: KEPT } }, written);
      await scans.updateOne({ number: 0 }, { $set: { kept: true } }, written);
      await admin.command({ fsync: 1 });
      await admin.command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: USUAL_SECONDS });
    },
  },
  twin: {
    name: 'scans_all_kept',
    async plant(database) {
      await plantScans(database, this.name);
    },
  },
};

async function plantScans(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(name.length);
  const scans = Array.from({ length: DOCUMENTS }, (_, number) => ({
    number,
    text: Buffer.from(Array.from({ length: TEXT_BYTES }, () => random.below(256))).toString('base64'),
  }));
  await database.collection(name).insertMany(scans);
}

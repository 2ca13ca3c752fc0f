import { BSON, ObjectId } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import type { Dimension } from './measured-phases.js';

const DISTINCT = 20_000;
/** Of a batch of the driver, whose documents lie in one buffer. */
const IN_ONE_BUFFER = 1_000;

function reading(random: SeededRandom): object {
  return {
    _id: new ObjectId(),
    sensor: random.below(5_000),
    at: new Date(1.7e12 + random.below(1e9)),
    value: random.next(),
    flags: Array.from({ length: random.below(4) }, () => random.below(10)),
    place: { room: `room ${random.below(40)}`, floor: random.below(9) },
  };
}

/** Small documents of one shape, of which 20,000 differ. */
export function documentsDimension(sizes: readonly number[]): Dimension {
  const random = new SeededRandom(DISTINCT);
  const documents = inBuffers(Array.from({ length: DISTINCT }, () => BSON.serialize(reading(random))));
  return {
    name: 'documents sampled',
    sizes,
    begin: (size) => ({
      'profile small documents': () => {
        const profiler = new DocumentProfiler();
        for (let index = 0; index < size; index += 1) profiler.add(documents[index % DISTINCT] as Uint8Array);
        profiler.profile();
        profiler.growth();
      },
    }),
  };
}

/** The documents as answers of the server hold them: many in one buffer. */
export function inBuffers(documents: readonly Uint8Array[]): Uint8Array[] {
  const placed: Uint8Array[] = [];
  for (let from = 0; from < documents.length; from += IN_ONE_BUFFER) {
    const batch = documents.slice(from, from + IN_ONE_BUFFER);
    const buffer = Buffer.concat(batch);
    let at = 0;
    for (const { length } of batch) {
      placed.push(buffer.subarray(at, at + length));
      at += length;
    }
  }
  return placed;
}

import { BSON } from 'mongodb';
import type { DocumentEvidence } from '../../src/profile/document-profile.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import { present } from '../../src/presence.js';
import { judgedRun } from './judged-run.js';
import type { Dimension, Phases } from './measured-phases.js';
import { inBuffers } from './documents.js';
import { recordedLines, replicatedRun } from './replicated-cluster.js';

const DOCUMENTS = 500;
const OF_ALL_NAMES = 20;
const WORDS = [
  'amount',
  'billing',
  'contact',
  'delivery',
  'estimate',
  'freight',
  'gross',
  'handling',
  'invoice',
  'journal',
];

const nameOf = (index: number) => `${[...String(index)].map((digit) => WORDS[Number(digit)]).join('_')}`;

/** By phase: documents with so many different names in total. */
const SHAPES: Readonly<Record<string, (names: readonly string[]) => object[]>> = {
  'profile names in one of 500 documents each': (names) =>
    Array.from({ length: DOCUMENTS }, (_, document) =>
      Object.fromEntries(
        names.filter((_name, index) => index % DOCUMENTS === document).map((name) => [name, document]),
      ),
    ),
  'profile names in all of 20 documents': (names) =>
    Array.from({ length: OF_ALL_NAMES }, (_, document) => Object.fromEntries(names.map((name) => [name, document]))),
  'profile names below a hundred objects': (names) =>
    Array.from({ length: DOCUMENTS }, (_, document) => ({
      _id: document,
      ...Object.fromEntries(
        Array.from({ length: 100 }, (_value, part) => [
          `part_${WORDS[part % 10]}_${WORDS[Math.floor(part / 10)]}`,
          Object.fromEntries(
            names
              .slice((part * names.length) / 100, ((part + 1) * names.length) / 100)
              .filter((_name, index) => index % DOCUMENTS === document % DOCUMENTS || index < 10)
              .map((name) => [name, { count: document, at: new Date(document) }]),
          ),
        ]),
      ),
    })),
};

/** Names of fields in one collection. */
export async function fieldNamesDimension(sizes: readonly number[]): Promise<Dimension> {
  const lines = await recordedLines();
  return {
    name: 'field names',
    sizes,
    async begin(size) {
      const names = Array.from({ length: size }, (_, index) => nameOf(index));
      const phases: Record<string, Phases[string]> = {};
      for (const [phase, documentsOf] of Object.entries(SHAPES)) {
        const documents = inBuffers(documentsOf(names).map((document) => BSON.serialize(document)));
        const run = runOn(replicatedRun(lines, 1), evidenceOf(documents));
        phases[phase] = () => evidenceOf(documents);
        phases[phase.replace('profile', 'judge')] = () => judgedRun(run);
      }
      return phases;
    },
  };
}

function evidenceOf(documents: readonly Uint8Array[]): DocumentEvidence {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(document);
  const profile = profiler.profile();
  profiler.growth();
  return { profile, sample: { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 0 } };
}

/** The run with other documents in its collections. */
function runOn(run: EvidenceRun, documents: DocumentEvidence): EvidenceRun {
  return {
    ...run,
    ofCollections: (take) =>
      run.ofCollections(({ collection, evidence }) =>
        take({ collection, evidence: { ...evidence, documents: present(documents) } }),
      ),
  };
}

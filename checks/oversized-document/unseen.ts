import type { LargestDocuments, Subject, Verdict } from '../../src/check.js';
import { formatBytes, plural } from '../../src/format.js';
import { knownSizes } from '../../src/inventory/storage.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { severityOf, type SeverityLines } from '../../src/judgement/severity-lines.js';
import { DOCUMENT_LIMIT_BYTES } from '../../src/server-limits.js';
import { remedyFor } from './remedy.js';

/**
 * Documents unlike all of `n` documents drawn at random are, with a confidence of 95 %, at most 3/n of all: the rule of
 * three. Source: Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 1983.
 */
const RULE_OF_THREE = 3;

export type Needs = 'documents' | 'largestDocuments';

type CutShort = Extract<LargestDocuments['probe'], { state: 'cut-short' }>;

/** What the bytes outside the sample are likely to be, if the search for large documents did not finish. */
export function unseen(
  { collection, documents, storage, largestDocuments }: Subject<Needs, 'storage'>,
  probe: CutShort,
  lines: SeverityLines,
  unseenMean: number,
): Verdict[] {
  const { profile, sample } = documents;
  const { unseenBytes } = largestDocuments;
  const why = probe.detail.replace(/\.?$/, '.');
  const stored = storage === undefined ? null : knownSizes(storage);
  if (unseenBytes === null || stored === null) {
    const what = `Whether ${collection.namespace} holds larger documents outside the sample is unknown`;
    return [{ notJudged: probe.reason, detail: `${what}: ${why}` }];
  }
  const atMost = Math.min(DOCUMENT_LIMIT_BYTES, unseenBytes);
  if (sample.complete || severityOf(atMost, lines) === null) return [];
  const count = Math.ceil((RULE_OF_THREE / profile.documents) * stored.count);
  const atLeast = unseenBytes / Math.max(1, count);
  const isRandom = sample.method !== 'natural-order';
  // Documents as large as the largest in the sample then explain the missing bytes.
  if (isRandom && atLeast <= profile.sizes.max) return [];
  // The rule holds for documents drawn at random.
  if (!isRandom || atLeast < unseenMean) {
    return [
      {
        notJudged: probe.reason,
        detail:
          `${formatBytes(unseenBytes)} are in documents outside the sample, and some of these may have ` +
          `${formatBytes(probe.thresholdBytes)} or more. The search for them was cut short: ${why}`,
      },
    ];
  }
  return [
    {
      severity: severityOf(atLeast, lines) ?? 'warning',
      // With a heavy tail of sizes no bound is safe: the mean of the sample is too low more often than not.
      confidence: 'low',
      path: null,
      message:
        `Documents larger than any in the sample very likely exist. An estimated ${formatBytes(unseenBytes)} are in at most ` +
        `${plural(count, 'document')} outside the sample: on average ${formatBytes(atLeast)} or more, at most ${formatBytes(atMost)} each. ` +
        `Writes fail at 16 MB. The search for them was cut short: ${why}`,
      evidence: {
        source: 'sample and collStats',
        window: sampleWindow(documents, storage),
        unseenBytes,
        unseenDocumentsAtMost: count,
        meanBytesAtLeast: Math.round(atLeast),
        largestBytesAtMost: atMost,
        largestSeenBytes: profile.sizes.max,
        averageBytes: Math.round(stored.averageDocumentSize),
      },
      remedy: remedyFor(collection.namespace, null, lines.warning),
    },
  ];
}

import type { KeptCollection } from '../evidence/source.js';
import type { FindingEvidence } from '../finding.js';
import type { StampedFinding } from '../findings/stamp.js';
import { judgedAt, judgedAtText, judgedSize } from '../judgement/judged-size.js';

/** Says of a finding on a collection of production that its figures are from there, unless the check knows better. */
export function knownFromProduction(
  finding: StampedFinding,
  { collection, evidence: { storage } }: KeptCollection,
): StampedFinding {
  const { production } = collection;
  if (production?.present !== true || production.value === null) return finding;
  const { figuresFrom, window } = finding.evidence;
  const evidence =
    figuresFrom === undefined
      ? ({ ...finding.evidence, window: `${window}, in production`, figuresFrom: 'production' } as FindingEvidence)
      : finding.evidence;
  const count = storage?.present === true ? storage.value.count : null;
  const size = count === null ? null : judgedSize(collection, count);
  if (size?.from !== 'production' || finding.judgedAt !== undefined) return { ...finding, evidence };
  return { ...finding, message: `${finding.message}${judgedAtText(size)}`, evidence, ...judgedAt(size) };
}

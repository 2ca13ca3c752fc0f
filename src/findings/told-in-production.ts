import type { KeptCollection } from '../evidence/source.js';
import type { FindingEvidence } from '../finding.js';
import { judgedAt, judgedAtText, judgedSize } from '../judgement/judged-size.js';
import type { StampedFinding } from './stamp.js';

/** What is declared, and so is of the linted database; and figures that say for themselves where they were recorded. */
const DECLARED = /^(?:listIndexes|listCollections|view definition)$/;
const TOLD = /\bhere\b|\bin production\b/;

/** Says of a finding on a collection of production that its figures are from there, as far as the check has not. */
export function toldInProduction(
  finding: StampedFinding,
  { collection, evidence: { storage } }: KeptCollection,
): StampedFinding {
  const { production } = collection;
  if (production?.present !== true || production.value === null) return finding;
  const { source, window } = finding.evidence;
  const evidence: FindingEvidence =
    DECLARED.test(source) || TOLD.test(window)
      ? finding.evidence
      : ({ ...finding.evidence, window: `${window}, in production` } as FindingEvidence);
  const count = storage?.present === true ? storage.value.count : null;
  const size = count === null ? null : judgedSize(collection, count);
  if (size?.from !== 'production' || finding.judgedAt !== undefined) return { ...finding, evidence };
  return { ...finding, message: `${finding.message}${judgedAtText(size)}`, evidence, ...judgedAt(size) };
}

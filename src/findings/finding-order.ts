import { compareTexts } from '../compare-texts.js';
import type { Finding } from '../finding.js';
import { CONFIDENCES, SEVERITIES } from '../severity.js';
import { groupedBy } from '../grouped-by.js';

export interface NamespaceFindings {
  readonly namespace: string;
  readonly findings: readonly Finding[];
}

/** By severity, then confidence, then namespace, check and path. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
      compareTexts(a.namespace, b.namespace) ||
      compareTexts(a.check, b.check) ||
      compareTexts(a.path ?? '', b.path ?? ''),
  );
}

/** The namespace with the worst finding comes first. */
export function byNamespace(findings: readonly Finding[]): NamespaceFindings[] {
  const groups = groupedBy(worstFirst(findings), ({ namespace }) => namespace);
  return [...groups].map(([namespace, group]) => ({ namespace, findings: group }));
}

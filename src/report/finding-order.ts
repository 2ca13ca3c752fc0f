import { CONFIDENCES, SEVERITIES, type Finding } from '../findings/finding.js';

/** The findings of one namespace, the worst first. */
export interface NamespaceFindings {
  readonly namespace: string;
  readonly findings: readonly Finding[];
}

/** Orders findings for reading: by severity, then confidence, then namespace, check and path. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
      compared(a.namespace, b.namespace) ||
      compared(a.check, b.check) ||
      compared(a.path ?? '', b.path ?? ''),
  );
}

/** Groups findings by namespace; the namespace with the worst finding comes first. */
export function byNamespace(findings: readonly Finding[]): NamespaceFindings[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of worstFirst(findings)) {
    const group = groups.get(finding.namespace);
    if (group === undefined) groups.set(finding.namespace, [finding]);
    else group.push(finding);
  }
  return [...groups].map(([namespace, group]) => ({ namespace, findings: group }));
}

function compared(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

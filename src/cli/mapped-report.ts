import { fingerprint } from '../findings/stamp.js';
import { mappedNamespace, type MappedDatabase } from '../inventory/mapped-namespace.js';
import type { Report } from '../report/report.js';

/** The report as that of a cluster whose databases have other names: a finding gets the fingerprint that it has there. */
export function withMappedDatabases(report: Report, databases: readonly MappedDatabase[]): Report {
  if (databases.length === 0) return report;
  const name = (namespace: string) => mappedNamespace(namespace, databases);
  const renamed = new Map(
    report.findings.map((finding) => [
      finding.fingerprint,
      fingerprint(finding.check, name(finding.namespace), finding.path),
    ]),
  );
  return {
    ...report,
    ...(report.topShapes !== undefined && {
      topShapes: report.topShapes.map((shape) => ({
        ...shape,
        namespace: name(shape.namespace),
        findings: shape.findings.map((known) => renamed.get(known) ?? known),
      })),
    }),
    findings: report.findings.map((finding) => {
      const namespace = name(finding.namespace);
      const { furtherReasons } = finding;
      return {
        ...finding,
        namespace,
        fingerprint: fingerprint(finding.check, namespace, finding.path),
        ...(furtherReasons !== undefined && {
          furtherReasons: furtherReasons.map((reason) => {
            const there = reason.namespace === undefined ? namespace : name(reason.namespace);
            return {
              ...reason,
              ...(reason.namespace !== undefined && { namespace: there }),
              fingerprint: fingerprint(reason.check, there, reason.path),
            };
          }),
        }),
      };
    }),
    skipped: report.skipped.map((entry) => ({
      ...entry,
      ...(entry.namespace !== undefined && { namespace: name(entry.namespace) }),
      ...(entry.namespaces !== undefined && { namespaces: entry.namespaces.map(name) }),
    })),
    collections: report.collections.map((one) => ({ ...one, namespace: name(one.namespace) })),
  };
}

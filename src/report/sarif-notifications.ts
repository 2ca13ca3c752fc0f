import type { Notification, ReportingDescriptor } from 'sarif';
import { isFault } from '../presence.js';
import type { FixedFinding, Skipped } from '../finding.js';
import { formatCount } from '../format.js';
import { placeOf } from './finding-text.js';
import { detailOf, namespacesOf } from './grouped-skipped.js';
import { missingKnown, type MissingKnown } from './missing-known.js';
import type { Report } from './report.js';
import { failuresOf } from './run-failure.js';
import { logicalLocations, plainMessage } from './sarif-results.js';

/**
 * What is no result: how the run ended, what could not be judged, what is fixed since the baseline, what to fix
 * in the configuration, and how many results were cut off.
 */
export function notificationsOf(
  report: Report,
  rules: readonly ReportingDescriptor[],
  summary: string,
  cut: number,
): Notification[] {
  const { skipped, notices = [] } = report;
  return [
    note('summary', summary),
    ...(cut > 0
      ? [
          {
            ...note('cut', `${formatCount(cut)} findings beyond the limit of the format's readers are left out.`),
            level: 'warning' as const,
          },
        ]
      : []),
    ...failuresOf(report).map(({ reason, detail }) => ({
      ...note(`not-linted/${reason}`, detail),
      level: 'error' as const,
    })),
    ...skipped.map((entry) => skippedNotification(entry, rules)),
    ...missingKnown(report).flatMap((missing) =>
      missing.findings.map((finding) => missingNotification(finding, missing)),
    ),
    ...notices.map(({ kind, text }) => ({ ...note(kind, text), level: 'warning' as const })),
  ];
}

function note(id: string, text: string): Notification {
  return { descriptor: { id }, level: 'note', message: plainMessage(text) };
}

function skippedNotification(entry: Skipped, rules: readonly ReportingDescriptor[]): Notification {
  const { check, reason } = entry;
  const locations = namespacesOf(entry).map((namespace) => ({
    logicalLocations: logicalLocations({ namespace, path: null }),
  }));
  const index = rules.findIndex(({ id }) => id === check);
  return {
    descriptor: { id: `not-judged/${reason}` },
    level: isFault(entry) ? 'error' : reason === 'insufficient' || reason === 'too-small' ? 'note' : 'warning',
    message: plainMessage(`Not judged: ${detailOf(entry)}`),
    ...(index !== -1 && { associatedRule: { id: check, index } }),
    ...(locations.length > 0 && { locations }),
  };
}

/** As a result with the state "absent" GitHub would show it as an alert; there, an alert is fixed by being gone. */
function missingNotification(
  { check, namespace, path, fingerprint }: FixedFinding,
  { id, heading }: MissingKnown,
): Notification {
  return {
    ...note(id, `${heading}: ${check} at ${placeOf({ namespace, path })}.`),
    locations: [{ logicalLocations: logicalLocations({ namespace, path }) }],
    properties: { check, fingerprint },
  };
}

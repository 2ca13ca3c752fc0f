import type { Location, LogicalLocation, Message, PhysicalLocation, ReportingDescriptor, Result } from 'sarif';
import type { Finding, FindingLocation, Severity } from '../finding.js';
import { nameOf } from '../namespace.js';
import { findingLines } from './finding-text.js';
import { certainLocation, findingView, placeOf } from './finding-view.js';
import { findingBody } from './markdown-finding.js';
import { markdownCode, markdownText } from './markdown-text.js';

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** A line of a file of the repository. */
export function anchorLocation(anchor: string, line = 1): PhysicalLocation {
  const uri = anchor.split('/').map(encodeURIComponent).join('/');
  return { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine: line } };
}

/** A finding as a result; its rule must be among the rules. */
export function sarifResult(
  finding: Finding,
  rules: readonly ReportingDescriptor[],
  anchor: PhysicalLocation | null,
): Result {
  const { check, severity, confidence, path, namespace, evidence, remedy, suppressed, baseline, fingerprint } = finding;
  const view = findingView(finding);
  const own = certainLocation(finding);
  const physicalLocation = own === null ? anchor : anchorLocation(own.file, own.line);
  const related = (finding.locations ?? []).filter((each) => each !== own);
  const location: Location = {
    ...(physicalLocation !== null && { physicalLocation }),
    logicalLocations: logicalLocations(finding),
  };
  return {
    ruleId: check,
    ruleIndex: rules.findIndex(({ id }) => id === check),
    level: LEVELS[severity],
    message: {
      ...plainMessage(`${placeOf(finding)}: ${findingLines(view).join('\n')}`),
      markdown: `${markdownCode(placeOf(finding))}: ${markdownText(finding.message)}\n\n${findingBody(view)}`,
    },
    locations: [location],
    ...(related.length > 0 && { relatedLocations: related.map(relatedLocation) }),
    // GitHub tells alerts at one line apart by the former alone; the hash that it would make of the line is one for all.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'mongolint/v1': fingerprint },
    // An empty list says "not suppressed"; without it a reader could not know.
    suppressions:
      suppressed === undefined
        ? []
        : [{ kind: 'external', status: 'accepted', justification: view.head.status ?? suppressed.reason }],
    ...(baseline !== undefined && { baselineState: baselineState(baseline) }),
    properties: {
      confidence,
      namespace,
      path,
      ...(finding.owner !== undefined && { owner: finding.owner }),
      evidence,
      ...(remedy.commands !== undefined && { commands: remedy.commands }),
    },
  };
}

function relatedLocation(location: FindingLocation, index: number): Location {
  const { file, line, certain } = location;
  return {
    id: index + 1,
    physicalLocation: anchorLocation(file, line),
    message: plainMessage(certain ? location.of : `${location.of}, or another line of these`),
  };
}

/** The collection, and the path in it, as places that are no lines of a file. */
export function logicalLocations({ namespace, path }: Pick<Finding, 'namespace' | 'path'>): LogicalLocation[] {
  const name = nameOf(namespace);
  const collection: LogicalLocation = { name, fullyQualifiedName: namespace, kind: 'namespace' };
  return path === null
    ? [collection]
    : [collection, { name: path, fullyQualifiedName: `${namespace}.${path}`, kind: 'member' }];
}

/** A message that holds no link: in SARIF, `[text](target)` is one even in plain text. */
export function plainMessage(text: string): Message {
  return { text: text.replaceAll('](', '] (') };
}

function baselineState({ status, severityBefore }: NonNullable<Finding['baseline']>): Result.baselineState {
  if (status === 'known') return 'unchanged';
  return severityBefore === null ? 'new' : 'updated';
}

import type { ClusterVerdict } from '../../check.js';
import type { Severity } from '../../finding.js';
import { judgedAt, judgedAtText } from '../judged-size.js';
import { averageText } from './judged-query.js';
import { isBelow, sizeFor, tooSmallGroups } from './judged-query.js';
import { queryFigures, type JudgedQueries, type QueryGroup } from './query-groups.js';

export interface SearchJudgement {
  /** Documents of a collection below which it is too small to tell. */
  readonly leastDocuments: number;
  /** Null if they examine little. */
  readonly severityOf: (group: QueryGroup) => Severity | null;
  readonly messageOf: (group: QueryGroup) => string;
}

/** A finding for each group of searches that examine much; an entry for each collection that is too small to tell. */
export function searchVerdicts({ groups, notJudged }: JudgedQueries, judgement: SearchJudgement): ClusterVerdict[] {
  const verdicts = groups.map((group) => ({ group, problems: problemsOf(group, judgement) }));
  const untold = verdicts.filter(
    ({ group, problems }) => problems.length === 0 && isBelow(group.queries[0], judgement.leastDocuments),
  );
  return [
    ...notJudged,
    ...verdicts.flatMap(({ problems }) => problems),
    ...tooSmallGroups(untold.map(({ group }) => group)),
  ];
}

function problemsOf(group: QueryGroup, { severityOf, messageOf }: SearchJudgement): ClusterVerdict[] {
  const { namespace, path, remedy, isCut, queries } = group;
  const severity = severityOf(group);
  const size = sizeFor(queries[0]);
  if (severity === null || remedy === null) return [];
  return [
    {
      namespace,
      path,
      severity,
      confidence: isCut ? 'medium' : 'high',
      message: messageOf(group) + (size === null ? '' : judgedAtText(size)),
      evidence: queryFigures(group),
      ...(size !== null && judgedAt(size)),
      operations: queries.map(({ operation }) => operation),
      remedy,
    },
  ];
}

/** " to return 30, in 12 ms on average (1,200 executions in 3.1 h)." */
export function averageOf(group: QueryGroup): string {
  const { queries, cost } = group;
  const returned = queries.every(({ tellsMatches }) => tellsMatches) ? cost.documentsReturned : null;
  return `${averageText(group, returned)} on average (${cost.window}).`;
}

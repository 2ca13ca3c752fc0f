import type { Finding } from '../finding.js';
import { moreAlike, type ShownFinding } from './alike-findings.js';
import { pathText } from './finding-text.js';
import type { Paint } from './paint.js';
import { columnWidth, plainTable, TABLE_GAP } from './plain-table.js';
import { clipped } from './text-layout.js';

const HEADS = { severity: 'Severity', check: 'Check', namespace: 'Namespace', path: 'Path', what: 'What' } as const;

/** Longest name of a check that is shown whole, in columns. */
const CHECK_WIDTH = 24;
/** With less room, the messages are left out: the first words alone tell less than the check's name. Columns. */
const LEAST_MESSAGE_WIDTH = 36;

/** One line for each finding or group, the worst first. What does not fit is cut: the details have it in full. */
export function overviewLines(shown: readonly ShownFinding[], width: number, paint: Paint): string[] {
  const rows = shown.map(({ finding }) => finding);
  const severityWidth = columnWidth([HEADS.severity, ...rows.map(({ severity }) => severity)]);
  const checkWidth = Math.min(CHECK_WIDTH, columnWidth([HEADS.check, ...rows.map(({ check }) => check)]));
  const forNames = width - severityWidth - checkWidth - 3 * TABLE_GAP;
  const [namespaceWidth, pathWidth] = shared(
    forNames,
    columnWidth([HEADS.namespace, ...rows.map(({ namespace }) => namespace)]),
    columnWidth([HEADS.path, ...rows.map(pathOf)]),
  );
  const messageWidth = forNames - namespaceWidth - pathWidth - TABLE_GAP;
  const withMessage = messageWidth >= LEAST_MESSAGE_WIDTH;
  const heads = [HEADS.severity, HEADS.check, HEADS.namespace, HEADS.path, ...(withMessage ? [HEADS.what] : [])];
  return plainTable(
    heads.map((head) => ({ head })),
    shown.flatMap(({ finding, alike }) => {
      const cells = [
        paint(finding.severity, finding.severity),
        clipped(finding.check, checkWidth),
        paint('name', clipped(finding.namespace, namespaceWidth, 'middle')),
        clipped(pathOf(finding), pathWidth, 'middle'),
      ];
      const row = withMessage ? cells.concat(clipped(finding.message, messageWidth)) : cells;
      return alike.length === 0 ? [row] : [row, ['', paint('aside', clipped(moreAlike(alike), checkWidth))]];
    }),
    paint,
  );
}

function pathOf(finding: Finding): string {
  return pathText(finding) ?? '–';
}

/** Shares columns between two texts: each gets what it needs if both fit, else the wider one gives way first. */
function shared(width: number, first: number, second: number): [number, number] {
  if (first + second <= width) return [first, second];
  const half = Math.floor(width / 2);
  if (first <= half) return [first, width - first];
  if (second <= half) return [width - second, second];
  return [width - half, half];
}

import type { Finding } from '../finding.js';
import { SEVERITIES } from '../finding/severity.js';
import { formatCount, formatShare } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { moreAlike, type ShownFinding } from './alike-findings.js';
import { figureText, mainFigure } from './figure-text.js';
import { asidesOf, queryPlaceOf } from './finding-view.js';
import type { Paint } from './paint.js';
import { columnWidth, plainTable, TABLE_GAP } from './plain-table.js';
import { clipped, padded, textWidth } from './text-layout.js';

/** With less room, a message is left out: its first words say less than the check's name. Columns. */
const LEAST_MESSAGE_WIDTH = 36;
/** Share of what is examined below which the waste is not the figure of a finding. Judgement. */
const LEAST_WASTE = 0.01;
/** Figures that read as a number of something: "3,000 executions". */
const COUNTED: ReadonlySet<string> = new Set(['documents', 'elements per day', 'executions', 'indexes', 'levels']);
const AT_LEAST = /^(.+), at least$/;
/** A query is cut to no less. Columns. */
const LEAST_QUERY_WIDTH = 12;
const FEWEST_DIGITS = 7;
const SEVERITY_WIDTH = Math.max(...SEVERITIES.map(({ length }) => length));
const GAP = 2;

/** Beginnings of the fingerprints, as short as keeps them apart: what `mongolint explain` takes. */
export function shortFingerprint(findings: readonly Finding[]): (finding: Finding) => string {
  const all = new Set(findings.map(({ fingerprint }) => fingerprint));
  let digits = FEWEST_DIGITS;
  const isUnique = () => new Set([...all].map((each) => each.slice(0, digits))).size === all.size;
  while (!isUnique()) digits += 1;
  return ({ fingerprint }) => fingerprint.slice(0, digits);
}

/**
 * A line for each finding or group, the worst first: what it is, where, how bad, and its fingerprint. If there are more than
 * `most`, what one check found is a line; what still is too much is counted.
 */
export function findingListLines(
  shown: readonly ShownFinding[],
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
  most = Number.POSITIVE_INFINITY,
): string[] {
  if (shown.length === 0) return [];
  const table = tableLines(shown, short, width, paint);
  if (table !== null && table.length <= most) return table;
  const linesOf = (each: ShownFinding) => rowLines(each, short, width, paint);
  const rows = shown.flatMap(linesOf).length <= most ? shown : byCheck(shown);
  const listed = fitting(rows.map(linesOf), most);
  const rest = rows.slice(listed.length).flatMap(({ finding, alike }) => [finding, ...alike]);
  if (rest.length === 0) return listed.flat();
  const counts = SEVERITIES.flatMap((severity) => {
    const count = rest.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${formatCount(count)} ${severity}`];
  });
  const more = `and ${formatCount(rest.length)} more (${counts.join(', ')}): --format compact, or --verbose`;
  return [...listed.flat(), paint('aside', more)];
}

/** As many as there is room for, less a line for how many there are more. */
function fitting(rows: readonly string[][], most: number): readonly string[][] {
  if (rows.flat().length <= most) return rows;
  const cut = rows.findIndex((_, index) => rows.slice(0, index + 1).flat().length > most - 1);
  return rows.slice(0, cut);
}

/** What one check found at one severity in one line, the worst first. */
function byCheck(shown: readonly ShownFinding[]): ShownFinding[] {
  const groups = groupedBy(shown, ({ finding }) => `${finding.severity} ${finding.check}`);
  return [...groups.values()].map((group) => {
    const [first, ...others] = group.flatMap(({ finding, alike }) => [finding, ...alike]) as [Finding, ...Finding[]];
    return { finding: first, alike: others };
  });
}

/** In columns, with the message, on a screen that is wide enough; null if it is not. */
function tableLines(
  shown: readonly ShownFinding[],
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
): string[] | null {
  const cells = shown.map(({ finding, alike }) => [
    finding.severity,
    short(finding),
    finding.check,
    placeText(finding),
    asides({ finding, alike }).join(' · '),
    finding.message,
  ]);
  const heads = ['Severity', 'Id', 'Check', 'Where', 'Figure'];
  const taken = heads.map((head, index) => columnWidth([head, ...cells.map((row) => row[index] ?? '')]) + TABLE_GAP);
  const room = width - taken.reduce((sum, column) => sum + column, 0);
  if (room < LEAST_MESSAGE_WIDTH) return null;
  const rows = cells.map(([severity = '', id = '', check = '', where = '', figure = '', message = ''], index) => [
    paint(shown[index]?.finding.severity ?? 'info', severity),
    paint('aside', id),
    check,
    paint('name', where),
    paint('figure', figure),
    clipped(message, room),
  ]);
  return plainTable([...heads, 'What'], rows, paint);
}

/** "warning 1df592e collection-scan shop.orders: find by `status` +3", and its figure at the end. Two lines only for long names. */
function rowLines(
  { finding, alike }: ShownFinding,
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
): string[] {
  const { severity, check, namespace } = finding;
  const more = alike.length === 0 ? '' : ` +${formatCount(alike.length)}`;
  const head = `${paint(severity, padded(severity, SEVERITY_WIDTH))} ${paint('aside', short(finding))} ${check} `;
  const room = width - SEVERITY_WIDTH - short(finding).length - check.length - 3 - more.length;
  const figure = asides({ finding, alike: [] }).join(' · ');
  const whole = placeText(finding);
  // Names stay whole: a figure gives way to them. Of a query, its end does.
  const least = queryPlaceOf(finding) === null ? textWidth(whole) : textWidth(namespace) + LEAST_QUERY_WIDTH;
  const isFigureShown = figure !== '' && Math.min(least, textWidth(whole)) + GAP + textWidth(figure) <= room;
  const place = clipped(whole, Math.max(least, isFigureShown ? room - GAP - textWidth(figure) : room));
  const named = paint('name', namespace) + place.slice(namespace.length) + more;
  if (textWidth(place) > room) return [head.trimEnd(), ' '.repeat(SEVERITY_WIDTH + 1) + named];
  if (!isFigureShown) return [head + named];
  return [head + named + ' '.repeat(room - textWidth(place) - textWidth(figure)) + paint('figure', figure)];
}

/** In words if it is a query: a check that names a missing index says so. */
function placeText(finding: Finding): string {
  const { namespace, path } = finding;
  return queryPlaceOf(finding) ?? (path === null ? namespace : `${namespace} ${path}`);
}

/** Its figure, how many others it stands for, and what sets it apart. */
function asides({ finding, alike }: ShownFinding): string[] {
  const [figure, others] = [figureOf(finding), alike.length === 0 ? null : moreAlike(alike)];
  return [figure, others, ...asidesOf(finding)].filter((text) => text !== null);
}

/** The figure that matters most: what it wastes of the recorded work, or else that of its evidence; null without one. */
function figureOf({ evidence, impact }: Finding): string | null {
  const share = impact?.share ?? 0;
  if (share >= LEAST_WASTE) return `wastes ${formatShare(share)}`;
  const figure = mainFigure(evidence);
  if (figure === null) return null;
  if (/^(?:documents|keys) examined$/.test(figure.label)) return `reads ${figure.value}`;
  const [, bounded] = AT_LEAST.exec(figure.label) ?? [];
  if (bounded !== undefined) return `at least ${figure.value} ${bounded}`;
  return COUNTED.has(figure.label) ? `${figure.value} ${figure.label}` : figureText(figure);
}

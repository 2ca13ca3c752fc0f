import type { Finding } from '../finding.js';
import { SEVERITIES } from '../finding/severity.js';
import { formatCount, formatShare } from '../format.js';
import { moreAlike, type ShownFinding } from './alike-findings.js';
import { figureText, mainFigure } from './figure-text.js';
import { certainLocation, findingView, ownerText } from './finding-view.js';
import type { Paint } from './paint.js';
import { columnWidth, plainTable, TABLE_GAP } from './plain-table.js';
import { clipped, padded, textWidth } from './text-layout.js';

/** Findings of the list, unless every one is wanted: most take a line, so that the report takes two screens. */
const MOST_LISTED = 30;
/** With more findings, a figure that would need a line of its own is left to `mongolint explain`. */
const MOST_OF_TWO_LINES = 20;
/** With less room, a message is left out: its first words say less than the check's name. Columns. */
const LEAST_MESSAGE_WIDTH = 36;
/** Share of what is examined below which the waste is not the figure of a finding. Judgement. */
const LEAST_WASTE = 0.01;
const FEWEST_DIGITS = 7;
const SEVERITY_WIDTH = Math.max(...SEVERITIES.map(({ length }) => length));
const CONTINUED = ' '.repeat(SEVERITY_WIDTH + 1);

/** Beginnings of the fingerprints, as short as keeps them apart: what `mongolint explain` takes. */
export function shortFingerprint(findings: readonly Finding[]): (finding: Finding) => string {
  const all = new Set(findings.map(({ fingerprint }) => fingerprint));
  let digits = FEWEST_DIGITS;
  const isUnique = () => new Set([...all].map((each) => each.slice(0, digits))).size === all.size;
  while (!isUnique()) digits += 1;
  return ({ fingerprint }) => fingerprint.slice(0, digits);
}

/** A line or two for each finding or group, the worst first: what it is, where, how bad, and its fingerprint. */
export function findingListLines(
  shown: readonly ShownFinding[],
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
  { all }: { readonly all: boolean },
): string[] {
  if (shown.length === 0) return [];
  const isRoomy = all || shown.length <= MOST_OF_TWO_LINES;
  const listed = all ? shown : shown.slice(0, MOST_LISTED);
  const rest = shown.slice(listed.length).flatMap(({ finding, alike }) => [finding, ...alike]);
  const counts = SEVERITIES.flatMap((severity) => {
    const count = rest.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${formatCount(count)} ${severity}`];
  });
  return [
    ...(tableLines(listed, short, width, paint) ??
      listed.flatMap((each) => rowLines(each, short, width, paint, isRoomy))),
    ...(rest.length === 0
      ? []
      : [
          paint('aside', `and ${formatCount(rest.length)} more (${counts.join(', ')}): --format compact, or --verbose`),
        ]),
  ];
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

function rowLines(
  { finding, alike }: ShownFinding,
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
  isRoomy: boolean,
): string[] {
  const { severity, check, namespace, path } = finding;
  const head = `${paint(severity, padded(severity, SEVERITY_WIDTH))} ${paint('aside', short(finding))} ${check}`;
  const names = [namespace, ...(path === null ? [] : [path])].map((name) => paint('name', name));
  const figure = `· ${figureOf(finding)}`;
  const texts = [head, ...names, ...asides({ finding, alike }).map((text) => `· ${text}`)];
  // Only what is behind the first line is indented.
  const lines: string[] = [];
  for (const text of texts) {
    const joined = lines.length === 0 ? text : `${lines.at(-1)} ${text}`;
    if (lines.length === 0) lines.push(joined);
    else if (textWidth(joined) <= width) lines[lines.length - 1] = joined;
    else if (isRoomy || text !== figure) lines.push(CONTINUED + text);
  }
  return lines;
}

/** Without "missing index": a check that names a missing index says so. */
function placeText({ namespace, path }: Finding): string {
  return path === null ? namespace : `${namespace} ${path}`;
}

/** Its figure, and what sets it apart: how many others it stands for, how bad it was before, who answers for it, and its line. */
function asides({ finding, alike }: ShownFinding): string[] {
  const { head, places } = findingView(finding);
  const texts = [
    figureOf(finding),
    alike.length === 0 ? null : moreAlike(alike),
    head.before === null ? null : `${head.before} in the baseline`,
    ownerText(finding),
    certainLocation(finding) === null ? null : places[0],
  ];
  return texts.filter((text) => text !== null && text !== undefined);
}

/** The figure that matters most: what it wastes of the recorded work, or else that of its evidence; null without one. */
function figureOf({ evidence, impact }: Finding): string | null {
  const share = impact?.share ?? 0;
  if (share >= LEAST_WASTE) return `wastes ${formatShare(share)}`;
  const figure = mainFigure(evidence);
  return figure === null ? null : figureText(figure);
}

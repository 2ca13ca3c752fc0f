import { formatCount, formatDuration, plural } from '../format.js';
import type { Paint } from '../report/paint.js';
import { plainTable, type TableColumn } from '../report/plain-table.js';
import { wrapped } from '../report/text-layout.js';
import { NOT_LINTED } from '../rehearsal/source.js';
import { terminalText } from '../terminal-text.js';
import type { Cost } from '../rehearsal/explained.js';
import type {
  BuiltCollection,
  NotRehearsed,
  Rehearsal,
  RehearsedCommand,
  RehearsedShape,
} from '../rehearsal/rehearsal.js';

const COLUMNS: readonly TableColumn[] = [
  { head: 'Documents', align: 'right' },
  { head: 'Keys', align: 'right' },
  { head: 'Returned', align: 'right' },
  { head: 'Operation, and what finds its documents' },
];
/** Columns of the figures of a row, and the gaps behind them. */
const FIGURES_WIDTH = 46;
const LEAST_WIDTH = 24;
/** An average below it has a decimal. */
const SMALL = 10;
const LIMITS =
  'Scaled data repeat the sample: they show which index is chosen and how much it reads, not times, nor how fields go together or how skewed values are beyond the sample. See docs/rehearse.md.';

/** A rehearsal for people, in at most `width` columns. */
export function rehearsalText(rehearsal: Rehearsal, width: number, paint: Paint): string {
  const { collections, commands, shapes, notRun } = rehearsal;
  const blocks = [
    wrapped(headOf(rehearsal), width),
    collections.flatMap((collection) => item(collectionText(collection), width)),
    [
      paint(
        'label',
        commands.length === 0 ? 'No finding changes an index of these collections' : 'Changes between before and after',
      ),
      ...commands.flatMap((command) => item(commandText(command), width)),
    ],
    shapes.length === 0
      ? []
      : plainTable(
          COLUMNS,
          shapes.map((shape) => rowOf(shape, width, rehearsal.timeout)),
          paint,
        ),
    notRun.length === 0 ? [] : [paint('label', 'Not run'), ...notRunTexts(notRun).flatMap((text) => item(text, width))],
    wrapped(LIMITS, width),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => `${block.join('\n')}\n`)
    .join('\n');
}

function item(text: string, width: number): string[] {
  return wrapped(terminalText(text), width - 2).map((line) => `  ${line}`);
}

function headOf({ linted, scratch, shapes, commands }: Rehearsal): string {
  const worse = shapes.filter((shape) => shape.worse).length;
  const [one] = shapes;
  const server =
    linted.version === scratch.version ? scratch.version : `${scratch.version}, the linted one ${linted.version}`;
  return (
    `Rehearsed on a scratch server (MongoDB ${server}): ${plural(shapes.length, 'recorded operation')}, ` +
    `${one === undefined ? '' : `each the average of ${plural(one.runs, 'execution')}, `}` +
    `before and after ${plural(commands.length, 'command')}. ${worse === 0 ? 'None got' : `${formatCount(worse)} got`} worse.`
  );
}

function collectionText({ namespace, documents, sampled, judged, indexes, changed }: BuiltCollection): string {
  const of = judged === documents ? '' : ` (judged at ${formatCount(judged)})`;
  const kept = indexes.length === 0 ? 'no index but that of _id' : indexes.join(', ');
  const others = changed.map(({ index, how }) => `; ${index} ${how}`).join('');
  return `${namespace}: ${plural(documents, 'document')}${of} from ${formatCount(sampled)} sampled; ${kept}${others}`;
}

function commandText({ check, db, command, refused }: RehearsedCommand): string {
  const [[name = '', collection] = []] = Object.entries(command);
  const indexes = (command['indexes'] as readonly { readonly name?: unknown }[] | undefined)?.map((each) => each.name);
  const hidden = command['index'] as { readonly name?: unknown; readonly hidden?: unknown } | undefined;
  const what =
    indexes?.join(', ') ?? (hidden === undefined ? command['index'] : `${hidden.name} hidden: ${hidden.hidden}`);
  const end = refused === undefined ? '' : `: refused (${refused})`;
  return `${name} ${db}.${String(collection)}: ${typeof what === 'string' ? what : JSON.stringify(what)} [${check}]${end}`;
}

function rowOf(shape: RehearsedShape, width: number, timeout: number): string[] {
  const { before, after, namespace, part, worse } = shape;
  const late = `> ${formatDuration(timeout)}`;
  const change = (of: (cost: Cost) => number) => {
    const [from, to] = [before, after].map((cost) => (cost === null ? late : average(of(cost))));
    return `${from} → ${to}`;
  };
  const room = Math.max(LEAST_WIDTH, width - FIGURES_WIDTH);
  const asked = `${worse ? 'WORSE: ' : ''}${namespace}: ${shape.shape}${part === null ? '' : ` (${part})`}`;
  const [from, to] = [planText(before), planText(after)];
  const lines = [
    ...wrapped(terminalText(asked), room),
    ...wrapped(terminalText(from === to ? from : `${from} → ${to}`), room),
  ];
  return [
    change(({ documentsExamined }) => documentsExamined),
    change(({ keysExamined }) => keysExamined),
    after === null ? late : average(after.returned),
    lines.join('\n'),
  ];
}

function planText(cost: Cost | null): string {
  if (cost === null) return 'not finished';
  const parts = [...(cost.scans ? ['scan'] : []), ...cost.indexes, ...(cost.sortsInMemory ? ['sort in memory'] : [])];
  return parts.length === 0 ? 'nothing read' : parts.join(' + ');
}

function average(figure: number): string {
  return figure < SMALL && !Number.isInteger(figure) ? figure.toFixed(1) : formatCount(Math.round(figure));
}

/** One by one, except operations on collections that were left out on purpose. */
function notRunTexts(notRun: readonly NotRehearsed[]): string[] {
  const elsewhere = notRun.filter(({ reason }) => reason === NOT_LINTED);
  return [
    ...notRun
      .filter((each) => !elsewhere.includes(each))
      .map(({ namespace, shape, reason }) => `${namespace}: ${shape}: ${reason}`),
    ...(elsewhere.length === 0 ? [] : [`${plural(elsewhere.length, 'operation')} on collections that are not linted`]),
  ];
}

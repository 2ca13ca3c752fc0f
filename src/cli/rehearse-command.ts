import { URI_VARIABLE } from '../config/config-file.js';
import { startEmbeddedMongod, type EmbeddedMongod } from '../demo/embedded-mongod/embedded-mongod.js';
import { formatBytes, formatCount, formatDuration, plural } from '../format.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { RehearsalPlan } from '../rehearsal/plan.js';
import type {
  Cost,
  BuiltCollection,
  NotRehearsed,
  Rehearsal,
  RehearsedCommand,
  RehearsedShape,
} from '../rehearsal/rehearsal.js';
import { rehearse } from '../rehearsal/rehearse.js';
import { NOT_LINTED } from '../rehearsal/source.js';
import { painter, type Paint } from '../report/paint.js';
import { plainTable } from '../report/plain-table.js';
import { wrapped } from '../report/text-layout.js';
import { isLikeUri } from '../text/hidden-uris.js';
import { terminalText } from '../text/terminal-text.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { lintOptions } from './lint-targets.js';
import { startProgress, type ProgressLine } from './progress.js';
import { isJsonWanted } from './report-outputs.js';
import type { RunOptions } from './run-options.js';
import { onlyTarget, runSettings } from './run-settings.js';
import { withShownErrors } from './shown-errors.js';

const NUMBERS = ['Documents', 'Keys', 'Returned'] as const;

/** Columns of the figures of a row, and the gaps behind them. */
const FIGURES_WIDTH = 46;

const LEAST_WIDTH = 24;

/** An average below it has a decimal. */
const SMALL = 10;

const LIMITS =
  'Scaled data repeat the sample: they show which index is chosen and how much it reads, not times, nor how fields go together or how skewed values are beyond the sample. See docs/in-production.md#rehearse-the-indexes.';

export interface RehearseArguments {
  readonly uri: string | undefined;
  /** Connection string of the scratch server; the embedded one of the demo if absent. */
  readonly on: string | undefined;
  /** Documents of each collection on it. */
  readonly documents: number | undefined;
}

/** Rehearses the advised indexes on a scratch server. Returns `findings` if an operation gets worse by them. */
export async function rehearseCommand(
  { uri, on, documents }: RehearseArguments,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ExitCode> {
  return withShownErrors(uri ?? io.env[URI_VARIABLE] ?? '', flags, io, async () => {
    if (on !== undefined && !isLikeUri(on))
      throw new LintError('Write --on as a connection string: mongodb://localhost:27018.');
    const isJson = isJsonWanted(flags.format ?? [], 'rehearse');
    const settings = await runSettings(uri, flags, io);
    const { uri: linted, options, expect } = onlyTarget(settings);
    const { config } = settings;
    const interruption = io.interruption?.();
    const progress = await startProgress(io.stderr, options.progress && !options.quiet, 'connecting');
    let embedded: EmbeddedMongod | null = null;
    try {
      embedded = on === undefined ? await embeddedServer(progress) : null;
      // The history is a file, and production's figures are of other documents than those that are sampled.
      const { history: _, production: __, ...reading } = lintOptions(options, io.cwd());
      const rehearsal = await rehearse({
        ...reading,
        uri: linted,
        on: on ?? (embedded as EmbeddedMongod).uri,
        checks: config.checks,
        settings: config.settings,
        expect,
        ...(documents !== undefined && { documents }),
        ...(interruption !== undefined && { interruption }),
        onStep: progress.show,
        onPlan: (plan) => {
          if (!options.quiet) progress.print(`${planLine(plan)}\n`);
        },
      });
      progress.stop();
      const paint = painter(hasColor(io.stdout, io.env));
      io.stdout.write(
        isJson ? `${JSON.stringify(rehearsal, null, 2)}\n` : rehearsalText(rehearsal, columnsOf(io), paint),
      );
      return rehearsal.shapes.some(({ worse }) => worse) ? EXIT_CODES.findings : EXIT_CODES.clean;
    } finally {
      progress.stop();
      await embedded?.stop();
    }
  });
}

async function embeddedServer({ show }: ProgressLine): Promise<EmbeddedMongod> {
  try {
    return await startEmbeddedMongod(show);
  } catch (error) {
    if (!(error instanceof LintError)) throw error;
    throw new LintError(`Name a scratch server with --on; none could be started here: ${error.message}`, {
      cause: error,
    });
  }
}

function planLine({ collections, documents, bytes, operations, milliseconds }: RehearsalPlan): string {
  const built = `${plural(documents, 'document')} (${formatBytes(bytes)}) in ${plural(collections, 'collection')}`;
  return `Builds ${built} and runs ${plural(operations, 'operation')} before and after: about ${formatDuration(milliseconds)}.`;
}

/** A rehearsal for people, in at most `width` columns. */
function rehearsalText(rehearsal: Rehearsal, width: number, paint: Paint): string {
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
          [...NUMBERS, 'Operation, and what finds its documents'],
          shapes.map((shape) => rowOf(shape, width, rehearsal.timeout)),
          paint,
          NUMBERS,
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

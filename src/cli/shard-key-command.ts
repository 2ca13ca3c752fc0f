import { URI_VARIABLE } from '../config/config-file.js';
import { formatCount, plural } from '../format.js';
import type { ShardKey } from '../inventory/sharding.js';
import type { CandidateKeyVerdict, KeyAspect } from '../judgement/shard-keys/candidate-key.js';
import { LintError } from '../lint-error.js';
import { judgeCandidateKey } from '../lint/judge-shard-key.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { labelled, wrapped } from '../report/text-layout.js';
import { isLikeUri } from '../text/hidden-uris.js';
import { terminalText } from '../text/terminal-text.js';
import { columnsOf, type Io } from './io.js';
import { lintOptions } from './lint-targets.js';
import { isJsonWanted } from './report-outputs.js';
import type { RunOptions } from './run-options.js';
import { onlyTarget, runSettings } from './run-settings.js';
import { withShownErrors } from './shown-errors.js';

export interface ShardKeyArguments {
  /** `database.collection`. */
  readonly namespace: string;
  /** As in mongosh: `{ tenant: 1, _id: "hashed" }`. The braces are optional. */
  readonly key: string;
  readonly uri: string | undefined;
  readonly shards: number | undefined;
}

const MARKS: Readonly<Record<KeyAspect['verdict'], string>> = { good: '✓', bad: '✗', unknown: '?' };
/** Columns for the mark before the name of an aspect, and the gap behind it. */
const LABEL_MARGIN = 6;
const QUOTED = /"(?:[^"\\]|\\["'\\])*"|'(?:[^'\\]|\\["'\\])*'/.source;
/** Its name, and its order, which may stand without the quotes that a shell takes away. */
const FIELD = new RegExp(`\\s*(${QUOTED}|[\\w$]+)\\s*:\\s*(${QUOTED}|[\\w.-]+)\\s*(?:,|$)`, 'gy');
/** JavaScript moves them to the front of an object. */
const NUMBER_NAME = /^\d+$/;
const ARGUMENTS = 'The first argument is a namespace, as in shop.orders, and the URI the third.';
const KEY_FORM = 'Write the key as in mongosh, in quotes: \'{ tenant: 1, _id: "hashed" }\'.';
/** Fields of a compound key. Source: MongoDB manual, "MongoDB Limits and Thresholds": fields of a compound index. */
const MOST_FIELDS = 32;

/** Judges a shard key by a collection's documents, before sharding by it. Returns `findings` if it is a bad key. */
export function shardKeyCommand(given: ShardKeyArguments, flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors(given.uri ?? io.env[URI_VARIABLE] ?? '', flags, io, async () => {
    if (isLikeUri(given.namespace)) throw new LintError(ARGUMENTS);
    const key = parseShardKey(given.key);
    const isJson = isJsonWanted(flags.format ?? [], 'shard-key');
    const { uri, options } = onlyTarget(await runSettings(given.uri, flags, io));
    const interruption = io.interruption?.();
    const verdict = await judgeCandidateKey({
      ...lintOptions(options, io.cwd()),
      uri,
      namespace: given.namespace,
      key,
      ...(given.shards !== undefined && { shards: given.shards }),
      ...(interruption !== undefined && { interruption }),
    });
    io.stdout.write(isJson ? `${JSON.stringify(verdict, null, 2)}\n` : verdictText(verdict, columnsOf(io)));
    return verdict.good ? EXIT_CODES.clean : EXIT_CODES.findings;
  });
}

/** Reads a key as in mongosh. Throws a LintError if no collection can be sharded by it. */
export function parseShardKey(text: string): ShardKey {
  const fields = writtenFields(text);
  const key = fields.map(({ name, order }) => ({ path: unquoted(name), hashed: unquoted(order) === 'hashed' }));
  if (key.length === 0 || fields.some(({ order }, index) => order !== '1' && key[index]?.hashed !== true))
    throw new LintError(`Each field of a shard key is 1 or "hashed". ${KEY_FORM}`);
  const paths = new Set(key.map(({ path }) => path));
  if (paths.size < key.length) throw new LintError(`A shard key can have each field only once. ${KEY_FORM}`);
  if (key.length > 1 && key.some(({ path }) => NUMBER_NAME.test(path)))
    throw new LintError(
      'mongolint cannot read a compound key with a number as a field name: its fields would change their order.',
    );
  if (key.filter(({ hashed }) => hashed).length > 1)
    throw new LintError(`A shard key can have only one hashed field. ${KEY_FORM}`);
  if (key.length > MOST_FIELDS) throw new LintError(`A shard key can have at most ${MOST_FIELDS} fields.`);
  return key;
}

function writtenFields(text: string): { readonly name: string; readonly order: string }[] {
  const inner = /^\{([^]*)\}$/.exec(text.trim())?.[1] ?? text;
  const fields = Array.from(inner.trim().matchAll(FIELD), ([whole, name, order]) => ({
    whole,
    name: name as string,
    order: order as string,
  }));
  if (fields.map(({ whole }) => whole).join('') !== inner.trim()) throw new LintError(KEY_FORM);
  return fields;
}

function unquoted(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text;
}

function verdictText(
  { namespace, key, documentsSampled, documents, good, aspects, better }: CandidateKeyVerdict,
  columns: number,
): string {
  const labelWidth = Math.max(...aspects.map(({ aspect }) => aspect.length)) + LABEL_MARGIN;
  const lines = aspects.flatMap(({ aspect, verdict, text }) =>
    labelled(`  ${MARKS[verdict]} ${aspect}`, labelWidth, wrapped(terminalText(text), columns - labelWidth)),
  );
  const unknown = aspects.filter(({ verdict }) => verdict === 'unknown').length;
  const unjudged = unknown === 0 ? '' : ` (${plural(unknown, 'point')} could not be judged)`;
  return [
    ...wrapped(
      terminalText(
        `${namespace} by ${key}, judged on ${formatCount(documentsSampled)} of ${plural(documents, 'document')}`,
      ),
      columns,
    ),
    '',
    ...lines,
    '',
    good ? `No problem found with this key${unjudged}.` : 'Do not shard by this key.',
    ...(better === null ? [] : wrapped(terminalText(`Better: ${better}`), columns)),
    '',
  ].join('\n');
}

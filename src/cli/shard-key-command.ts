import { parseDocument } from 'yaml';
import { URI_VARIABLE } from '../config/environment.js';
import { withoutSecrets } from '../connect/secrets.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { formatCount, plural } from '../format.js';
import { judgeCandidateKey } from '../lint/judge-shard-key.js';
import { LintError } from '../lint-error.js';
import { terminalText } from '../report/terminal-text.js';
import { labelled, wrapped } from '../report/text-layout.js';
import { shardKeyOf, type ShardKey } from '../inventory/shard-key.js';
import type { CandidateKeyVerdict, KeyAspect } from '../judgement/shard-keys/candidate-key.js';
import { columnsOf, type Io } from './io.js';
import { lineOf, traceOf } from './lint-targets.js';
import type { RunOptions } from './run-options.js';

/** What `mongolint shard-key` is given. */
export interface ShardKeyArguments {
  /** `database.collection`. */
  readonly namespace: string;
  /** As mongosh takes it: `{ tenant: 1, _id: "hashed" }`; the braces may be left out. */
  readonly key: string;
  readonly uri: string | undefined;
  readonly shards: number | undefined;
}

type ShardKeyOptions = Pick<
  RunOptions,
  'format' | 'sampleSize' | 'sampleBytes' | 'concurrency' | 'maxTime' | 'timeout' | 'readPreference' | 'verbose'
>;

const MARKS: Readonly<Record<KeyAspect['verdict'], string>> = { good: '✓', bad: '✗', unknown: '?' };
/** Columns around the name of an aspect: its mark before, and a gap behind. */
const LABEL_MARGIN = 6;
/** What stands in quotes, or else a colon. */
const COLON = /("(?:[^"\\]|\\.)*"|'[^']*')|:/g;
const KEY_FORM = 'Write the key as mongosh takes it, in quotes: \'{ tenant: 1, _id: "hashed" }\'.';
/** Fields of a compound key. Source: MongoDB manual, "MongoDB Limits and Thresholds": fields of a compound index. */
const MOST_FIELDS = 32;

/**
 * Judges a shard key on a collection's documents, before anyone shards by it.
 *
 * @returns clean where nothing speaks against the key, findings where something does
 */
export async function shardKeyCommand(given: ShardKeyArguments, options: ShardKeyOptions, io: Io): Promise<ExitCode> {
  const uri = given.uri ?? io.env[URI_VARIABLE] ?? '';
  try {
    if (uri === '')
      throw new LintError('mongolint needs a connection string: give it as MONGODB_URI, or after the key.');
    const verdict = await judgeCandidateKey({
      uri,
      namespace: given.namespace,
      key: parseShardKey(given.key),
      sample: {
        documents: options.sampleSize,
        bytes: options.sampleBytes,
      },
      concurrency: options.concurrency,
      maxTime: options.maxTime,
      timeout: options.timeout,
      ...(options.readPreference !== undefined && { readPreference: options.readPreference }),
      ...(given.shards !== undefined && { shards: given.shards }),
    });
    const isJson = options.format.some(({ format }) => format === 'json');
    io.stdout.write(isJson ? `${JSON.stringify(verdict, null, 2)}\n` : verdictText(verdict, columnsOf(io)));
    return verdict.good ? EXIT_CODES.clean : EXIT_CODES.findings;
  } catch (error) {
    io.stderr.write(`${withoutSecrets(lineOf(error), uri)}\n`);
    if (options.verbose && error instanceof Error) io.stderr.write(`${withoutSecrets(traceOf(error), uri)}\n`);
    return EXIT_CODES.fault;
  }
}

/**
 * Reads a key as people write it.
 *
 * @throws LintError where it is none that a collection can be sharded by.
 */
export function parseShardKey(text: string): ShardKey {
  const pattern = parsedPattern(text);
  const key = shardKeyOf(pattern);
  const isKey = key.length > 0 && Object.values(pattern).every((order) => order === 1 || order === 'hashed');
  if (!isKey) throw new LintError(`A field of a shard key is 1 or "hashed". ${KEY_FORM}`);
  if (key.filter(({ hashed }) => hashed).length > 1)
    throw new LintError(`A shard key has one hashed field at most. ${KEY_FORM}`);
  if (key.length > MOST_FIELDS) throw new LintError(`A shard key has ${MOST_FIELDS} fields at most.`);
  return key;
}

function parsedPattern(text: string): Record<string, unknown> {
  // A flow mapping of YAML takes names with and without quotes, as mongosh does, but only with a space behind the colon.
  const spaced = text.replace(COLON, (match, quoted?: string) => quoted ?? `${match} `);
  const document = parseDocument(spaced.trim().startsWith('{') ? spaced : `{ ${spaced} }`);
  const pattern: unknown = document.errors.length > 0 ? null : document.toJS({ mapAsMap: true });
  if (!(pattern instanceof Map) || ![...pattern.keys()].every((path) => typeof path === 'string'))
    throw new LintError(KEY_FORM);
  return Object.fromEntries(pattern);
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
  const unjudged = unknown === 0 ? '' : `, as far as it could be judged (${plural(unknown, 'point')} could not)`;
  return [
    ...wrapped(
      terminalText(
        `${namespace} by ${key}, judged by ${formatCount(documentsSampled)} of ${plural(documents, 'document')}`,
      ),
      columns,
    ),
    '',
    ...lines,
    '',
    good ? `Nothing speaks against this key${unjudged}.` : 'Do not shard by this key.',
    ...(better === null ? [] : wrapped(terminalText(`Better: ${better}`), columns)),
    '',
  ].join('\n');
}

import { absent, type Absent } from '../presence.js';
import { LintError } from '../lint-error.js';
import { pathText, validParts } from '../valid-parts.js';
import type { EvidenceLine, FooterLine } from './evidence-lines.js';
import { LINE_SCHEMAS } from './line-schemas.js';
import { fromJson, toJson } from './plain-data.js';

type Line = EvidenceLine | Omit<FooterLine, 'sha256'>;
type Fields = Readonly<Record<string, unknown>>;

const FOOTER = LINE_SCHEMAS.footer.omit({ sha256: true });

export interface ValidLine<Of extends Line> {
  /** Null if it says nothing without what was left out. */
  readonly line: Of | null;
  /** The pieces of evidence that are absent for that, by name. */
  readonly lost: Readonly<Record<string, Absent>>;
}

/**
 * A line without what no reader would accept: a piece of evidence is then absent, with the reason, and the options of a
 * collection are unknown.
 *
 * @throws LintError if the file is nothing without it
 */
export function validLine<Of extends Line>(given: Of): ValidLine<Of> {
  const lost: Record<string, Absent> = {};
  const { collection, evidence, ...rest } = given as Of & {
    readonly collection?: unknown;
    readonly evidence?: unknown;
  };
  const of = String((collection as Fields | undefined)?.['namespace'] ?? 'the cluster');
  const lose = (name: PropertyKey, part: string) =>
    (lost[String(name)] ??= absent(
      'malformed',
      `"${String(name)}" of ${of} is not in the file: ${part} does not match the format of evidence.`,
    ));
  const line: Record<string, unknown> = {
    ...(plainData(rest) as Fields),
    ...(typeof collection === 'object' && { collection: plainFields(collection as Fields, () => ({})) }),
    ...(typeof evidence === 'object' && {
      evidence: plainFields(evidence as Fields, (name) => ({ [name]: lose(name, 'it') })),
    }),
  };
  const schema = given.kind === 'footer' ? FOOTER : LINE_SCHEMAS[given.kind];
  const accepted = validParts(schema, line);
  const { omitted } = accepted;
  for (const [part, name, ...path] of omitted)
    if (part === 'evidence' && name !== undefined) lose(name, pathText(path) || 'it');
  const hasLost = Object.keys(lost).length > 0;
  if (hasLost) line['evidence'] = { ...(line['evidence'] as Fields), ...lost };
  const { value, isValid } = hasLost ? validParts(schema, line) : accepted;
  if (!isValid && given.kind !== 'operation')
    throw new LintError(`The evidence of ${of} can't be written: ${omitted.map(pathText).join(', ')} is damaged.`);
  return { line: isValid ? (value as Of) : null, lost };
}

function plainFields(fields: Fields, otherwise: (name: string) => Fields): Fields {
  const plain = Object.entries(fields).map(([name, value]): Fields => {
    try {
      return { [name]: plainData(value) };
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return otherwise(name);
      throw error;
    }
  });
  return Object.assign({}, ...plain);
}

function plainData(value: unknown): unknown {
  return fromJson(toJson(value));
}

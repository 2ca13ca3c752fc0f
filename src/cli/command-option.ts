import { InvalidArgumentError, Option } from 'commander';
import { mappingFault } from '../evidence-file/production/database-map.js';
import { SEVERITIES, type Severity } from '../finding/severity.js';
import type { SeveritySetting } from '../findings/evidence-plan.js';
import { formatBytes, formatDuration } from '../format.js';
import { globFault } from '../inventory/namespace-glob.js';
import type { OptionSpec } from '../lint/option.js';
import { type OptionName, OPTIONS } from '../lint/options.js';
import {
  isSince,
  SINCE_EXAMPLES,
  isQuantityUnit,
  quantity,
  QUANTITY_EXAMPLES,
  type QuantityUnit,
} from '../lint/quantity.js';
import { runPart, type RunPart } from '../report/run-part.js';
import { syntaxFault } from '../text/glob.js';
import { isLikeUri } from '../text/hidden-uris.js';
import { MS_PER_SECOND } from '../time-units.js';
import { FORMAT_NAMES, parseFormat } from './report-outputs.js';

const LEVELS: readonly string[] = [...SEVERITIES, 'off'];

const VALUE_NAMES = {
  switch: null,
  glob: 'glob',
  file: 'file',
  source: 'dir',
  module: 'module',
  url: 'url',
  format: 'format[=file]',
  check: 'check',
  owner: 'name',
  mapping: 'from=to',
  part: 'i/n',
  time: 'time',
  severity: 'check=level',
};

const NUMBER_NAMES: Readonly<Record<string, string>> = { ms: 'time', bytes: 'size' };

/** "--sample-size", or "--no-progress" for a switch that is on by default. */
export function flagOf(name: OptionName): string {
  const spec: OptionSpec = OPTIONS[name];
  const isNegated = spec.type === 'switch' && spec.default === true;
  return isNegated ? spelledFlag(name).replace('--', '--no-') : spelledFlag(name);
}

/** An option of the table as commander takes it, with its negation, if there is one. */
export function commandOptions(name: OptionName): Option[] {
  const { negated }: OptionSpec = OPTIONS[name];
  const option = commandOption(name);
  return negated === undefined ? [option] : [option, new Option(flagOf(name).replace('--', '--no-'), negated)];
}

function commandOption(name: OptionName): Option {
  const spec: OptionSpec = OPTIONS[name];
  const value = valueName(spec);
  const option = new Option(value === null ? flagOf(name) : `${flagOf(name)} <${value}>`, description(spec));
  option.default(spec.default, defaultText(spec));
  if (spec.choices !== undefined) return option.choices(spec.choices);
  if (spec.type === 'format') option.argChoices = [...FORMAT_NAMES];
  const parser = parserOf(spec);
  return parser === null ? option : option.argParser(parser);
}

/** What an option does, with its choices, and with its default unless that is off or empty. */
export function optionDescription({ description: text, argChoices, defaultValueDescription }: Option): string {
  const notes = [
    ...(argChoices === undefined ? [] : [argChoices.join(', ')]),
    ...(defaultValueDescription === undefined ? [] : [`default: ${defaultValueDescription}`]),
  ];
  return notes.length === 0 ? text : `${text} (${notes.join('; ')})`;
}

/** An option with globs for files: those in the table have globs for collections. */
export function fileGlobOption(flag: string, meaning: string): Option {
  return new Option(`${flag} <glob>`, meaning).argParser((value: string, before: readonly string[] = []) => {
    const fault = sentenceOf('The glob', value === '' ? 'is empty' : syntaxFault(value));
    if (fault !== null) throw new InvalidArgumentError(fault);
    return [...before, value];
  });
}

export function wholeNumber(minimum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < minimum) {
      throw new InvalidArgumentError(`Give a whole number from ${minimum}.`);
    }
    return number;
  };
}

/** A time in ms or a size in bytes, with a unit or without. */
function quantityFrom(minimum: number, unit: QuantityUnit): (value: string) => number {
  return (value) => {
    const number = quantity(value, unit);
    // Whoever writes 10 means seconds.
    if (unit === 'ms' && number !== null && number < MS_PER_SECOND && /^\d+$/.test(value))
      throw new InvalidArgumentError(`Give a unit: ${value}s for seconds, ${value}ms for milliseconds.`);
    if (number !== null && number >= minimum) return number;
    throw new InvalidArgumentError(`Give ${QUANTITY_EXAMPLES[unit]}, or a whole number of ${unit} from ${minimum}.`);
  };
}

function valueName({ type, noun, unit }: OptionSpec): string | null {
  if (type === 'number') return NUMBER_NAMES[unit ?? ''] ?? 'n';
  return type === 'choice' ? (noun ?? 'choice') : VALUE_NAMES[type];
}

function description({ meaning, isRepeatable, variable, isSecret }: OptionSpec): string {
  const notes = [
    ...(isRepeatable === true ? ['repeatable'] : []),
    ...(variable === undefined ? [] : [isSecret === true ? `a secret: better set as ${variable}` : `also ${variable}`]),
  ];
  return [meaning, ...notes].join('; ');
}

function defaultText({ default: value, defaultMeaning, unit }: OptionSpec): string | undefined {
  if (defaultMeaning !== undefined || typeof value === 'string') return defaultMeaning ?? String(value);
  if (typeof value !== 'number') return undefined;
  if (unit === 'ms') return formatDuration(value).replace(' ', '');
  return unit === 'bytes' ? formatBytes(value).replace(' ', '') : String(value);
}

/** What is wrong with a value, in a sentence; null if nothing is. */
const FAULTS: Partial<Record<OptionSpec['type'], (value: string) => string | null>> = {
  glob: (glob) => sentenceOf('The glob', globFault(glob)),
  mapping: (mapping) => sentenceOf('It', mappingFault(mapping)),
  time: (time) => (isSince(time) ? null : `Give ${SINCE_EXAMPLES}.`),
  file: likeUriFault,
  source: likeUriFault,
  module: likeUriFault,
};

type Parser = (value: string, before: unknown) => unknown;

function parserOf({ type, unit, minimum = 0, isRepeatable }: OptionSpec): Parser | null {
  if (type === 'number') return isQuantityUnit(unit) ? quantityFrom(minimum, unit) : wholeNumber(minimum);
  if (type === 'format') return parseFormat as Parser;
  if (type === 'severity') return parseSeverity as Parser;
  if (type === 'part') return parsePart;
  const checked = (value: string) => {
    const fault = FAULTS[type]?.(value) ?? null;
    if (fault !== null) throw new InvalidArgumentError(fault);
    return value;
  };
  if (isRepeatable === true) return (value, before) => [...(before as readonly string[]), checked(value)];
  return type === 'switch' ? null : checked;
}

function sentenceOf(subject: string, fault: string | null): string | null {
  return fault === null ? null : `${subject} ${fault}.`;
}

function parsePart(value: string): RunPart {
  const part = runPart(value);
  if (part === null)
    throw new InvalidArgumentError('Give the part and the number of parts, such as 2/8; at most 1000.');
  return part;
}

/** A connection string that was swallowed by the option before it would be shown as the name of a file. */
function likeUriFault(name: string): string | null {
  return isLikeUri(name) ? 'It looks like a connection string.' : null;
}

/** "unused-index=info", one more of them. */
function parseSeverity(value: string, before: readonly SeveritySetting[] = []): SeveritySetting[] {
  const [check = '', severity = '', ...rest] = value.split('=');
  if (check === '' || !LEVELS.includes(severity) || rest.length > 0) {
    throw new InvalidArgumentError(`Give CHECK=LEVEL, with one of the levels ${LEVELS.join(', ')}.`);
  }
  return [...before, { check, severity: severity as Severity | 'off' }];
}

/** "--sample-size" of "sampleSize". Without the option's own library, which takes long to load. */
export function spelledFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}

import { pipelineShape } from '../workload/shapes/pipeline-shape.js';
import { fieldPath } from '../workload/shapes/sort-shape.js';
import { ANY, codeFilter, codeLiteral } from './code-filter.js';
import type { CodeJoin, CodeShape, CodeStage } from './place.js';
import { FIELDS, isPlainObject, OPEN, plainWays } from './plain-ways.js';
import { lineAt, waysOf, type Value } from './value.js';

/** Stands for the database of the collection, which the source need not name. */
export const ANY_DATABASE = '';

/** The ways in which a pipeline can come out; null if nothing is known of it. */
export function pipelineWays(
  value: Value,
): readonly Pick<CodeShape, 'stages' | 'pipeline' | 'joins' | 'more'>[] | null {
  const ways = waysOf(value).map((way) => {
    if (way.kind !== 'array') return null;
    // Whatever else there may be, the stages that are written out are among its stages.
    return plainWays({ ...way, open: false })?.map((plain) => ({
      ...pipelineOf(plain as readonly unknown[]),
      ...(way.open && { more: true as const }),
    }));
  });
  return ways.every((way) => way !== null && way !== undefined) ? ways.flat() : null;
}

function pipelineOf(plain: readonly unknown[]): Required<Pick<CodeShape, 'stages' | 'pipeline' | 'joins'>> {
  const known = plain.map((stage) => (stageName(stage) === ANY ? { [ANY]: {} } : stage));
  return {
    stages: known.flatMap(codeStages),
    pipeline: pipelineShape(known, ANY_DATABASE, codeLiteral),
    joins: joinsIn(plain),
  };
}

function stageName(stage: unknown): string {
  if (!isPlainObject(stage) || stage[OPEN] === true) return ANY;
  const [name, ...others] = Object.keys(stage);
  return name === undefined || others.length > 0 ? ANY : name;
}

/** As the server records them: some stages are short for others. */
function codeStages(stage: unknown): readonly CodeStage[] {
  const names = pipelineShape([stage], ANY_DATABASE, codeLiteral).flatMap((shape) => Object.keys(shape));
  return names.length === 1 ? [{ ...codeStage(stage), name: names[0] as string }] : names.map((name) => ({ name }));
}

function codeStage(stage: unknown): CodeStage {
  const name = stageName(stage);
  const body = isPlainObject(stage) ? stage[name] : undefined;
  if (name === '$match') return { name, ...(isPlainObject(body) && { filter: codeFilter(body) }) };
  const [join] = JOINING.has(name) ? joinsIn([stage]) : [];
  return { name, ...(join !== undefined && { join }) };
}

const JOINING: ReadonlySet<string> = new Set(['$lookup', '$graphLookup']);

/** Those of pipelines within included. */
function joinsIn(part: unknown): readonly CodeJoin[] {
  if (Array.isArray(part)) return part.flatMap(joinsIn);
  if (!isPlainObject(part)) return [];
  return Object.entries(part).flatMap(([name, body]) => {
    const at = part[FIELDS]?.get(name)?.at;
    if (!JOINING.has(name) || !isPlainObject(body) || at === undefined) return joinsIn(body);
    const [local, foreign] =
      name === '$lookup' ? ['localField', 'foreignField'] : ['connectFromField', 'connectToField'];
    const own: CodeJoin = {
      stage: name,
      from: textIn(body['from']),
      localField: pathIn(body[local as string]),
      foreignField: pathIn(body[foreign as string]),
      ...lineAt(at),
    };
    return [own, ...joinsIn(body['pipeline'])];
  });
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function pathIn(value: unknown): string | null {
  return typeof value === 'string' ? fieldPath(value) : null;
}

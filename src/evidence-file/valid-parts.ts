import type { z } from 'zod';

export type PartPath = readonly PropertyKey[];

/** What a schema accepts of plain data. */
export interface ValidParts {
  /** As given, without what was left out. */
  readonly value: unknown;
  readonly omitted: readonly PartPath[];
  /** False if what must be there is not: then the value is all that was given. */
  readonly isValid: boolean;
}

/** Leaves out the smallest parts without which a schema accepts the data. The order of fields stays. */
export function validParts(schema: z.ZodType, given: unknown): ValidParts {
  let value = given;
  const omitted: PartPath[] = [];
  for (let issues = issuesOf(schema, value); issues.length > 0; issues = issuesOf(schema, value)) {
    if (value === given) value = structuredClone(given);
    const parts = outermost(issues.map((path) => presentPart(value, path)));
    if (parts.some(({ length }) => length === 0))
      return { value: given, omitted: omitted.length > 0 ? omitted : issues, isValid: false };
    omitted.push(...parts);
    // From behind, so that the indexes of an array hold until they are used.
    for (const part of parts.toReversed()) remove(value, part);
  }
  return { value, omitted, isValid: true };
}

/** "collections[0].size" */
export function pathText(path: PartPath): string {
  return path
    .map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`))
    .join('')
    .replace(/^\./, '');
}

function issuesOf(schema: z.ZodType, value: unknown): PartPath[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );
}

/** What is missing can't be left out: what needs it is. */
function presentPart(value: unknown, path: PartPath): PartPath {
  const missing = path.findIndex((_, depth) => holderOf(value, path.slice(0, depth + 1)) === null);
  return missing === -1 ? path : path.slice(0, missing);
}

function outermost(parts: readonly PartPath[]): PartPath[] {
  const distinct = new Map(parts.map((part) => [JSON.stringify(part), part]));
  return [...distinct.values()].filter((part) =>
    part.every((_, depth) => depth === 0 || !distinct.has(JSON.stringify(part.slice(0, depth)))),
  );
}

function remove(value: unknown, path: PartPath): void {
  const holder = holderOf(value, path);
  const name = path.at(-1) as PropertyKey;
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else if (holder !== null) delete holder[name];
}

/** The object that has the last part of a path. */
function holderOf(value: unknown, path: PartPath): Record<PropertyKey, unknown> | null {
  const holder = path.slice(0, -1).reduce<unknown>((object, name) => (object as never)?.[name], value);
  const name = path.at(-1);
  if (typeof holder !== 'object' || holder === null || name === undefined || !Object.hasOwn(holder, name)) return null;
  return holder as Record<PropertyKey, unknown>;
}

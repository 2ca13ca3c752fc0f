import { z } from 'zod';
import { FIRST_TIME, LAST_TIME } from './time-units.js';

/** A count or a size. */
export const figureSchema = z.int().nonnegative();

/** In ms since 1970, between the years 0 and 9999. */
export const timeSchema = z.number().min(FIRST_TIME).max(LAST_TIME);

/** The value of a name that may be "constructor", or any other that objects inherit. */
export function ownValue<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The same names with other values. */
export function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

/** Those of an object's properties that it has: names of absent ones, and of undefined ones, are left out. */
export function picked<Of extends object, Name extends keyof Of>(of: Of, names: readonly Name[]): Pick<Of, Name> {
  const entries = names.map((name) => [name, of[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Pick<Of, Name>;
}

type DeepReadonly<Value> = Value extends readonly unknown[]
  ? { readonly [Index in keyof Value]: DeepReadonly<Value[Index]> }
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** What a schema describes: plain data, which nobody changes. */
export type Plain<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

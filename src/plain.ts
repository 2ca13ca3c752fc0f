import type { z } from 'zod';

type DeepReadonly<Value> = Value extends readonly unknown[]
  ? { readonly [Index in keyof Value]: DeepReadonly<Value[Index]> }
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** What a schema describes: plain data, which nobody changes. */
export type Plain<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

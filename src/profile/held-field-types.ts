import type { FieldType, FieldTypes } from './field-types.js';

const NAMES = [
  'path',
  'types',
  'documents',
  'elementsPerArray',
  'longestString',
  'averageString',
  'textFormat',
  'shareOfBytes',
  'spread',
  'deciles',
] as const satisfies readonly (keyof FieldType)[];
/** Collections up to which objects take less time than they take memory. */
const MOST_AS_OBJECTS = 2_500;
/** Collections whose fields are ready: a check asks for the same ones again and again, and joins name a few at a time. */
const MOST_READY = 64;

/** Holds the field types of a run's collections: as JSON if they are thousands, since objects take four times as much memory. */
export class HeldFieldTypes {
  readonly #ready = new Map<string, readonly FieldType[]>();
  readonly #hold: (() => unknown)[] = [];
  #collections = 0;

  /** The same field types, whose fields may be made again if they were not asked for lately. */
  held({ documents, complete, fields }: FieldTypes): FieldTypes {
    // Evidence of an older version lacks some, and stays as it is.
    if (!fields.every((field) => NAMES.every((name) => name in field))) return { documents, complete, fields };
    let known: readonly FieldType[] | string = fields;
    this.#hold.push(() => (known = textOf(known as readonly FieldType[])));
    this.#collections += 1;
    if (this.#collections > MOST_AS_OBJECTS) for (const hold of this.#hold.splice(0)) hold();
    const fieldsOf = () => (typeof known === 'string' ? this.#fieldsIn(known) : known);
    return {
      documents,
      complete,
      get fields() {
        return fieldsOf();
      },
    };
  }

  #fieldsIn(text: string): readonly FieldType[] {
    const ready = this.#ready.get(text);
    if (ready !== undefined) return ready;
    const rows = JSON.parse(text) as readonly (readonly unknown[])[];
    const fields = rows.map(
      (row) => Object.fromEntries(NAMES.map((name, at) => [name, row[at]])) as never as FieldType,
    );
    this.#ready.set(text, fields);
    if (this.#ready.size > MOST_READY) this.#ready.delete(this.#ready.keys().next().value as string);
    return fields;
  }
}

function textOf(fields: readonly FieldType[]): string {
  return JSON.stringify(fields.map((field) => NAMES.map((name) => field[name])));
}

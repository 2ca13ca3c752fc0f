import { groupedBy } from '../grouped-by.js';
import { looksLikeData, namePattern, type FieldNamePattern } from '../workload/data-name.js';

export interface JudgedField {
  readonly name: string;
  /** Share of the objects since the field was first seen that hold it, 0 to 1. */
  readonly presence: number;
  /** Share of all objects that hold it, 0 to 1. */
  readonly shareOfAll: number;
  /** False if the field was first seen so recently that its presence says little yet. */
  readonly settled: boolean;
  readonly kind: string;
  readonly fields: ReadonlyMap<string, string>;
}

export interface JudgedObjects {
  readonly count: number;
  /** Fields in the objects per field that is told apart: 1, and more if there was no room for further names. */
  readonly fieldsPerKnownField: number;
  readonly namesAreData: boolean;
  /** True once all documents were read, or if memory is short; sparse names are judged only then. */
  readonly final: boolean;
  /** True if the remaining names will be shown: one that looks like data must not be among them. */
  readonly shown: boolean;
}

/** Names from which a shared pattern makes them data. Fewer may be a star rating or numbered questions. */
export const FEWEST_NAMES_OF_A_PATTERN = 5;

/** Share of the names that must match for the pattern to hold, and to give its name to the folded ones. */
export const PATTERN_SHARE = 0.8;

/** Rare names with similar values count as data from here: optional fields are rarely that many and alike. */
export const FEWEST_SPARSE_NAMES = 30;

// Names beyond which rare ones are folded whatever their values, and those in fewer than half of the objects if their
// values are alike. Memory is bounded, and no schema in use has as many.
export const CROWDED_NAMES = 200;

export const RARE_PRESENCE = 0.1;

/** Share of the objects from which a field is part of the schema, whatever else its object holds. */
export const SCHEMA_PRESENCE = 0.5;

/** Objects from which a common name that looks like data is schema, such as "First Name" of an imported table. */
export const FEWEST_OBJECTS_OF_SCHEMA = 5;

export const ALIKE_SHARE = 0.9;

export const SAME_SHAPE_SHARE = 0.3;

/** These names are data however few they are: nobody gives such a name to a field by hand. */
const UNMISTAKABLE: ReadonlySet<FieldNamePattern> = new Set(['objectId', 'uuid', 'email']);

export function commonPattern(names: readonly string[]): FieldNamePattern {
  for (const [pattern, matching] of groupedBy(names, namePattern)) {
    if (pattern !== null && matching.length >= names.length * PATTERN_SHARE) return pattern;
  }
  const forms = names.map((name) => name.replaceAll(/\d+/g, '0'));
  const { value: form, count } = mostFrequent(forms.filter((each) => /\p{L}/u.test(each) && each.includes('0')));
  const isNumbered = form !== '' && names.length >= FEWEST_NAMES_OF_A_PATTERN && count >= names.length * PATTERN_SHARE;
  return isNumbered ? 'numbered' : 'mixed';
}

export interface FieldNameVerdict<F> {
  readonly namedByData: ReadonlySet<F>;
  readonly namesAreData: boolean;
}

// A name is data if it matches a pattern as nearly all names of its objects do; if it is one of many rare names with
// similar values; if it is rare and there are too many to keep; or if it looks like data by itself. A field that most
// objects hold is schema, however many there are: only a pattern speaks against that.
export function judgeFieldNames<F extends JudgedField>(
  fields: readonly F[],
  objects: JudgedObjects,
): FieldNameVerdict<F> {
  const patterns = fields.map((field) => namePattern(field.name));
  const matching = patterns.filter((pattern) => pattern !== null).length;
  const patternHolds = fields.length >= FEWEST_NAMES_OF_A_PATTERN && matching >= fields.length * PATTERN_SHARE;

  const judged = objects.final ? fields : fields.filter((field) => field.settled);
  const uncommon = judged.filter((field) => field.presence < SCHEMA_PRESENCE);
  const rare = uncommon.filter((field) => field.presence < RARE_PRESENCE);
  const names = (known: readonly F[]) => known.length * objects.fieldsPerKnownField;
  const sparse = objects.final && names(rare) >= FEWEST_SPARSE_NAMES && alike(rare);
  const crowdedByRare = names(rare) > CROWDED_NAMES;
  const crowdedByAlike = names(uncommon) > CROWDED_NAMES && alike(uncommon);
  const namesAreData = objects.namesAreData || patternHolds || sparse || crowdedByRare || crowdedByAlike;

  const allUncommon = objects.namesAreData || patternHolds || crowdedByAlike;
  const kind = commonKind(rare);
  const namedByData = new Set<F>();
  fields.forEach((field, index) => {
    const pattern = patterns[index] ?? null;
    if (pattern !== null && (namesAreData || UNMISTAKABLE.has(pattern))) namedByData.add(field);
  });
  if (objects.shown) {
    for (const field of fields) {
      if (!isSchema(field, objects) && looksLikeData(field.name)) namedByData.add(field);
    }
  }
  for (const field of uncommon) {
    const isRare = field.presence < RARE_PRESENCE;
    if (allUncommon || (namesAreData && isRare) || (sparse && field.kind === kind)) namedByData.add(field);
  }
  return { namedByData, namesAreData };
}

function isSchema({ shareOfAll }: JudgedField, { count }: JudgedObjects): boolean {
  return count >= FEWEST_OBJECTS_OF_SCHEMA && shareOfAll >= SCHEMA_PRESENCE;
}

/** Whether nearly all values are of one kind; objects also of one shape, or with values of one kind in turn. */
function alike(fields: readonly JudgedField[]): boolean {
  const kind = commonKind(fields);
  const ofKind = fields.filter((field) => field.kind === kind);
  if (fields.length === 0 || ofKind.length < fields.length * ALIKE_SHARE) return false;
  const objects = ofKind.filter((field) => field.fields.size > 0);
  if (objects.length === 0) return true;
  const names = new Set(objects.flatMap((field) => [...field.fields.keys()]));
  const kinds = objects.flatMap((field) => [...field.fields.values()]);
  const oneShape = kinds.length >= objects.length * names.size * SAME_SHAPE_SHARE;
  return oneShape || mostFrequent(kinds).count >= kinds.length * ALIKE_SHARE;
}

function commonKind(fields: readonly JudgedField[]): string {
  return mostFrequent(fields.map((field) => field.kind)).value;
}

function mostFrequent(values: readonly string[]): { value: string; count: number } {
  const counts = new Map<string, number>();
  const most = { value: '', count: 0 };
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > most.count) Object.assign(most, { value, count });
  }
  return most;
}

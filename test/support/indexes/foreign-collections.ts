import type { CreateCollectionOptions, Document } from 'mongodb';

/** Enough that a scan costs far more than a look-up. */
export const DOCUMENT_COUNT = 300;

export const CASE_INSENSITIVE = { locale: 'en', strength: 2 };

/** A field that joins look up. */
export interface ForeignField {
  readonly path: string;
  /** What it holds. */
  readonly kind: FieldKind;
  readonly arrays: boolean;
}

export type FieldKind = 'number' | 'string' | 'object' | 'date' | 'several';

/** A collection that joins read. */
export interface ForeignCollection {
  readonly name: string;
  readonly options: CreateCollectionOptions;
  readonly document: (index: number) => Document;
  readonly fields: readonly ForeignField[];
  /** Two values, each in half of the documents: "A" and "B". */
  readonly halves?: string;
  /** A different number in each document. */
  readonly serial?: string;
}

/** Three documents lack each field that may be missing. */
const isMissing = (index: number) => index % 100 === 7;

const number = (index: number) => index;
const text = (index: number) => `x${index}`;
const either = (index: number) => (index % 2 === 0 ? text(index) : index);
// In alphabetical order, as a time-series collection stores the fields of its metaField.
const object = (index: number) => ({ label: text(index), part: index });
const half = (index: number) => (index % 2 === 0 ? 'A' : 'B');
const place = (index: number) => [index % 90, index % 45];
const part = (index: number) => ({ half: half(index), order: number(index), code: text(index) });
const any = (index: number) => [number(index), text(index), object(index)][index % 3];

function fields(index: number, wrap: (value: unknown, index: number) => unknown): Document {
  const common = { half: half(index), serial: index, note: `note ${index}`, place: place(index) };
  if (isMissing(index)) return common;
  return {
    ...common,
    count: wrap(number(index), index),
    name: wrap(text(index), index),
    either: wrap(either(index), index),
    object: wrap(object(index), index),
    address: wrap({ zip: number(index), city: text(index) }, index),
  };
}

const asIs = (value: unknown) => value;
const inArray = (value: unknown, index: number) => (index % 2 === 0 ? [value] : [value, value]);
/** One document is enough to make an index multikey. */
const inOneArray = (value: unknown, index: number) => (index === 12 ? [value] : value);

const KINDS: Readonly<Record<string, FieldKind>> = {
  count: 'number',
  name: 'string',
  either: 'several',
  object: 'object',
  'address.zip': 'number',
  'address.city': 'string',
};
const SCALARS = Object.entries(KINDS).map(([path, kind]) => ({ path, kind, arrays: false }));
const ARRAYS = SCALARS.map((field) => ({ ...field, arrays: true }));
const SENSOR = SCALARS.map((field) => ({ ...field, path: `sensor.${field.path}` }));
const TIME: ForeignField = { path: 'at', kind: 'date', arrays: false };
const VALUE: ForeignField = { path: 'value', kind: 'number', arrays: false };

function id(kind: FieldKind): ForeignField {
  return { path: '_id', kind, arrays: false };
}

const OWN = { halves: 'half', serial: 'serial' } as const;
const CLUSTERED = { clusteredIndex: { key: { _id: 1 }, unique: true } };
const time = (index: number) => new Date(Date.UTC(2020, 0, 1 + index));

export const FOREIGN_COLLECTIONS: readonly ForeignCollection[] = [
  {
    name: 'plain',
    options: {},
    document: (index) => ({ _id: index, ...fields(index, asIs) }),
    fields: [...SCALARS, id('number')],
    ...OWN,
  },
  {
    name: 'namedIds',
    options: {},
    document: (index) => ({ _id: text(index), ...fields(index, asIs) }),
    fields: [...SCALARS, id('string')],
    ...OWN,
  },
  {
    name: 'objectIds',
    options: {},
    document: (index) => ({ _id: { order: index }, list: { 0: index }, ...fields(index, asIs) }),
    fields: [
      id('object'),
      { path: '_id.order', kind: 'number', arrays: false },
      { path: 'list.0', kind: 'number', arrays: false },
    ],
    ...OWN,
  },
  {
    name: 'arrays',
    options: {},
    document: (index) => ({ _id: index, ...fields(index, inArray) }),
    fields: ARRAYS,
    ...OWN,
  },
  {
    name: 'fewArrays',
    options: {},
    document: (index) => ({ _id: index, ...fields(index, inOneArray) }),
    fields: ARRAYS,
    ...OWN,
  },
  {
    name: 'parts',
    options: {},
    document: (index) => ({
      _id: index,
      serial: index,
      parts: [part(index), part(index)],
      place: place(index),
      note: 'parts',
    }),
    fields: [
      { path: 'parts.order', kind: 'number', arrays: true },
      { path: 'parts.code', kind: 'string', arrays: true },
    ],
    halves: 'parts.half',
    serial: 'serial',
  },
  {
    name: 'capped',
    options: { capped: true, size: 10_000_000 },
    document: (index) => ({ _id: index, ...fields(index, asIs) }),
    fields: [...SCALARS, id('number')],
    ...OWN,
  },
  {
    name: 'caseInsensitive',
    options: { collation: CASE_INSENSITIVE },
    document: (index) => ({ _id: any(index), ...fields(index, asIs) }),
    fields: [...SCALARS, id('several'), id('several')],
    ...OWN,
  },
  {
    name: 'clustered',
    options: CLUSTERED,
    document: (index) => ({ _id: any(index), ...fields(index, asIs) }),
    fields: [...SCALARS, id('several'), id('several'), id('several')],
    ...OWN,
  },
  {
    name: 'clusteredCaseInsensitive',
    options: { ...CLUSTERED, collation: CASE_INSENSITIVE },
    document: (index) => ({ _id: any(index), ...fields(index, asIs) }),
    fields: [...SCALARS, id('several'), id('several'), id('several')],
    ...OWN,
  },
  {
    name: 'series',
    options: { timeseries: { timeField: 'at', metaField: 'sensor' } },
    document: (index) => ({ at: time(index), sensor: index, value: index }),
    fields: [TIME, VALUE, { path: 'sensor', kind: 'number', arrays: false }],
  },
  {
    name: 'seriesOfObjects',
    options: { timeseries: { timeField: 'at', metaField: 'sensor' } },
    document: (index) => ({ at: time(index), sensor: fields(index, asIs), value: index }),
    fields: [TIME, VALUE, ...SENSOR],
    halves: 'sensor.half',
    serial: 'sensor.serial',
  },
];

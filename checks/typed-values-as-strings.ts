import {
  type BsonType,
  type ClusterVerdict,
  defineClusterCheck,
  type KnownCollection,
  type RemedyStep,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, formatCount, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { convertingUpdate } from '../src/judgement/documents/converting-update.js';
import { judgedAt, judgedAtText, judgedSize } from '../src/judgement/judged-size.js';
import { executionsWithout, isAskedFor } from '../src/judgement/queries/unsearched-field.js';
import { SCAN_COST, shellScan, spacedJson } from '../src/judgement/shell-statement.js';
import { databaseOf } from '../src/namespace.js';
import type { FieldType } from '../src/profile/field-types.js';
import { fieldName, isQueryable, queryPath } from '../src/profile/path-steps.js';
import type { TextFormat } from '../src/profile/text-formats.js';
import { familyCounts, type TypeFamily } from '../src/profile/type-families.js';

/** What a text of each format stands for, and the bytes of such a value. Source: bsonspec.org. */
const TYPED: Readonly<
  Record<TextFormat, { one: string; all: string; family: TypeFamily; bytes: number; to: BsonType }>
> = {
  objectId: { one: 'an ObjectId', all: 'ObjectIds', family: 'objectId', bytes: 12, to: 'objectId' },
  uuid: { one: 'a UUID', all: 'UUIDs', family: 'binData', bytes: 21, to: 'binData' },
  date: { one: 'a date', all: 'dates', family: 'date', bytes: 8, to: 'date' },
  number: { one: 'a number', all: 'numbers', family: 'number', bytes: 8, to: 'double' },
};
/** The length and the terminator of a text. */
const STRING_OVERHEAD = 5;
/** Names that say nothing of what they hold. */
const GENERIC = new Set(['_id', 'id', '*', 'value', 'key', 'data', 'k', 'v', 'version']);

type Known = KnownCollection<'fieldTypes' | 'storage' | 'indexes'>;

export const typedValuesAsStrings = defineClusterCheck({
  id: 'typed-values-as-strings',
  title: 'Dates, ids or numbers stored as text',
  explainedBy: ['lookup-type-mismatch'],
  summary: 'texts that are dates, ObjectIds, UUIDs or numbers, which another collection stores as such',
  needs: ['fieldTypes', 'storage', 'indexes'],
  clusterNeeds: ['workload', 'server'],
  thresholds: {
    sampled: {
      default: 100,
      unit: 'documents',
      description: 'documents sampled with a text in the field, at least',
      source: 'judgement: 5 % of such samples miss a text of another form in three of a hundred documents',
    },
    warning: {
      default: 10_000,
      unit: 'documents',
      description: 'documents with such a text, if the field is typed elsewhere, and indexed or searched by',
      source: 'judgement: so many take more than a moment to convert, and every day adds to them',
    },
    bytes: {
      default: 100 * 1024 * 1024,
      unit: 'bytes',
      description: 'bytes that typed values would save, for an info whatever is elsewhere',
      source:
        'judgement: a tenth of the cache of a server with 2 GB of memory; each index on the field takes them again',
    },
  },
  judge(cluster, limits) {
    const { collections } = cluster;
    const all = [...collections.values()];
    const withoutText = fieldsWithoutText(all);
    return all.flatMap((known): ClusterVerdict[] => {
      const { collection, fieldTypes, storage } = known;
      if (!fieldTypes.present || !storage.present || storage.value.count === null) return [];
      const size = judgedSize(collection, storage.value.count);
      return fieldTypes.value.fields.flatMap((field): ClusterVerdict[] => {
        const format = textFormatOf(field, limits.sampled);
        if (format === null) return [];
        const { one, all: plurals, bytes } = TYPED[format];
        const documents = Math.round((field.documents / fieldTypes.value.documents) * size.documents);
        const wasted = Math.round(documents * ((field.averageString ?? 0) + STRING_OVERHEAD - bytes));
        const elsewhere = typedElsewhere(
          withoutText.get(nameIn(collection.namespace, field))?.filter((place) => !isCopy(place, collection, field)),
          format,
        );
        if (elsewhere === null && (format === 'number' || wasted < limits.bytes)) return [];
        const { namespace } = collection;
        const place = { namespace, path: field.path };
        const isIndexed = isKey(known, field.path);
        const unsearched = isIndexed ? null : executionsWithout(place, cluster);
        if (unsearched !== null && wasted < limits.bytes)
          return [{ ...place, exempt: `${plurals} as text; ${unsearchedText(unsearched)}` }];
        const isSure = elsewhere !== null && !(format === 'number' && mayBeCodes(field));
        const isCompared = isIndexed || isAskedFor(place, cluster);
        const typed =
          elsewhere === null ? '' : ` ${elsewhere} holds ${plurals}: the two never match in queries or joins.`;
        return [
          {
            namespace,
            severity: isSure && isCompared && documents >= limits.warning ? 'warning' : 'info',
            confidence: isSure ? 'high' : 'medium',
            path: field.path,
            message:
              `\`${field.path}\` holds ${plurals} as text, in ${formatCount(field.documents)} of ${plural(fieldTypes.value.documents, 'sampled document')}.${typed}` +
              `${wasted > 0 ? ` Text costs an estimated ${formatBytes(wasted)} more, plus index space.` : ''}${judgedAtText(size)}`,
            ...judgedAt(size),
            restsOn: ['sample'],
            evidence: {
              source: 'sample and collStats',
              window: `${plural(fieldTypes.value.documents, 'document')} read`,
              storedAs: 'text',
              standsFor: one,
              documentsWithText: field.documents,
              averageTextBytes: field.averageString ?? 0,
              ...(wasted > 0 && { estimatedBytes: wasted }),
              ...(elsewhere !== null && { typedIn: elsewhere }),
            },
            remedy: { steps: steps(namespace, field, format) },
          },
        ];
      });
    });
  },
});

/** Whether an index holds the field: somebody means to search or sort by it. */
function isKey({ indexes }: Known, path: string): boolean {
  return indexes.present && indexes.value.some(({ key }) => Object.hasOwn(key, queryPath(path)));
}

function unsearchedText(executions: number): string {
  return `${plural(executions, 'recorded execution')}, none of which searches, sorts or joins by it`;
}

/** Null if its values are not all texts of one format; a mixture of types is another fault. */
function textFormatOf({ path, types, documents, textFormat }: FieldType, sampled: number): TextFormat | null {
  if (textFormat === undefined || textFormat === null || GENERIC.has(fieldName(path)) || !isQueryable(path))
    return null;
  const families = familyCounts(types).filter(([family]) => family !== 'array');
  return documents >= sampled && families.length === 1 && families[0]?.[0] === 'string' ? textFormat : null;
}

/** Amounts and counts differ in length. That digits which are all equally long are numbers is said by the field's name alone. */
function mayBeCodes({ averageString, longestString }: FieldType): boolean {
  return averageString === longestString;
}

interface Place {
  readonly namespace: string;
  readonly field: FieldType;
}

/** By database and name, in the order of the collections. */
function fieldsWithoutText(all: readonly Known[]): ReadonlyMap<string, readonly Place[]> {
  const places = all.flatMap(({ collection: { namespace }, fieldTypes }) =>
    fieldTypes.present
      ? fieldTypes.value.fields.flatMap((field) => (field.types.string === undefined ? [{ namespace, field }] : []))
      : [],
  );
  return groupedBy(places, ({ namespace, field }) => nameIn(namespace, field));
}

function nameIn(namespace: string, { path }: FieldType): string {
  return `${databaseOf(namespace)} ${fieldName(path)}`;
}

/** Whether each document holds both, once: a text as it came, and the value that was made of it. */
function isCopy({ namespace, field }: Place, collection: Known['collection'], { path }: FieldType): boolean {
  return namespace === collection.namespace && ![path, field.path].some((each) => each.includes('[]'));
}

/** The first of them that has the type: "`customerId` of shop.invoices". */
function typedElsewhere(places: readonly Place[] | undefined, format: TextFormat): string | null {
  const found = places?.find(({ field }) => familyCounts(field.types)[0]?.[0] === TYPED[format].family);
  return found === undefined ? null : `\`${found.field.path}\` of ${found.namespace}`;
}

function steps(namespace: string, { path }: FieldType, format: TextFormat): RemedyStep[] {
  const { one, all, to } = TYPED[format];
  const update = format === 'uuid' ? null : convertingUpdate(namespace, path, 'string', to);
  return stepsOf(
    `Change the code that writes and searches \`${path}\` to use ${all}. Until the stored texts are converted, search for both, with $in.`,
    update === null
      ? `Rewrite the stored texts as ${all} in the application, in ranges of \`_id\`. From 8.0 on, $convert makes UUIDs of texts, too.`
      : {
          text: `Convert the stored texts. The update scans the collection, and cannot be undone: back up first. It keeps what is not ${one}.${format === 'date' ? ' Times without a zone are taken as UTC.' : ''} In a large collection, add a range of \`_id\` to the filter, and go on range by range.`,
          code: update,
        },
    {
      text: `Check that no text is left. ${SCAN_COST}`,
      code: shellScan(namespace, spacedJson({ [queryPath(path)]: { $type: 'string' } })),
    },
  );
}

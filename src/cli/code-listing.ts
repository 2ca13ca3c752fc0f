import { z } from 'zod';
import {
  CAUSE_KINDS,
  type CodeFilter,
  type CodeShape,
  type CodeUpdate,
  type DeclaredPath,
  type Place,
} from '../code/place.js';
import type { UnderstoodCode } from '../code/understood-code.js';
import { packageInfo } from '../files/package-root.js';
import { groupedBy } from '../grouped-by.js';
import { callCounts, callsSchema, understandingOf } from '../report/call-counts.js';
import { count, growing, publishedJsonSchema } from '../report/published-schema.js';
import { terminalJson } from '../text/terminal-text.js';

/** Within it, changes only add. */
const LISTING_VERSION = 1;

const lineNumber = () => z.int().positive();

const position = {
  file: z.string().describe('Below the folder, with "/".'),
  line: lineNumber().describe('From 1.'),
};

const role = growing(
  ['application', 'test', 'migration', 'script', 'client'],
  'What the file is for, by its folder and name.',
);
const collection = z.string().nullable().describe('Null if it is not known.');
const database = z.string().nullable().describe('Null if the source does not name it.');
const shapeOf = (description: string) => z.record(z.string(), z.unknown()).describe(description);

const filterSchema = z.strictObject({
  shape: shapeOf('Paths with their operators; values are placeholders.'),
  closed: z.boolean().describe('Whether all its paths are known.'),
  sometimes: z.array(z.string()).describe('Paths that are only sometimes there.'),
});

const shapeSchema = z
  .strictObject({
    filter: filterSchema.optional(),
    sort: shapeOf('Fields in order.').nullable().optional(),
    limited: z.boolean().optional(),
    update: z
      .union([
        z.literal('replacement'),
        z.strictObject({
          shape: shapeOf('Operators with their paths.'),
          closed: z.boolean(),
          sometimes: z.array(z.string()),
        }),
      ])
      .optional(),
    stages: z
      .array(
        z.strictObject({
          name: z.string().describe('"?" if it is not known.'),
          filter: filterSchema.optional(),
          from: z.string().nullable().optional().describe('Of a join: the collection; null if it is not known.'),
        }),
      )
      .optional(),
    more: z.literal(true).optional().describe('Present if there may be further stages.'),
  })
  .describe('One way in which it can come out. What is absent is not known; null is known not to be there.');

/** What `mongolint code --format json` prints. */
const listingSchema = z
  .strictObject({
    schemaVersion: z.literal(LISTING_VERSION).describe('Version of this contract.'),
    tool: z.strictObject({ name: z.string(), version: z.string() }),
    files: z.strictObject({
      read: count(),
      generated: count().describe('Minified and generated files, which are left out.'),
      unread: z.array(z.strictObject({ file: z.string(), why: z.string() })),
    }),
    calls: callsSchema,
    places: z.array(
      z.strictObject({
        ...position,
        column: lineNumber().describe('From 1, of the name of the method.'),
        role,
        collection,
        oneOf: z
          .array(z.string())
          .optional()
          .describe('The collections of which it is on one, if these are all that may be meant.'),
        database,
        method: z.string(),
        kinds: z.array(z.string()).describe('Kinds of operations that the server may record for it.'),
        library: growing(['driver', 'mongoose', 'meteor', 'unknown'], 'Whose method it is.'),
        understood: growing(['understood', 'partly', 'notUnderstood'], 'How far, as counted under "calls".'),
        mayBeNone: z.literal(true).optional().describe('Present if it may be no operation.'),
        isWrapper: z
          .literal(true)
          .optional()
          .describe('Present if its callers are places of their own, which say more.'),
        through: z.strictObject(position).optional().describe('The call within a wrapper that sends it.'),
        openCallers: count()
          .optional()
          .describe('Callers of the function around it that leave open what it leaves open.'),
        moreCallers: count().optional().describe('Callers of the function around it that were not followed.'),
        cause: z
          .strictObject({ kind: growing(CAUSE_KINDS, 'What it is called on.'), name: z.string().nullable() })
          .optional()
          .describe('Why the collection is not known.'),
        shapes: z.array(shapeSchema).nullable().describe('Null if nothing is known of what it asks for.'),
      }),
    ),
    indexes: z.array(
      z.strictObject({
        ...position,
        role,
        collection,
        database,
        name: z.string().nullable(),
        key: shapeOf('Fields in order: 1, -1 or the name of another kind.'),
        isUnique: z.boolean(),
      }),
    ),
    unknownIndexes: count().describe('Further indexes, whose collection or key is not known.'),
    schemas: z.array(
      z.strictObject({
        ...position,
        role,
        collection,
        database,
        paths: z.array(z.strictObject({ path: z.string(), ...position })),
      }),
    ),
  })
  .meta({ title: 'mongolint code', description: 'What `mongolint code DIR --format json` prints.' });

type Listing = z.infer<typeof listingSchema>;

export function listingJsonSchema() {
  return publishedJsonSchema(listingSchema);
}

/** What is understood of source, as JSON. */
export function renderListing(code: UnderstoodCode): string {
  const { places, indexes, unknownIndexes, paths, files, generated, unread } = code;
  const { name, version } = packageInfo();
  const listing: Listing = {
    schemaVersion: LISTING_VERSION,
    tool: { name, version },
    files: { read: files, generated, unread: [...unread] },
    calls: callCounts(places),
    places: places.filter(({ unlisted }) => unlisted !== 'implied').map(listedPlace),
    indexes: [...indexes],
    unknownIndexes,
    schemas: listedSchemas(paths),
  };
  return `${terminalJson(JSON.stringify(listing, null, 2))}\n`;
}

function listedPlace(place: Place): Listing['places'][number] {
  const { unlisted, shapes, complete: _complete, because: _because, column = 1, kinds, oneOf, ...rest } = place;
  return {
    ...rest,
    column,
    kinds: [...kinds],
    ...(oneOf !== undefined && { oneOf: [...oneOf] }),
    understood: understandingOf(place),
    ...(unlisted === 'doubtful' && { mayBeNone: true }),
    ...(unlisted === 'wrapper' && { isWrapper: true }),
    shapes: shapes?.map(listedShape) ?? null,
  };
}

function listedShape({ filter, sort, limited, update, stages, more }: CodeShape): z.infer<typeof shapeSchema> {
  return {
    ...(filter !== undefined && { filter: listedFilter(filter) }),
    ...(sort !== undefined && { sort }),
    ...(limited !== undefined && { limited }),
    ...(update !== undefined && { update: update === 'replacement' ? update : listedFilter(update) }),
    ...(stages !== undefined && {
      stages: stages.map((stage) => ({
        name: stage.name,
        ...(stage.filter !== undefined && { filter: listedFilter(stage.filter) }),
        ...(stage.join !== undefined && { from: stage.join.from }),
      })),
    }),
    ...(more === true && { more }),
  };
}

/** A filter, or an update by operators. */
function listedFilter({ shape, closed, sometimes }: CodeFilter | CodeUpdate): z.infer<typeof filterSchema> {
  return { shape, closed, sometimes: [...sometimes] };
}

function listedSchemas(paths: readonly DeclaredPath[]): Listing['schemas'] {
  const byCollection = groupedBy(paths, ({ database: of, collection: named }) => `${of ?? ''}\0${named}`);
  return [...byCollection.values()].flatMap((all) => {
    const named = all.flatMap(({ path, file, line }) => (path === null ? [] : [{ path, file, line }]));
    return all.flatMap(({ path, ...schema }) => (path === null ? [{ ...schema, paths: named }] : []));
  });
}

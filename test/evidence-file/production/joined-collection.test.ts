import { describe, expect, it } from 'vitest';
import type { Collection, FieldTypes, IndexDescription } from '../../../src/check.js';
import { joinedCollection, wantedPieces } from '../../../src/evidence-file/production/joined-collection.js';
import type { CollectedEvidence, KeptCollection } from '../../../src/evidence/source.js';
import { absent, present } from '../../../src/presence.js';
import { ID_INDEX, index, usage } from '../../support/checks/index-builders.js';
import { storage } from '../../support/checks/sharded-evidence.js';

function collection(database: string, rest: Partial<Collection> = {}): Collection {
  return { namespace: `${database}.orders`, database, name: 'orders', kind: 'collection', clustered: false, ...rest };
}

const fields = (documents: number, ...paths: readonly string[]): FieldTypes => ({
  documents,
  complete: false,
  fields: paths.map((path) => ({
    path,
    types: { string: documents },
    documents,
    elementsPerArray: null,
    longestString: 9,
  })),
});

const kept = (of: Collection, evidence: CollectedEvidence): KeptCollection => ({ collection: of, evidence });
const indexed = (...indexes: readonly IndexDescription[]) => ({ indexes: present([ID_INDEX, ...indexes]) });

const HERE = kept(collection('shop_test', { validator: { a: 1 } }), {
  ...indexed(index({ a: 1 }, { name: 'mine' }), index({ b: 1 })),
  storage: present({ ...storage(), count: 60 }),
  fieldTypes: present(fields(60, 'a', 'mail')),
});
const THERE = kept(collection('shop', { validator: { b: 1 }, uuid: 'ff' }), {
  ...indexed(index({ a: 1 }), index({ c: 1 })),
  storage: present({ ...storage(), count: 3_100_000, indexSizes: { _id_: 10, a_1: 20, c_1: 30 } }),
  indexUsage: present(usage([{ a_1: [5, 40], c_1: [0, 40] }])),
  fieldTypes: present(fields(1_000, 'a', 'email')),
});

describe('a collection joined with production', () => {
  const joined = joinedCollection(HERE, THERE);

  it('has the schema of here and says what production has', () => {
    expect(joined.collection).toMatchObject({
      namespace: 'shop_test.orders',
      validator: { a: 1 },
      production: {
        value: {
          namespace: 'shop.orders',
          documentsHere: 60,
          fields: { onlyInProduction: ['email'], onlyHere: ['mail'] },
        },
      },
    });
    expect(joined.collection.uuid).toBeUndefined();
    expect(joined.evidence.indexes).toBe(HERE.evidence.indexes);
  });

  it('has the sizes of production, of indexes by their names here', () => {
    expect(joined.evidence.storage).toMatchObject({ value: { count: 3_100_000, indexSizes: { _id_: 10, mine: 20 } } });
    expect(joined.evidence.indexUsage).toMatchObject({ value: { nodes: [{ indexes: { mine: { accesses: 5 } } }] } });
    expect(JSON.stringify(joined.evidence.indexUsage)).not.toContain('c_1');
  });

  it('has the fields of production, and those that are new here', () => {
    const { fieldTypes } = joined.evidence;
    expect(fieldTypes?.present === true && fieldTypes.value.fields.map(({ path }) => path)).toEqual([
      'a',
      'email',
      'mail',
    ]);
  });

  it('does not stand in with what is here for what is unknown in production', () => {
    const unread = {
      ...THERE,
      evidence: { storage: absent('privilege', 'reading the sizes of shop.orders: grant collStats.') },
    };
    const { evidence, collection: of } = joinedCollection(HERE, {
      ...unread,
      evidence: wantedPieces(unread, ['storage', 'fieldTypes', 'indexes']),
    });
    expect(evidence.storage).toMatchObject({
      reason: 'privilege',
      detail: expect.stringMatching(/^in production: reading/),
    });
    expect(evidence.fieldTypes).toMatchObject({
      reason: 'insufficient',
      detail: expect.stringContaining('"fieldTypes" of shop.orders is not in the evidence of production'),
    });
    expect(of.production).toMatchObject({ value: { indexes: { present: false }, fields: null } });
    expect(evidence.indexes).toBe(HERE.evidence.indexes);
  });

  it('says that the documents here are unknown, instead of none', () => {
    const unread = { ...HERE, evidence: { ...HERE.evidence, storage: absent('privilege', 'collStats') } };
    expect(joinedCollection(unread, THERE).collection.production).toMatchObject({ value: { documentsHere: null } });
  });

  it('compares no fields if one side holds no documents', () => {
    const empty = { ...HERE, evidence: { ...HERE.evidence, fieldTypes: present(fields(0)) } };
    expect(joinedCollection(empty, THERE).collection.production).toMatchObject({ value: { fields: null } });
  });

  it('is sharded as production is, unless it is sharded here', () => {
    const sharding = { key: [{ path: 'a', hashed: false }] } as unknown as NonNullable<Collection['sharding']>;
    const sharded = { ...THERE, collection: { ...THERE.collection, sharding } };
    expect(joinedCollection(HERE, sharded).collection.sharding).toBe(sharding);
    const own = { ...sharding };
    const here = { ...HERE, collection: { ...HERE.collection, sharding: own } };
    expect(joinedCollection(here, sharded).collection.sharding).toBe(own);
  });
});

import type { Exhibit } from '../exhibit.js';

const PRODUCTS = 500;
const FIELDS = Array.from({ length: 25 }, (_, index) => `property${String(index).padStart(2, '0')}`);

export const tooManyIndexes: Exhibit = {
  check: 'too-many-indexes',
  story: 'an index on every property of a product / properties as name and value, with one index',
  bad: {
    name: 'products_indexed_by_all',
    path: null,
    async plant(database) {
      const products = Array.from({ length: PRODUCTS }, (_, index) =>
        Object.fromEntries(FIELDS.map((field, column) => [field, index % (column + 2)])),
      );
      await database.collection(this.name).createIndexes(FIELDS.map((field) => ({ key: { [field]: 1 } })));
      await database.collection(this.name).insertMany(products);
    },
  },
  twin: {
    name: 'products_by_attribute',
    async plant(database) {
      const products = Array.from({ length: PRODUCTS }, (_, index) => ({
        name: `product ${index}`,
        attributes: FIELDS.slice(index % 5, 10 + (index % 5)).map((k, column) => ({ k, v: index % (column + 2) })),
      }));
      await database.collection(this.name).createIndex({ 'attributes.k': 1, 'attributes.v': 1 });
      await database.collection(this.name).insertMany(products);
    },
  },
};

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of the shop whose evidence is in `site/evidence`. */
const COLLECTIONS = ['orders', 'customers', 'products', 'invoices', 'payments', 'shipments', 'coupons', 'wishlists'];
const FIELDS = ['number', 'customer', 'status', 'placed', 'issued', 'total', 'code', 'mail'];

const DATABASE = `import { MongoClient } from 'mongodb';

export const client = new MongoClient(process.env.MONGODB_URI ?? '');
export const shop = client.db('shop');
${COLLECTIONS.map((name) => `export const ${name} = shop.collection('${name}');`).join('\n')}
`;

const one = (of: readonly string[], number: number): string => of[number % of.length] as string;

/** What a feature of an application has: its types, its queries, what uses them, and its routes. */
function feature(number: number): Readonly<Record<string, string>> {
  const collection = one(COLLECTIONS, number);
  const [field, other] = [one(FIELDS, number), one(FIELDS, number + 3)];
  const methods = Array.from({ length: 8 }, (_, index) => index);
  return {
    'types.ts': `export interface Row${number} {
${FIELDS.map((name) => `  readonly ${name}: string;`).join('\n')}
}

export interface Page${number} {
  readonly rows: readonly Row${number}[];
  readonly next: number | null;
}

${methods.map((index) => `export type Part${index} = Pick<Row${number}, '${one(FIELDS, index)}'>;`).join('\n')}
`,
    'repository.ts': `import { ${collection} } from '../../database.js';
import type { Row${number} } from './types.js';

export class Repository${number} {
${methods
  .map(
    (index) => `  /** Number ${index}. */
  async find${index}(value: string, limit = 20): Promise<Row${number}[]> {
    const filter: Record<string, unknown> = { number: { $gt: value } };
    if (limit > ${index}) filter.${one(FIELDS, index)} = value;
    return ${collection}.find(filter).sort({ number: 1 }).limit(limit).toArray() as unknown as Row${number}[];
  }
`,
  )
  .join('\n')}
  async change(id: string, ${field}: string, ${other}: string): Promise<void> {
    await ${collection}.updateOne({ _id: id }, { $set: { ${field}, ${other} } });
  }
}
`,
    'service.ts': `import { Repository${number} } from './repository.js';
import type { Page${number}, Row${number} } from './types.js';

export class Service${number} {
  constructor(private readonly repository = new Repository${number}()) {}

${methods
  .map(
    (index) => `  async page${index}(value: string, from: number): Promise<Page${number}> {
    const rows = await this.repository.find${index}(value, from + 20);
    const wanted = rows.filter((row) => row.${one(FIELDS, index)} !== '' && isFresh${index}(row));
    const last = wanted.at(-1);
    return { rows: wanted.slice(from), next: last === undefined ? null : from + wanted.length };
  }
`,
  )
  .join('\n')}
}

${methods
  .map(
    (index) => `function isFresh${index}({ placed, ${one(FIELDS, index)}: given }: Row${number}): boolean {
  const age = Date.now() - Date.parse(placed);
  return age < ${index + 1} * 86_400_000 || String(given ?? '').length > ${index};
}
`,
  )
  .join('\n')}`,
    'routes.ts': `import { Service${number} } from './service.js';

const service = new Service${number}();

export function routes(app: { get(path: string, use: (request: any) => Promise<unknown>): void }): void {
${methods
  .map(
    (index) => `  app.get('/feature-${number}/${index}/:value', async ({ params, query }) => {
    const from = Number(query.from ?? 0);
    if (!Number.isInteger(from) || from < 0) return { status: 400, body: 'from must be a whole number' };
    return { status: 200, body: await service.page${index}(params.value, from) };
  });`,
  )
  .join('\n')}
}
`,
  };
}

/** Writes a project of so many files, whose queries are on a shop. */
export async function writeProject(folder: string, files: number): Promise<void> {
  const features = Math.ceil((files - 1) / 4);
  await mkdir(join(folder, 'src'), { recursive: true });
  await writeFile(join(folder, 'src/database.ts'), DATABASE);
  let left = files - 1;
  for (let number = 0; number < features; number += 1) {
    const within = join(folder, 'src/features', `feature-${number}`);
    await mkdir(within, { recursive: true });
    for (const [name, text] of Object.entries(feature(number)).slice(0, left))
      await writeFile(join(within, name), text);
    left -= 4;
  }
}

import { mongooseAdapter } from '@payloadcms/db-mongodb';
import { buildConfig, getPayload } from 'payload';
import { below, choose, times, uri, words } from './support.mjs';

// The collections of Payload's blog example: drafts with versions, authors, categories, nested tags.
const text = (name, more = {}) => ({ name, type: 'text', ...more });
const config = buildConfig({
  secret: 'a secret',
  telemetry: false,
  db: mongooseAdapter({ url: uri }),
  collections: [
    { slug: 'users', auth: true, fields: [text('name')] },
    { slug: 'categories', fields: [text('title', { required: true })] },
    {
      slug: 'posts',
      versions: { drafts: true, maxPerDoc: 10 },
      fields: [
        text('title', { required: true }),
        text('slug', { index: true }),
        { name: 'author', type: 'relationship', relationTo: 'users' },
        { name: 'categories', type: 'relationship', relationTo: 'categories', hasMany: true },
        { name: 'publishedAt', type: 'date' },
        {
          name: 'layout',
          type: 'blocks',
          blocks: [
            { slug: 'content', fields: [{ name: 'body', type: 'textarea' }] },
            { slug: 'quote', fields: [text('quote'), text('source')] },
          ],
        },
      ],
    },
  ],
});
const payload = await getPayload({ config });
// Else the first transactions meet the index builds of the first start.
await Promise.all(Object.values(payload.db.connection.models).map((model) => model.init()));

const users = [];
for (let number = 0; number < 20; number += 1)
  users.push(
    await payload.create({
      collection: 'users',
      data: { name: words(2), email: `editor${number}@example.com`, password: 'correct horse' },
    }),
  );
const categories = [];
for (let number = 0; number < 25; number += 1)
  categories.push(await payload.create({ collection: 'categories', data: { title: words(1) } }));
const posts = [];
await times(
  1_500,
  async (number) => {
    const data = {
      title: words(5),
      slug: `post-${number}`,
      author: choose(users).id,
      categories: [choose(categories).id, choose(categories).id],
      publishedAt: new Date().toISOString(),
      layout: [
        { blockType: 'content', body: words(150) },
        { blockType: 'quote', quote: words(12), source: words(2) },
      ],
      _status: number % 5 === 0 ? 'draft' : 'published',
    };
    posts.push(await payload.create({ collection: 'posts', data }));
  },
  8,
);
await times(
  500,
  (number) =>
    payload.update({ collection: 'posts', id: posts[3 * number].id, data: { title: words(5), _status: 'published' } }),
  8,
);

for (let visit = 0; visit < 40; visit += 1) {
  const published = { _status: { equals: 'published' } };
  await payload.find({ collection: 'posts', where: published, sort: '-publishedAt', limit: 10, page: 1 + (visit % 5) });
  await payload.find({ collection: 'posts', where: { slug: { equals: `post-${below(1_500)}` } }, limit: 1 });
  await payload.find({ collection: 'posts', where: { categories: { in: [choose(categories).id] } }, limit: 10 });
  await payload.findVersions({ collection: 'posts', where: { parent: { equals: choose(posts).id } } });
  // The admin's list of posts, and its search.
  await payload.find({ collection: 'posts', draft: true, limit: 10, sort: '-createdAt' });
  if (visit % 4 === 0) await payload.find({ collection: 'posts', draft: true, where: { title: { like: words(1) } } });
}
process.exit(0);

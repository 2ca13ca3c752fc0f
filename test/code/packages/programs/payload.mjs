import { mongooseAdapter } from '@payloadcms/db-mongodb';
import { buildConfig, getPayload } from 'payload';
import { Calls, uri } from './support.mjs';

const text = (name, more = {}) => ({ name, type: 'text', ...more });
const payload = await getPayload({
  config: buildConfig({
    secret: 'a secret',
    telemetry: false,
    db: mongooseAdapter({ url: uri }),
    globals: [{ slug: 'settings', versions: true, fields: [text('title')] }],
    collections: [
      { slug: 'users', auth: true, fields: [text('name')] },
      {
        slug: 'categories',
        fields: [text('title'), { name: 'posts', type: 'join', collection: 'posts', on: 'category' }],
      },
      {
        slug: 'posts',
        versions: { drafts: true, maxPerDoc: 3 },
        trash: true,
        fields: [text('title'), { name: 'category', type: 'relationship', relationTo: 'categories' }],
      },
    ],
  }),
});
await Promise.all(Object.values(payload.db.connection.models).map((model) => model.init()));
const calls = new Calls();
const call = (name, of) => calls.try(`${name} ${of.collection ?? of.slug ?? ''}`, () => payload[name](of));
const user = await call('create', {
  collection: 'users',
  data: { name: 'one', email: 'a@example.com', password: 'horse' },
});
await call('login', { collection: 'users', data: { email: 'a@example.com', password: 'horse' } });
const category = await call('create', { collection: 'categories', data: { title: 'news' } });
const posts = [];
for (let number = 0; number < 6; number += 1)
  posts.push(
    await call('create', {
      collection: 'posts',
      data: { title: `post ${number}`, category: category.id, _status: 'published' },
    }),
  );
const [first, second, third] = posts;
const where = { title: { equals: 'post 3' } };
for (const collection of ['posts', 'users', 'categories']) {
  await call('find', { collection });
  await call('find', { collection, pagination: false, sort: '-createdAt' });
  await call('find', { collection, where: { id: { exists: true } }, limit: 2, page: 2, select: { title: true } });
  await call('count', { collection });
  await call('count', { collection, where: { createdAt: { greater_than: '2020-01-01' } } });
}
await call('find', { collection: 'posts', draft: true, where });
await call('find', { collection: 'posts', where: { 'category.title': { equals: 'news' } } });
await call('find', { collection: 'categories', joins: { posts: { limit: 2, sort: '-title' } } });
await call('findDistinct', { collection: 'posts', field: 'title' });
await call('findByID', { collection: 'posts', id: first.id });
await call('update', { collection: 'posts', id: first.id, data: { title: 'changed', _status: 'draft' }, draft: true });
await call('update', { collection: 'posts', where, data: { title: 'changed, too' } });
for (let time = 0; time < 4; time += 1)
  await call('update', { collection: 'posts', id: second.id, data: { title: `version ${time}` } });
await call('countVersions', { collection: 'posts' });
const { docs } = await call('findVersions', { collection: 'posts', where: { parent: { equals: second.id } } });
await call('findVersionByID', { collection: 'posts', id: docs[0].id });
await call('restoreVersion', { collection: 'posts', id: docs[1].id });
await call('duplicate', { collection: 'posts', id: second.id });
await call('updateGlobal', { slug: 'settings', data: { title: 'a' } });
await call('updateGlobal', { slug: 'settings', data: { title: 'b' } });
await call('findGlobal', { slug: 'settings' });
await call('findGlobalVersions', { slug: 'settings' });
await call('countGlobalVersions', { global: 'settings' });
await call('update', { collection: 'users', id: user.id, data: { name: 'two' } });
await call('delete', { collection: 'posts', id: third.id });
await call('delete', { collection: 'posts', where: { title: { equals: 'post 4' } } });
const { db } = payload;
const direct = (name, of) => calls.try(`db.${name}`, () => db[name](of));
await direct('upsert', { collection: 'categories', where: { title: { equals: 'new' } }, data: { title: 'new' } });
await direct('updateMany', { collection: 'categories', where: { title: { equals: 'new' } }, data: { title: 'newer' } });
await direct('deleteMany', { collection: 'categories', where: { title: { equals: 'newer' } } });
await direct('deleteVersions', { collection: 'posts', where: { parent: { equals: second.id } } });
await direct('updateVersion', { collection: 'posts', id: docs[0].id, versionData: { version: { title: 'x' } } });
await direct('updateJobs', { where: { id: { exists: true } }, data: {} });
calls.end();

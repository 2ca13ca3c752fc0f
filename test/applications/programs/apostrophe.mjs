import { MongoClient } from 'mongodb';
import { below, between, choose, heavyTailed, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [docs, attachments, notifications] = ['aposDocs', 'aposAttachments', 'aposNotifications'].map(of);
const [tokens, safe] = ['aposBearerTokens', 'aposUsersSafe'].map(of);

// The indexes of its modules.
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
await index(
  docs,
  { type: 1, aposLocale: 1 },
  { titleSortified: 1, aposLocale: 1 },
  { updatedAt: -1, aposLocale: 1 },
  { relatedReverseIds: 1, aposLocale: 1 },
  { 'advisoryLock._id': 1 },
  { parkedId: 1 },
  { submitted: 1, aposLocale: 1 },
  { type: 1, aposDocId: 1, aposLocale: 1 },
  { aposDocId: 1, aposLocale: 1 },
  { path: 1, level: 1, aposLocale: 1 },
  { path: 1, aposLocale: 1 },
  { level: 1, rank: 1 },
  { historicUrls: 1 },
);
await docs.createIndex({ slug: 1, aposLocale: 1 }, { unique: true });
await docs.createIndex({ updatedAt: -1, _id: 1, type: 1, aposLocale: 1 }, { name: 'recentlyEditedLookup' });
await docs.createIndex(
  { highSearchText: 'text', lowSearchText: 'text', title: 'text', searchBoost: 'text' },
  { default_language: 'none', weights: { title: 100, searchBoost: 150, highSearchText: 10, lowSearchText: 2 } },
);
await index(attachments, { docIds: 1 }, { archivedDocIds: 1 });
await index(notifications, { userId: 1, createdAt: 1 });
await notifications.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0, sparse: true });
await tokens.createIndex({ expires: 1 }, { expireAfterSeconds: 0 });
await safe.createIndex({ username: 1 }, { unique: true });
await safe.createIndex({ email: 1 }, { unique: true, sparse: true });

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => new Date(now - below(days * DAY));
const cuid = () => `c${token(24)}`;

// Of each document there is a draft, what is published of it, and of some what was published before.
const modesOf = (number) => ['draft', 'published', ...(number % 3 === 0 ? ['previous'] : [])];
const versionsOf = (one, number) =>
  modesOf(number).map((mode) => ({
    ...one,
    _id: `${one.aposDocId}:en:${mode}`,
    aposLocale: `en:${mode}`,
    aposMode: mode,
    ...(mode === 'previous' ? { slug: `${one.slug}-previous` } : {}),
  }));
const common = (type, number) => {
  const title = words(between(2, 6));
  const updatedAt = ago(1_200);
  return {
    type,
    aposDocId: cuid(),
    title,
    titleSortified: title,
    slug: `${title.replaceAll(' ', '-')}-${number}`,
    visibility: number % 50 === 0 ? 'loginRequired' : 'public',
    archived: number % 14 === 0,
    updatedAt,
    createdAt: updatedAt,
    lastPublishedAt: updatedAt,
    metaType: 'doc',
    scheduledPublish: null,
    updatedBy: { _id: cuid(), title: word(), username: word() },
    highSearchText: `${title} ${words(4)}`,
    highSearchWords: title.split(' '),
    lowSearchText: words(between(15, 40)),
    searchSummary: words(20),
    cacheInvalidatedAt: updatedAt,
  };
};
const widget = (content) => ({ _id: cuid(), metaType: 'widget', type: '@apostrophecms/rich-text', content });
const area = (count) => ({
  _id: cuid(),
  metaType: 'area',
  items: Array.from({ length: count }, () => widget(`<p>${words(between(30, 90))}</p>`)),
});
const made = (count, make) => Array.from({ length: count }, (_, number) => make(number));
// Together with the others, few enough to be sampled alike in each run.
const IMAGES = 2_600;
const files = made(3_000, (number) => ({
  _id: cuid(),
  group: number % 9 === 0 ? 'office' : 'images',
  createdAt: ago(1_200),
  name: word(),
  title: words(2),
  extension: 'jpg',
  type: 'attachment',
  docIds: [],
  archivedDocIds: [],
  length: { file: below(900_000) },
  md5: token(32),
  crops: [],
  width: 1_200,
  height: 800,
  archived: number % 14 === 0,
  // Some were uploaded, and the document that they were for was never saved.
  utilized: number < IMAGES,
}));
const images = made(IMAGES, (number) => ({
  ...common('@apostrophecms/image', number),
  alt: words(5),
  attachment: { _id: files[number]._id, name: word(), extension: 'jpg', width: 1_200, height: 800, type: 'attachment' },
  tagsIds: [],
  relatedReverseIds: [],
}));
const topics = made(120, (number) => ({ ...common('topic', number), relatedReverseIds: [] }));
const authors = made(80, (number) => ({ ...common('person', number), bio: words(60), relatedReverseIds: [] }));
const articles = made(5_000, (number) => {
  const own = [
    images[below(images.length)],
    topics[heavyTailed(1, 119, 0.5) - 1],
    authors[heavyTailed(1, 79, 0.5) - 1],
  ];
  const [image, topic, author] = own;
  const article = {
    ...common('article', number),
    publishedAt: ago(1_200).toISOString().slice(0, 10),
    body: area(between(2, 8)),
    imageIds: [image.aposDocId],
    topicsIds: [topic.aposDocId],
    authorIds: [author.aposDocId],
    relatedReverseIds: [],
  };
  for (const one of own) one.relatedReverseIds.push(article.aposDocId);
  return article;
});
const home = {
  ...common('@apostrophecms/home-page', 0),
  path: '',
  level: 0,
  rank: 0,
  parkedId: 'home',
  slug: '/',
  archived: false,
};
home.path = home.aposDocId;
const pages = [home];
for (let number = 1; number < 700; number += 1) {
  const parent = number < 9 ? home : pages[below(Math.min(pages.length, 120))];
  const page = common(choose(['default-page', 'article-page', 'landing-page']), number);
  pages.push({
    ...page,
    path: `${parent.path}/${page.aposDocId}`,
    level: parent.level + 1,
    rank: below(20),
    orphan: number % 20 === 0,
    slug: `${parent.slug === '/' ? '' : parent.slug}/${page.slug}`,
    main: area(between(2, 8)),
    historicUrls: [],
  });
}
const all = [pages, images, topics, authors, articles].flatMap((each) => each.flatMap(versionsOf));
await insertEach(docs, all.length, (number) => all[number]);
for (const [number, image] of images.entries()) {
  const [file, to] = [files[number], image.archived ? 'archivedDocIds' : 'docIds'];
  file[to] = modesOf(number).map((mode) => `${image.aposDocId}:en:${mode}`);
}
await insertEach(attachments, files.length, (number) => files[number]);
const editors = await insertEach(safe, 60, (number) => ({
  _id: cuid(),
  username: `${word()}${number}`,
  email: `editor${number}@example.com`,
  passwordHash: token(120),
}));
await insertEach(notifications, 900, () => {
  const createdAt = ago(6);
  return {
    _id: cuid(),
    userId: choose(editors)._id,
    createdAt,
    updatedAt: createdAt,
    expireAt: new Date(createdAt.getTime() + 7 * DAY),
    message: 'apostrophe:published',
    type: 'success',
    dismissed: below(2) === 0,
  };
});
const bearers = await insertEach(tokens, 120, () => ({
  _id: cuid(),
  userId: choose(editors)._id,
  expires: new Date(now + below(14 * DAY)),
}));

// An hour. Visitors: a page by its slug, with its ancestors, children, and what it refers to.
const locale = (mode) => ({ $or: [{ aposLocale: `en:${mode}` }, { aposLocale: null }] });
const anybody = {
  aposMode: { $in: [null, 'published'] },
  visibility: 'public',
  type: { $nin: ['@apostrophecms/user'] },
};
const live = { archived: { $ne: true } };
const published = (...criteria) => ({ $and: [...criteria, anybody, live, locale('published')] });
const related = (type, ids) => docs.find(published({ type }, { aposDocId: { $in: ids } })).toArray();
const escaped = (path) => path.replaceAll('.', String.raw`\.`);
for (let visit = 0; visit < 150; visit += 1) {
  const page = pages[heavyTailed(1, 690, 0.5) - 1];
  await docs
    .find(published({ slug: { $in: [page.slug, '/'] } }))
    .sort({ slug: -1 })
    .limit(1)
    .toArray();
  const ids = page.path.split('/');
  const paths = ids.map((_, depth) => ids.slice(0, depth + 1).join('/')).slice(0, -1);
  if (paths.length > 0)
    await docs
      .find(published({ path: { $in: paths } }))
      .sort({ path: 1 })
      .toArray();
  const children = { path: new RegExp(`^${escaped(page.path)}/`), level: { $gt: page.level, $lte: page.level + 1 } };
  await docs
    .find(published(children, { orphan: { $ne: true } }))
    .sort({ level: 1, rank: 1 })
    .toArray();
}
const ten = (criteria, page) =>
  docs
    .find(criteria)
    .sort({ updatedAt: -1 })
    .skip(page * 10)
    .limit(10)
    .toArray();
for (let visit = 0; visit < 150; visit += 1) {
  // The articles, some of a topic; crawlers go through all pages.
  const mine = visit % 5 === 0 ? [{ topicsIds: topics[heavyTailed(1, 119, 0.5) - 1].aposDocId }] : [];
  const criteria = published({ type: 'article' }, ...mine);
  await docs.countDocuments(criteria);
  const found = await ten(criteria, mine.length > 0 ? 0 : visit % 3 === 0 ? below(400) : 0);
  const idsOf = (name) => [...new Set(found.flatMap((one) => one[name]))];
  await related('@apostrophecms/image', idsOf('imageIds'));
  await related('topic', idsOf('topicsIds'));
  if (visit % 2 > 0) continue;
  const article = choose(articles);
  await docs
    .find(published({ type: 'article' }, { slug: article.slug }))
    .limit(1)
    .toArray();
  await related('@apostrophecms/image', article.imageIds);
  await related('person', article.authorIds);
  if (visit % 10 === 0) {
    const text = published({ $text: { $search: word() } });
    await docs
      .find(text)
      .project({ score: { $meta: 'textScore' } })
      .sort({ score: { $meta: 'textScore' } })
      .limit(10)
      .toArray();
  }
}
// Editors: who they are, what there is to manage, what was edited of late, and notices, each second.
const draft = (...criteria) => ({ $and: [...criteria, { type: { $nin: [] } }, live, locale('draft')] });
for (let minute = 0; minute < 60; minute += 1) {
  const { _id: userId } = choose(editors);
  await tokens.findOne({ _id: choose(bearers)._id, expires: { $gte: new Date() } });
  for (let second = 0; second < 5; second += 1)
    await notifications
      .find({
        userId,
        $or: [{ expireAt: null }, { expireAt: { $gt: new Date() } }],
        updatedAt: { $gt: new Date(now - DAY) },
        _id: { $nin: [] },
      })
      .sort({ createdAt: 1 })
      .toArray();
  const type = choose(['article', 'article', '@apostrophecms/image']);
  await docs.countDocuments(draft({ type }));
  await docs
    .find(draft({ type }))
    .sort({ updatedAt: -1 })
    .skip((minute % 5) * 50)
    .limit(50)
    .toArray();
  if (minute % 2 === 0) {
    const recent = {
      type: { $in: ['article', 'default-page', 'article-page', 'landing-page', 'topic', 'person'] },
      aposMode: 'draft',
      updatedAt: { $gte: new Date(now - 30 * DAY) },
    };
    await docs
      .find({ $and: [recent, live] })
      .sort({ updatedAt: -1, _id: 1 })
      .skip(0)
      .limit(50)
      .toArray();
  }
  // An image is chosen: words that begin with what is typed, and then those that hold them.
  const typed = word().slice(0, 4);
  const beginning = draft(
    { type: '@apostrophecms/image' },
    { highSearchWords: new RegExp(`^${typed}`) },
    { highSearchText: new RegExp(typed) },
  );
  await docs.distinct('highSearchWords', beginning);
}
for (let save = 0; save < 60; save += 1) {
  const article = articles[heavyTailed(1, 4_900, 0.4)];
  const { aposDocId } = article;
  const updatedAt = new Date();
  const _id = `${aposDocId}:en:draft`;
  await docs.findOneAndUpdate(
    { _id, $or: [{ advisoryLock: null }, { 'advisoryLock.updatedAt': { $lt: new Date(now) } }] },
    { $set: { advisoryLock: { _id: cuid(), username: word(), updatedAt } } },
  );
  await docs.updateOne({ _id }, { $set: { title: words(4), updatedAt } });
  const locales = { aposLocale: { $in: ['en:draft', null] } };
  await docs.updateMany(
    { relatedReverseIds: { $in: [aposDocId] }, ...locales },
    { $pull: { relatedReverseIds: aposDocId } },
  );
  const to = [...article.imageIds, ...article.topicsIds, ...article.authorIds];
  await docs.updateMany({ aposDocId: { $in: to }, ...locales }, { $push: { relatedReverseIds: aposDocId } });
  if (save % 6 === 0) {
    const topic = topics[heavyTailed(1, 60, 0.5) - 1];
    await docs.updateMany(
      { aposDocId: { $in: topic.relatedReverseIds }, ...locales },
      { $set: { cacheInvalidatedAt: updatedAt } },
    );
  }
  const ids = [images.find((one) => one.aposDocId === article.imageIds[0]).attachment._id];
  await attachments.updateMany({ _id: { $in: ids } }, { $addToSet: { docIds: _id } });
  await attachments.updateMany({ _id: { $in: ids } }, { $pull: { archivedDocIds: _id } });
  const gone = { $or: [{ archivedDocIds: { $in: [_id] } }, { docIds: { $in: [_id] } }], _id: { $nin: ids } };
  await attachments.updateMany(gone, { $pull: { archivedDocIds: _id, docIds: _id } });
  await attachments.updateMany({ _id: { $in: ids } }, { $set: { utilized: true } });
  const [none, some] = [{ 'docIds.0': { $exists: 0 } }, { 'docIds.0': { $exists: 1 } }];
  await attachments.find({ utilized: true, ...none, archived: { $ne: true } }).toArray();
  await attachments.find({ utilized: true, ...some, archived: { $ne: false } }).toArray();
  await attachments.find({ utilized: true, ...none, 'archivedDocIds.0': { $exists: 0 } }).toArray();
  const expireAt = new Date(now + 7 * DAY);
  await notifications.insertOne({
    _id: cuid(),
    userId: choose(editors)._id,
    createdAt: updatedAt,
    updatedAt,
    expireAt,
    message: 'saved',
  });
}
await client.close();

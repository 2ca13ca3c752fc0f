import mongoose from 'mongoose';
import { below, between, choose, heavyTailed, hex, idAt, insertEach, uri, word, words } from './support.mjs';

const { Schema, model } = mongoose;
mongoose.set({ autoIndex: false });
await mongoose.connect(uri);

// What its schemas declare, as far as the collections here need it.
const ref = (to, options = {}) => ({ type: Schema.Types.ObjectId, ref: to, ...options });
const indexed = { index: true };
const named = (name, schema) => model(name, schema);

const userSchema = new Schema({
  name: { type: String, index: true },
  username: { type: String, required: true, unique: true },
  email: { type: String, unique: true, sparse: true },
  apiToken: { type: String, index: true },
  status: { type: Number, required: true, index: true },
  lastLoginAt: { type: Date, index: true },
  admin: { type: Boolean, default: false, index: true },
  introduction: String,
  createdAt: Date,
});
const pageSchema = new Schema({
  parent: ref('Page', { ...indexed, default: null }),
  descendantCount: { type: Number, default: 0 },
  isEmpty: { type: Boolean, default: false },
  path: { type: String, required: true, index: true },
  revision: ref('Revision'),
  status: { type: String, default: 'published', index: true },
  grant: { type: Number, default: 1, index: true },
  grantedUsers: [ref('User')],
  grantedGroups: [{ type: { type: String }, item: { type: Schema.Types.ObjectId, index: true } }],
  creator: ref('User', indexed),
  lastUpdateUser: ref('User'),
  liker: [ref('User')],
  seenUsers: [ref('User')],
  commentCount: { type: Number, default: 0 },
  wip: Boolean,
  updatedAt: Date,
  createdAt: Date,
});
pageSchema.index({ createdAt: 1 });
pageSchema.index({ updatedAt: 1 });
const revisionSchema = new Schema({
  pageId: ref('Page', indexed),
  body: String,
  format: String,
  author: ref('User'),
  hasDiffToPrev: Boolean,
  createdAt: Date,
});
revisionSchema.index({ author: 1, createdAt: -1 });
const relationSchema = new Schema({
  relatedPage: ref('Page', indexed),
  relatedTag: ref('Tag', indexed),
  isPageTrashed: { type: Boolean, default: false, index: true },
});
relationSchema.index({ relatedPage: 1, relatedTag: 1 }, { unique: true });
const bookmarkSchema = new Schema({ page: ref('Page', indexed), user: ref('User', indexed), createdAt: Date });
bookmarkSchema.index({ page: 1, user: 1 }, { unique: true });
const activitySchema = new Schema({
  user: ref('User', indexed),
  ip: String,
  endpoint: String,
  targetModel: String,
  target: Schema.Types.ObjectId,
  action: String,
  snapshot: { username: { type: String, index: true } },
  createdAt: Date,
});
activitySchema.index({ target: 1, action: 1 });
activitySchema.index({ user: 1, target: 1, action: 1, createdAt: 1 }, { unique: true });
activitySchema.index({ createdAt: 1 }, { expireAfterSeconds: 365 * 86_400 });
const notificationSchema = new Schema({
  user: ref('User', indexed),
  targetModel: String,
  target: Schema.Types.ObjectId,
  action: String,
  activities: [ref('Activity')],
  status: { type: String, default: 'UNOPENED', index: true },
  snapshot: String,
  createdAt: Date,
});
notificationSchema.index({ createdAt: 1 });
notificationSchema.index({ user: 1, target: 1, action: 1, createdAt: 1 });
const subscriptionSchema = new Schema(
  { user: ref('User', indexed), targetModel: String, target: Schema.Types.ObjectId, status: String },
  { timestamps: true },
);
const commentSchema = new Schema({
  page: ref('Page', indexed),
  creator: ref('User', indexed),
  revision: ref('Revision', indexed),
  comment: String,
  commentPosition: Number,
  replyTo: Schema.Types.ObjectId,
  createdAt: Date,
});

const [User, Page, Revision, Tag, PageTagRelation, Bookmark, Activity, InAppNotification, Subscription, Comment] = [
  named('User', userSchema),
  named('Page', pageSchema),
  named('Revision', revisionSchema),
  named('Tag', new Schema({ name: { type: String, unique: true } })),
  named('PageTagRelation', relationSchema),
  named('Bookmark', bookmarkSchema),
  named('Activity', activitySchema),
  named('InAppNotification', notificationSchema),
  named('Subscription', subscriptionSchema),
  named('Comment', commentSchema),
];

const USERS = 1_500;
const PAGES = 18_000;
const DAY = 86_400_000;
const ago = (days) => new Date(Date.now() - below(days * DAY));
const id = (date) => new mongoose.Types.ObjectId(idAt(date.getTime()));

const users = await insertEach(User.collection, USERS, (number) => {
  const createdAt = ago(1_500);
  return {
    _id: id(createdAt),
    name: words(2),
    username: `${word()}${number}`,
    email: `user${number}@example.com`,
    apiToken: hex(40),
    status: number % 20 === 0 ? 3 : 2,
    lastLoginAt: ago(200),
    admin: number < 3,
    introduction: '',
    lang: 'en_US',
    createdAt,
  };
});
const anybody = () => choose(users)._id;
// Sections with subsections, below which pages lie; people have pages of their own.
const sections = Array.from({ length: 150 }, () => `/${word()}/${word()}`);
const section = (number) => (number % 5 === 0 ? `/user/${users[below(USERS)].username}` : sections[below(150)]);
// A page that everybody has to read is seen by everybody.
const seen = (number) =>
  Array.from(
    { length: number % 60 === 0 ? between(500, USERS) : heavyTailed(3, 900, 0.9) },
    (_, other) => users[(number * 7 + other) % USERS]._id,
  );
const pages = [];
await insertEach(
  Page.collection,
  PAGES,
  (number) => {
    const createdAt = ago(1_200);
    const creator = anybody();
    const grant = number % 12 === 0 ? 4 : 1;
    const page = {
      _id: id(createdAt),
      parent: number < 100 ? null : pages[below(100)]._id,
      descendantCount: below(20),
      isEmpty: false,
      path: `${section(number)}/${word()}-${number}`,
      revision: id(createdAt),
      status: number % 40 === 0 ? 'deleted' : 'published',
      grant,
      grantedUsers: grant === 4 ? [creator] : [],
      grantedGroups: [],
      creator,
      lastUpdateUser: creator,
      liker: [],
      seenUsers: seen(number),
      commentCount: below(4),
      wip: false,
      updatedAt: new Date(createdAt.getTime() + below(Date.now() - createdAt.getTime())),
      createdAt,
    };
    pages.push(page);
    return page;
  },
  500,
);
await insertEach(Revision.collection, 30_000, (number) => {
  // Some pages are minutes that change every day.
  const page = number % 6 === 0 ? pages[below(20)] : choose(pages);
  const createdAt = ago(1_000);
  return {
    _id: id(createdAt),
    pageId: page._id,
    body: `# ${words(3)}\n\n${words(between(40, 200))}`,
    format: 'markdown',
    author: anybody(),
    hasDiffToPrev: true,
    createdAt,
  };
});
const tags = await insertEach(Tag.collection, 900, (number) => ({ name: `${word()}${number}` }));
const related = new Set();
const relations = [];
while (relations.length < 20_000) {
  const [page, tag] = [choose(pages), choose(tags)];
  const key = `${page._id}/${tag._id}`;
  if (!related.has(key))
    relations.push({ relatedPage: page._id, relatedTag: tag._id, isPageTrashed: page.status === 'deleted' });
  related.add(key);
}
await insertEach(PageTagRelation.collection, relations.length, (number) => relations[number]);
const marked = new Set();
const marks = [];
while (marks.length < 6_000) {
  const [page, user] = [choose(pages)._id, anybody()];
  const key = `${page}/${user}`;
  if (!marked.has(key)) marks.push({ page, user, createdAt: ago(800) });
  marked.add(key);
}
await insertEach(Bookmark.collection, marks.length, (number) => marks[number]);
const ACTIONS = [
  'PAGE_VIEW',
  'PAGE_UPDATE',
  'PAGE_CREATE',
  'COMMENT_CREATE',
  'USER_LOGIN_WITH_LOCAL',
  'TAG_UPDATE',
  'PAGE_LIKE',
];
const activity = (number) => {
  // Some write all day.
  const user = number % 3 === 0 ? users[below(12)] : choose(users);
  const createdAt = ago(300);
  return {
    _id: id(createdAt),
    user: user._id,
    ip: `10.0.0.${below(250)}`,
    endpoint: '/_api/v3/page',
    targetModel: 'Page',
    target: choose(pages)._id,
    action: ACTIONS[number % ACTIONS.length],
    snapshot: { username: user.username },
    createdAt,
  };
};
const activities = await insertEach(Activity.collection, 40_000, activity);
await insertEach(InAppNotification.collection, 40_000, (number) => {
  const createdAt = ago(700);
  const user = number % 3 === 0 ? users[below(25)]._id : choose(users)._id;
  return {
    _id: id(createdAt),
    user,
    targetModel: 'Page',
    target: choose(pages)._id,
    action: 'PAGE_UPDATE',
    activities: Array.from({ length: between(1, 6) }, () => choose(activities)._id),
    status: number % 5 === 0 ? 'UNOPENED' : 'OPENED',
    snapshot: `{"path":"/${word()}/${word()}","creator":"${hex(24)}"}`,
    createdAt,
  };
});
await insertEach(Subscription.collection, 12_000, () => {
  const createdAt = ago(700);
  return {
    _id: id(createdAt),
    user: anybody(),
    targetModel: 'Page',
    target: choose(pages)._id,
    status: 'SUBSCRIBE',
    createdAt,
    updatedAt: createdAt,
  };
});
await insertEach(Comment.collection, 8_000, () => {
  const createdAt = ago(700);
  const page = choose(pages);
  return {
    _id: id(createdAt),
    page: page._id,
    creator: anybody(),
    revision: page.revision,
    comment: words(15),
    commentPosition: -1,
    createdAt,
  };
});

// The indexes are built last, which is faster.
await mongoose.connection.syncIndexes();
/** What a person may see, as its query builder writes it. */
const visibleTo = (user) => [
  { $or: [{ isEmpty: false }, { isEmpty: null }] },
  { $or: [{ status: null }, { status: 'published' }] },
  { $or: [{ grant: null }, { grant: 1 }, { grant: 3, grantedUsers: user }, { grant: 4, grantedUsers: user }] },
];
// A working day: the recent pages, a page with what belongs to it.
for (let visit = 0; visit < 100; visit += 1) {
  const user = visit % 2 === 0 ? users[below(25)] : choose(users);
  const recent = { $and: visibleTo(user._id) };
  if (visit % 5 === 0) {
    await Page.find(recent).sort({ updatedAt: -1 }).skip(0).limit(20).lean();
    await Page.countDocuments(recent);
  }
  const { _id } = visit % 3 === 0 ? pages[60 * below(100)] : choose(pages);
  const page = await Page.findOne({ _id, $and: visibleTo(user._id) });
  if (page !== null) {
    page.seenUsers.addToSet(user._id);
    await page.save();
    await Page.find({ $and: [{ parent: page._id }, ...visibleTo(user._id)] })
      .sort({ path: 1 })
      .lean();
  }
  await Revision.findById(_id).lean();
  await PageTagRelation.find({ relatedPage: _id }).lean();
  await Bookmark.countDocuments({ page: _id });
  await Bookmark.findOne({ page: _id, user: user._id }).lean();
  await Comment.find({ page: _id }).sort({ createdAt: -1 }).lean();
  await Subscription.findOne({ user: user._id, target: _id }).lean();
  await InAppNotification.countDocuments({ user: user._id, status: 'UNOPENED' });
  if (visit % 2 === 0) {
    await InAppNotification.find({ user: user._id }).sort({ createdAt: -1 }).skip(0).limit(10).lean();
    await InAppNotification.countDocuments({ user: user._id });
  }
  await Activity.collection.insertOne({
    user: user._id,
    ip: '10.0.0.1',
    endpoint: '/_api/v3/page',
    targetModel: 'Page',
    target: _id,
    action: 'PAGE_VIEW',
    snapshot: { username: user.username },
    createdAt: new Date(),
  });
  // The pages below a section.
  if (visit % 4 === 0) {
    const path = choose(sections);
    await Page.find({ $and: [...visibleTo(user._id), { $or: [{ path }, { path: new RegExp(`^${path}/`) }] }] })
      .sort({ path: 1 })
      .limit(50)
      .lean();
  }
  if (visit % 5 === 0) {
    const history = visit % 10 === 0 ? pages[below(20)]._id : _id;
    await Revision.find({ pageId: history }).sort({ createdAt: -1 }).skip(0).limit(10).lean();
    await Revision.countDocuments({ pageId: history });
  }
}
// Updates: the revision, who subscribes, their notifications, a subscription for who wrote.
for (let update = 0; update < 60; update += 1) {
  const [page, author] = [choose(pages)._id, users[below(12)]._id];
  const now = new Date();
  await Revision.create({
    pageId: page,
    body: words(100),
    format: 'markdown',
    author,
    hasDiffToPrev: true,
    createdAt: now,
  });
  await Page.updateOne({ _id: page }, { $set: { updatedAt: now, lastUpdateUser: author } });
  const subscribers = await Subscription.find({ target: page, status: 'SUBSCRIBE' }).distinct('user');
  const done = { ...activity(1), action: 'PAGE_UPDATE', target: page, createdAt: now };
  await Activity.collection.insertOne(done);
  const of = {
    target: page,
    action: 'PAGE_UPDATE',
    createdAt: { $gt: new Date(now.getTime() - 7 * DAY) },
    snapshot: '{}',
  };
  if (subscribers.length > 0)
    await InAppNotification.bulkWrite(
      subscribers.map((user) => ({
        updateOne: {
          filter: { user, ...of },
          update: {
            $set: {
              user,
              targetModel: 'Page',
              target: page,
              action: 'PAGE_UPDATE',
              status: 'UNOPENED',
              createdAt: now,
              snapshot: '{}',
            },
            $addToSet: { activities: done._id },
          },
          upsert: true,
        },
      })),
    );
  const target = { user: author, targetModel: 'Page', target: page };
  await Subscription.findOneAndUpdate(target, { ...target, status: 'SUBSCRIBE' }, { upsert: true, new: true });
}
// The page of tags, profiles, and what administrators look for.
for (let visit = 0; visit < 15; visit += 1) {
  await PageTagRelation.aggregate([
    { $match: { isPageTrashed: false } },
    { $lookup: { from: 'tags', localField: 'relatedTag', foreignField: '_id', as: 'tag' } },
    { $unwind: '$tag' },
    { $group: { _id: '$relatedTag', count: { $sum: 1 }, name: { $first: '$tag.name' } } },
    { $sort: { count: -1, _id: -1 } },
    { $skip: 0 },
    { $limit: 20 },
  ]);
  await Activity.aggregate([
    { $match: { user: users[below(12)]._id, action: { $in: ACTIONS.slice(1) } } },
    {
      $facet: {
        totalCount: [{ $count: 'count' }],
        docs: [
          { $sort: { createdAt: -1 } },
          { $skip: 0 },
          { $limit: 10 },
          { $lookup: { from: 'pages', localField: 'target', foreignField: '_id', as: 'target' } },
          { $unwind: { path: '$target', preserveNullAndEmptyArrays: true } },
          { $lookup: { from: 'users', localField: 'user', foreignField: '_id', as: 'user' } },
          { $unwind: { path: '$user', preserveNullAndEmptyArrays: true } },
          { $project: { 'user._id': 1, 'user.username': 1, action: 1, createdAt: 1, target: 1, targetModel: 1 } },
        ],
      },
    },
  ]);
  await Activity.find({ action: { $in: ACTIONS }, createdAt: { $gt: new Date(Date.now() - 7 * DAY) } })
    .sort({ createdAt: -1 })
    .limit(20)
    .lean();
  const typed = { $match: { 'snapshot.username': { $regex: word(), $options: 'i' } } };
  const names = { $group: { _id: '$snapshot.username' } };
  await Activity.aggregate([typed, names, { $sort: { _id: 1 } }, { $skip: 0 }, { $limit: 5 }]);
  await Activity.aggregate([typed, names, { $count: 'total' }]);
  const pattern = new RegExp(word());
  await User.find({ $and: [{ status: { $in: [2] } }, { $or: [{ name: pattern }, { username: pattern }] }] })
    .sort({ createdAt: -1, _id: 1 })
    .limit(50)
    .lean();
}
await mongoose.disconnect();

import {
  DAY,
  allChapters,
  allForumPosts,
  allPosts,
  allTalks,
  allTeams,
  allTopics,
  bloggers,
  category,
  chapters,
  client,
  blogs,
  entries,
  entry,
  forumPost,
  forumPosts,
  forumTopics,
  known,
  members,
  messages,
  move,
  node,
  now,
  people,
  person,
  posts,
  relations,
  studies,
  studyTopic,
  teams,
  threads,
  topic,
  users,
} from './lichess-data.mjs';
import { below, choose, heavyTailed, skewed } from './support.mjs';

const since = (days) => new Date(now - days * DAY);
const id = { projection: { _id: 1 } };
const pageOf = (most) => heavyTailed(1, most, 1.2) - 1;

// Somebody arrives: who they are, whom they follow, what happened, and their letters.
for (let visit = 0; visit < 500; visit += 1) {
  const me = person();
  await users.findOne({ _id: me });
  await entries
    .find({ users: me, date: { $gt: since(14) } }, { projection: { users: 0 } })
    .sort({ date: -1 })
    .limit(visit % 5 === 0 ? 50 : 12)
    .toArray();
  if (visit % 3 === 0) await relations.distinct('u2', { u1: me, r: true });
  if (visit % 5 === 0) await relations.distinct('u1', { u2: known(), r: false });
  await teams
    .find({ enabled: true })
    .sort({ nbMembers: -1 })
    .skip((visit % 3) * 15)
    .limit(15)
    .toArray();
  if (visit % 2 > 0) continue;
  await threads
    .find({ users: me, del: { $ne: me } })
    .sort({ 'lastMsg.date': -1 })
    .limit(50)
    .toArray();
  const { _id: talk, pair } = allTalks[skewed(4_000)];
  await threads.updateOne(
    { _id: talk, 'lastMsg.user': { $ne: pair[0] }, 'lastMsg.read': false },
    { $set: { 'lastMsg.read': true } },
  );
  await messages
    .find({ tid: talk }, { projection: { _id: 0, tid: 0 } })
    .sort({ date: -1 })
    .limit(100)
    .toArray();
  if (visit % 10 > 0) continue;
  const date = new Date();
  await messages.insertOne({ _id: `m${visit}${talk}`, tid: talk, text: 'hello there', user: pair[0], date });
  const lastMsg = { text: 'hello there', user: pair[0], date, read: false };
  await threads.updateOne({ _id: talk }, { $set: { lastMsg, 'maskWith.date': date }, $pull: { del: { $in: pair } } });
}

// Lists of studies, and the studies themselves.
const listed = { projection: { uids: 0, likers: 0, rank: 0 } };
const readable = (me) => ({ $or: [{ visibility: 'public' }, { uids: me }] });
const pageOfStudies = async (selector, sort, me, page, counted = true) => {
  if (counted) await studies.countDocuments(selector);
  const found = await studies
    .find(selector, listed)
    .sort(sort)
    .skip(page * 16)
    .limit(16)
    .toArray();
  const ids = found.map((study) => study._id);
  if (ids.length === 0) return;
  await chapters
    .find({ studyId: { $in: ids } }, { projection: { studyId: 1, _id: 1, name: 1 } })
    .sort({ order: 1 })
    .limit(4 * ids.length)
    .toArray();
  await studies.find({ _id: { $in: ids }, likers: me }, id).toArray();
};
const ORDERS = [{ rank: -1 }, { rank: -1 }, { updatedAt: -1 }, { createdAt: -1 }, { likes: -1 }];
for (let visit = 0; visit < 260; visit += 1) {
  const me = known();
  const page = pageOf(30);
  const order = choose(ORDERS);
  const everyone = { from: { $ne: 'relay' }, ...readable(me) };
  if (visit % 2 === 0) await pageOfStudies(everyone, order, me, page, false);
  if (visit % 3 === 0) await pageOfStudies({ topics: studyTopic(), ...readable(me) }, order, me, page);
  if (visit % 5 === 0) await pageOfStudies({ ownerId: me }, { updatedAt: -1 }, me, 0);
  if (visit % 9 === 0) await pageOfStudies({ uids: me, ownerId: { $ne: me } }, { rank: -1 }, me, 0);
  if (visit % 20 === 0)
    await pageOfStudies({ likers: me, ...readable(me), ownerId: { $ne: me } }, { updatedAt: -1 }, me, 0);
  const { _id: chapterId, studyId } = choose(allChapters);
  await studies
    .aggregate([
      { $match: { _id: studyId } },
      { $project: listed.projection },
      {
        $lookup: {
          from: 'study_chapter_flat',
          localField: '_id',
          foreignField: 'studyId',
          as: 'chapter',
          pipeline: [{ $match: { _id: chapterId } }],
        },
      },
      { $unwind: '$chapter' },
    ])
    .toArray();
  await chapters
    .find({ studyId }, { projection: { _id: 1, name: 1 } })
    .sort({ order: 1 })
    .limit(64)
    .toArray();
  await studies.findOne({ _id: studyId, likers: me }, id);
  await studies.findOne({ _id: studyId, [`members.${me}.role`]: 'w' }, id);
  if (visit % 4 === 0) {
    await studies.updateOne({ _id: studyId }, { $addToSet: { likers: me } });
    const [{ likes }] = await studies
      .aggregate([
        { $match: { _id: studyId } },
        { $project: { _id: false, likes: { $size: '$likers' }, createdAt: true } },
      ])
      .toArray();
    await studies.updateOne({ _id: studyId }, { $set: { likes, rank: new Date() } });
  }
  if (visit % 8 === 0)
    await studies
      .aggregate([
        { $match: { uids: me, ownerId: { $ne: me }, [`members.${me}.role`]: 'w', topics: { $ne: 'Broadcast' } } },
        { $sort: { updatedAt: -1 } },
        { $project: { name: true } },
        {
          $lookup: {
            from: 'study_chapter_flat',
            localField: '_id',
            foreignField: 'studyId',
            as: 'chapters',
            pipeline: [{ $project: { _id: true } }],
          },
        },
        { $addFields: { chapters: { $size: '$chapters' } } },
      ])
      .toArray();
  for (let ply = 0, path = ''; ply < 3; ply += 1) {
    path += move();
    await chapters.updateOne({ _id: chapterId }, { $set: { [`root.${path}`]: node(ply), 'denorm.fen': 'x' } });
    await studies.updateOne({ _id: studyId }, { $set: { position: `${chapterId} ${ply}`, updatedAt: new Date() } });
  }
  if (visit % 26 === 0) {
    const member = person();
    await studies.updateOne(
      { _id: studyId },
      { $set: { [`members.${member}`]: { role: 'r' } }, $addToSet: { uids: member } },
    );
  }
}

// Blogs.
const preview = Object.fromEntries(
  ['blog', 'title', 'intro', 'image', 'created', 'lived', 'featured', 'topics', 'sticky'].map((field) => [field, true]),
);
const visiblePosts = (select, offset, sort = { 'lived.at': -1 }) =>
  posts
    .aggregate([
      { $match: { ...select, live: true } },
      { $sort: sort },
      {
        $lookup: {
          from: 'ublog_blog',
          localField: 'blog',
          foreignField: '_id',
          as: 'blog',
          pipeline: [{ $match: { $expr: { $gt: ['$tier', 1] } } }, { $project: { _id: true } }],
        },
      },
      { $unwind: '$blog' },
      {
        $lookup: {
          from: 'user4',
          localField: 'created.by',
          foreignField: '_id',
          as: 'user',
          pipeline: [{ $match: { enabled: true } }, { $project: { _id: true } }],
        },
      },
      { $unwind: '$user' },
      { $project: { ...preview, blog: '$blog._id' } },
      { $skip: offset },
      { $limit: 24 },
    ])
    .toArray();
const good = { 'automod.quality': { $gte: 2 } };
for (let visit = 0; visit < 240; visit += 1) {
  const me = known();
  const offset = pageOf(12) * 24;
  if (visit % 3 === 0) {
    const language = visit % 12 === 0 ? { language: 'en' } : {};
    await visiblePosts({ ...good, topics: { $ne: 'Off topic' }, ...language }, offset);
  }
  if (visit % 4 === 0) await visiblePosts({ topics: topic(), ...good }, offset);
  if (visit % 40 === 0) {
    const month = since(30 * (1 + below(20)));
    const lived = { $gt: month, $lt: new Date(month.getTime() + 30 * DAY) };
    await visiblePosts({ topics: { $ne: 'Off topic' }, 'lived.at': lived, ...good }, 0, { likes: -1 });
  }
  if (visit % 3 === 1) {
    const mine = { blog: `user:${bloggers[skewed(900)]}`, live: true };
    await posts.countDocuments(mine);
    await posts.find(mine, { projection: preview }).sort({ sticky: -1, 'lived.at': -1 }).limit(24).toArray();
  }
  if (visit % 12 === 0) {
    const liked = { live: true, likers: me };
    await posts.countDocuments(liked);
    await posts.find(liked, { projection: preview }).sort({ 'lived.at': -1 }).limit(24).toArray();
  }
  if (visit % 12 === 1)
    await relations
      .aggregate([
        { $match: { u1: me, r: true } },
        { $group: { _id: null, ids: { $push: '$u2' } } },
        {
          $lookup: {
            from: 'ublog_post',
            as: 'post',
            let: { users: '$ids' },
            pipeline: [
              {
                $match: {
                  $expr: {
                    $and: [
                      { $in: ['$created.by', '$$users'] },
                      { $eq: ['$live', true] },
                      { $gt: ['$lived.at', since(90)] },
                    ],
                  },
                },
              },
              { $project: preview },
              { $sort: { 'lived.at': -1 } },
              { $skip: 0 },
              { $limit: 24 },
            ],
          },
        },
        { $project: { ids: false, _id: false } },
        { $unwind: '$post' },
        { $limit: 24 },
        { $replaceRoot: { newRoot: '$post' } },
      ])
      .toArray();
  const { _id, blog } = allPosts[skewed(4_500)];
  await posts.findOne({ _id }, { projection: { likers: 0 } });
  await blogs.findOne({ _id: blog });
  await posts.findOne({ _id, likers: me }, id);
  if (visit % 6 > 0) continue;
  await posts.updateOne({ _id }, { $addToSet: { likers: me } });
  const [liked] = await posts
    .aggregate([
      { $match: { _id } },
      { $lookup: { from: 'ublog_blog', localField: 'blog', foreignField: '_id', as: 'blog' } },
      { $unwind: '$blog' },
      { $project: { tier: '$blog.tier', likes: { $size: '$likers' }, title: true } },
    ])
    .toArray();
  await posts.updateOne({ _id }, { $set: { likes: liked?.likes ?? 1 } });
}

// The forum.
const noTroll = { troll: false };
for (let visit = 0; visit < 260; visit += 1) {
  const categId = category();
  const notSticky = { $or: [{ sticky: { $exists: false } }, { sticky: false }] };
  const sticky = { $and: [{ sticky: { $exists: true } }, { sticky: { $ne: false } }] };
  if (visit % 2 === 0) {
    await forumTopics.find({ categId, ...noTroll, ...sticky }).toArray();
    await forumTopics
      .aggregate([
        { $match: { categId, ...noTroll, ...notSticky } },
        { $sort: { updatedAt: -1 } },
        { $skip: pageOf(20) * 10 },
        { $limit: 10 },
        { $lookup: { from: 'f_post', localField: 'lastPostId', foreignField: '_id', as: 'post' } },
      ])
      .toArray();
  }
  const { _id: topicId, slug } = allTopics[skewed(3_000)];
  await forumTopics.findOne({ categId, slug, ...noTroll });
  await forumPosts.countDocuments({ topicId, ...noTroll });
  await forumPosts
    .find({ topicId, ...noTroll })
    .sort({ createdAt: 1 })
    .skip(pageOf(8) * 10)
    .limit(10)
    .toArray();
  if (visit % 3 === 0)
    await forumPosts
      .find({ categId: { $in: ['general', 'game-analysis', 'feedback'] }, ...noTroll, erasedAt: { $exists: false } })
      .sort({ createdAt: -1 })
      .limit(25)
      .toArray();
  if (visit % 6 > 0) continue;
  const post = { ...forumPost({ one: allTopics[visit], number: visit }, new Date()), _id: `p${visit}` };
  await forumPosts.findOne({
    createdAt: { $gt: new Date(now - 3_600_000) },
    userId: post.userId,
    text: allForumPosts[visit].text,
  });
  await forumPosts.insertOne(post);
  await forumTopics.updateOne({ _id: post.topicId }, { $set: { updatedAt: new Date(), lastPostId: post._id } });
}

// Teams; and what somebody does is told to their followers.
for (let visit = 0; visit < 120; visit += 1) {
  const { _id: team } = allTeams[skewed(260)];
  const me = person();
  await teams.findOne({ _id: team });
  await members.findOne({ _id: `${me}@${team}` }, id);
  await members
    .find({ team, perms: { $exists: true } })
    .sort({ date: 1 })
    .toArray();
  await members
    .find({ team }, { projection: { user: true, _id: false } })
    .sort({ date: -1 })
    .skip(pageOf(10) * 30)
    .limit(30)
    .toArray();
  if (visit % 40 === 0) await members.countDocuments({ team });
  if (visit % 3 > 0) continue;
  const actor = visit % 9 === 0 ? people[0] : known();
  await relations
    .aggregate([
      { $match: { u2: actor, r: true } },
      {
        $lookup: {
          from: 'user4',
          as: 'follower',
          localField: 'u1',
          foreignField: '_id',
          pipeline: [{ $match: { $expr: { $gt: ['$seenAt', since(10)] } } }, { $project: { _id: true } }],
        },
      },
      { $match: { follower: { $ne: [] } } },
      { $group: { _id: null, ids: { $push: '$u1' } } },
    ])
    .toArray();
  await entries.insertOne(entry(actor, new Date()));
}
await client.close();

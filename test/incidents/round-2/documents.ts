import type { ObjectId } from 'mongodb';
import { DAY } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from './workload.js';

/** What is stored, and in which form. */
export const DOCUMENTS: readonly Incident[] = [
  {
    name: 'thecombine-user-edits',
    source: 'https://github.com/sillsdev/TheCombine/issues/4320',
    why: 'All that a user ever did in a project is one array, rewritten as a whole: at 16 MB nothing more can be recorded.',
    faults: [
      {
        what: 'The array of edits has no bound, and one document is about to reach 16 MB.',
        collection: 'UserEditsCollection',
        about: 'edits',
        severity: 'error',
        cure: 'A document for each edit in a collection of its own',
      },
    ],
    async plant(p) {
      const edit = (bytes: number) => ({
        guid: p.word(),
        goalType: p.random.choose(['MergeDups', 'ReviewEntries', 'CharInventory']),
        stepData: p.times(p.random.between(1, 4), () => JSON.stringify({ words: p.words(4) })),
        changes: JSON.stringify({ merges: p.words(6), text: 'x'.repeat(bytes) }),
        modified: p.date(),
      });
      await p.fill(
        'UserEditsCollection',
        p.times(2_000, (index) => ({
          _id: numbered(p, index),
          projectId: `project-${index % 160}`,
          edits:
            index === 700
              ? p.times(520, () => edit(28_500))
              : index % 400 === 200
                ? p.times(p.random.between(200, 330), () => edit(9_000))
                : p.times(p.heavyTailed(1, 60), () => edit(p.random.between(80, 500))),
        })),
      );
      await p.fill(
        'FrontierCollection',
        p.times(9_000, (index) => ({
          _id: numbered(p, index),
          projectId: `project-${index % 160}`,
          vernacular: p.word(),
          senses: p.times(2, () => ({ glosses: [{ language: 'en', def: p.words(3) }], semanticDomains: [] })),
          modified: p.date(),
        })),
      );
      await p.database.collection('FrontierCollection').createIndex({ projectId: 1, vernacular: 1 });
    },
    async use(database, p) {
      const edits = database.collection('UserEditsCollection');
      await repeat(140, async (index) => {
        const _id = numbered(p, index % 45 === 0 ? 700 : p.random.below(2_000));
        const found = await edits.findOne({ _id });
        if (found === null) return;
        found['edits'].push({
          guid: p.word(),
          goalType: 'MergeDups',
          stepData: [],
          changes: '{}',
          modified: new Date(),
        });
        await edits.replaceOne({ _id }, found);
      });
      const frontier = database.collection('FrontierCollection');
      await repeat(300, () =>
        frontier.find({ projectId: `project-${p.random.below(160)}`, vernacular: p.word() }).toArray(),
      );
      await repeat(300, () => frontier.findOne({ _id: numbered(p, p.random.below(9_000)) }));
      await repeat(200, () =>
        frontier.updateOne({ _id: numbered(p, p.random.below(9_000)) }, { $set: { modified: new Date(p.now) } }),
      );
    },
  },
  {
    name: 'orca-followers',
    source: 'https://github.com/DimiMikadze/orca/issues/181',
    why: 'The document of a user holds the ids of all followers: whoever is famous becomes too heavy to load.',
    faults: [
      {
        what: 'The array of followers grows without a bound: 14,000 ids in one user.',
        collection: 'users',
        about: 'followers',
        severity: 'error',
        cure: 'Follow documents alone, found by the followed user; in the user only the newest',
        short: { told: 'warning', why: 'few users have so many' },
      },
      {
        what: 'The array of those a user follows grows the same way.',
        collection: 'users',
        about: 'following',
        severity: 'warning',
        cure: 'Follow documents alone, found by the follower',
        short: { told: 'missed', why: 'the longest of those that are followed has some 380 elements, in few users' },
      },
    ],
    async plant(p) {
      const followers: ObjectId[][] = p.times(4_000, () => []);
      const following: ObjectId[][] = p.times(4_000, () => []);
      await p.fill(
        'follow',
        p.times(48_000, (index) => {
          const user = index < 14_000 ? 0 : p.heavyTailed(1, 3_999, 0.4);
          const follower = p.random.chance(0.15) ? p.random.between(1, 20) : p.random.between(1, 3_999);
          const _id = numbered(p, index);
          followers[user]?.push(_id);
          following[follower]?.push(_id);
          return { _id, user: numbered(p, user), follower: numbered(p, follower) };
        }),
      );
      await p.fill(
        'users',
        p.times(4_000, (index) => ({
          _id: numbered(p, index),
          fullName: p.words(2),
          username: `user${index}`,
          email: `user${index}@example.net`,
          about: p.words(12),
          followers: followers[index],
          following: following[index],
        })),
      );
      await p.fill(
        'posts',
        p.times(12_000, () => ({
          _id: p.id(),
          author: numbered(p, p.random.below(4_000)),
          title: p.words(15),
          createdAt: p.date(),
        })),
      );
      await p.database.collection('users').createIndex({ username: 1 }, { unique: true });
      await p.database.collection('users').createIndex({ email: 1 }, { unique: true });
      await p.database.collection('posts').createIndex({ author: 1, createdAt: -1 });
    },
    async use(database, p) {
      const users = database.collection('users');
      await repeat(220, async (index) => {
        const _id = numbered(p, 50_000 + index);
        const user = numbered(p, p.random.chance(0.4) ? 0 : p.random.below(4_000));
        const follower = numbered(p, p.random.below(4_000));
        await database.collection('follow').insertOne({ _id, user, follower });
        await users.updateOne({ _id: user }, { $push: { followers: _id } } as object);
        await users.updateOne({ _id: follower }, { $push: { following: _id } } as object);
      });
      await repeat(300, () => users.findOne({ username: `user${p.random.chance(0.2) ? 0 : p.random.below(4_000)}` }));
      await repeat(250, () =>
        database
          .collection('posts')
          .find({ author: numbered(p, p.random.below(4_000)) })
          .sort({ createdAt: -1 })
          .limit(10)
          .toArray(),
      );
    },
  },
  {
    name: 'yorkie-clients',
    source: 'https://github.com/yorkie-team/yorkie/issues/1198',
    why: 'The documents that a client has attached are the keys of an object, found by a wildcard index that grew and slowed the writes.',
    faults: [
      {
        what: 'Ids of documents are keys: every query is a path of its own, and only a wildcard index serves them.',
        collection: 'clients',
        about: 'documents',
        severity: 'warning',
        cure: 'The ids in an array: db.clients.createIndex({ project_id: 1, attached_docs: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'clients',
        p.times(5_000, (index) => ({
          _id: numbered(p, index),
          project_id: numbered(p, index % 20),
          key: `client-${index}`,
          status: p.random.choose(['activated', 'activated', 'deactivated']),
          documents: Object.fromEntries(
            p.times(p.heavyTailed(2, 50), () => [
              numbered(p, p.random.below(3_000)).toHexString(),
              {
                status: p.random.choose(['attached', 'detached']),
                server_seq: p.random.below(9_000),
                client_seq: p.random.below(900),
              },
            ]),
          ),
          created_at: p.date(),
          updated_at: p.date(40 * DAY),
        })),
      );
      await p.fill(
        'changes',
        p.times(15_000, (index) => ({
          _id: p.id(),
          project_id: numbered(p, index % 20),
          doc_id: numbered(p, index % 3_000),
          server_seq: Math.floor(index / 3_000) + 1,
          actor_id: numbered(p, p.random.below(5_000)),
          message: p.words(2),
          operations: [p.words(10)],
        })),
      );
      const clients = p.database.collection('clients');
      await clients.createIndex({ project_id: 1, key: 1 }, { unique: true });
      await clients.createIndex({ project_id: 1, status: 1, updated_at: 1 });
      await clients.createIndex({ 'documents.$**': 1 });
      await p.database.collection('changes').createIndex({ doc_id: 1, server_seq: 1 }, { unique: true });
    },
    async use(database, p) {
      const clients = database.collection('clients');
      const doc = () => numbered(p, p.random.below(3_000)).toHexString();
      await repeat(200, () =>
        clients
          .find({
            project_id: numbered(p, p.random.below(20)),
            status: 'activated',
            [`documents.${doc()}.status`]: 'attached',
          })
          .toArray(),
      );
      await repeat(500, (index) =>
        clients.updateOne(
          { _id: numbered(p, p.random.below(5_000)) },
          {
            $set: {
              [`documents.${doc()}`]: { status: 'attached', server_seq: index, client_seq: 1 },
              updated_at: new Date(p.now),
            },
          },
        ),
      );
      await repeat(300, () => {
        const client = p.random.below(5_000);
        return clients.findOne({ project_id: numbered(p, client % 20), key: `client-${client}` });
      });
      await repeat(300, () =>
        database
          .collection('changes')
          .find({ doc_id: numbered(p, p.random.below(3_000)), server_seq: { $gt: 2 } })
          .sort({ server_seq: 1 })
          .toArray(),
      );
    },
  },
  {
    name: 'adapt-course-assets',
    source: 'https://github.com/adaptlearning/adapt_authoring/issues/1962',
    why: 'Ids of courses and assets are saved as text: a $lookup from them to _id, which is an ObjectId, finds nothing.',
    faults: [
      {
        what: 'The join from _assetId, a string, to the ObjectIds of assets can never match.',
        collection: 'courseassets',
        about: '_assetId',
        severity: 'warning',
        cure: 'A migration of the stored ids to ObjectId',
        short: { told: 'error', why: 'the join finds nothing at all' },
      },
    ],
    async plant(p) {
      await p.fill(
        'assets',
        p.times(5_000, (index) => ({
          _id: numbered(p, index),
          title: p.words(3),
          filename: `${p.word()}.png`,
          mimeType: 'image/png',
          size: p.random.below(900_000),
          createdBy: numbered(p, p.random.below(80)),
        })),
      );
      await p.fill(
        'courses',
        p.times(2_000, (index) => ({
          _id: numbered(p, index),
          title: p.words(4),
          body: p.words(40),
          createdBy: numbered(p, p.random.below(80)),
          updatedAt: p.date(),
        })),
      );
      await p.fill(
        'courseassets',
        p.times(16_000, () => ({
          _id: p.id(),
          _courseId: numbered(p, p.random.below(2_000)).toHexString(),
          _contentType: p.random.choose(['course', 'contentobject', 'component']),
          _assetId: numbered(p, p.random.below(5_000)).toHexString(),
          _fieldName: `${p.word()}.png`,
          createdBy: numbered(p, p.random.below(80)),
        })),
      );
      await p.database.collection('courseassets').createIndex({ _courseId: 1 });
      await p.database.collection('courseassets').createIndex({ _assetId: 1 });
    },
    async use(database, p) {
      const courseAssets = database.collection('courseassets');
      const course = () => numbered(p, p.random.below(2_000));
      await repeat(80, () =>
        courseAssets
          .aggregate([
            { $match: { _courseId: course().toHexString() } },
            { $lookup: { from: 'assets', localField: '_assetId', foreignField: '_id', as: 'asset' } },
          ])
          .toArray(),
      );
      await repeat(250, () => courseAssets.find({ _courseId: course().toHexString() }).toArray());
      await repeat(300, () => database.collection('assets').findOne({ _id: numbered(p, p.random.below(5_000)) }));
      await repeat(300, () => database.collection('courses').findOne({ _id: course() }));
      await repeat(60, () =>
        courseAssets
          .find({ _assetId: numbered(p, p.random.below(5_000)).toHexString() })
          .limit(1)
          .toArray(),
      );
    },
  },
];

import { DAY, HOUR } from '../../designs/planting.js';
import type { Incident } from '../incident.js';

const GENRES = ['Rock', 'Pop', 'Jazz', 'Folk'];

/** What is stored, and how. */
export const SCHEMA_INCIDENTS: readonly Incident[] = [
  {
    name: 'comments-of-a-viral-post',
    source: 'https://thecodeforge.io/database/mongodb-basics/',
    why: 'All comments are in an array of their post. A viral post with 32,000 of them reached 16 MB, and further comments were lost.',
    faults: [
      {
        what: 'The array of comments has no bound and grows with each $push; the largest posts hold thousands.',
        collection: 'posts',
        about: 'comments',
        severity: 'error',
        cure: 'A collection of comments with the _id of their post, and db.comments.createIndex({ postId: 1, at: -1 })',
        short: { told: 'warning', why: 'few posts have so many' },
      },
    ],
    async plant(p) {
      const comment = () => ({ _id: p.id(), author: p.word(), text: p.words(12), at: p.date() });
      await p.fill(
        'posts',
        (function* () {
          for (let index = 0; index < 2_500; index += 1) {
            const size = index < 3 ? 9_000 + index * 2_000 : p.heavyTailed(3, 3_000, 0.9);
            yield {
              _id: p.id(),
              slug: `post-${index}`,
              title: p.words(5),
              createdAt: p.date(),
              comments: p.times(size, comment),
            };
          }
        })(),
      );
      await p.database
        .collection('posts')
        .createIndexes([{ key: { slug: 1 }, unique: true }, { key: { createdAt: -1 } }]);
    },
    async use(database, p) {
      const posts = database.collection('posts');
      for (let visit = 0; visit < 150; visit += 1) {
        await posts.findOne({ slug: `post-${p.random.between(3, 2_499)}` });
        const commented = visit % 3 === 0 ? (visit % 9) / 3 : p.random.below(2_500);
        await posts.updateOne(
          { slug: `post-${commented}` },
          { $push: { comments: { _id: p.id(0), author: p.word(), text: p.words(12), at: p.date(0) } as never } },
        );
        await posts
          .find({}, { projection: { title: 1, slug: 1, createdAt: 1 } })
          .sort({ createdAt: -1 })
          .limit(10)
          .toArray();
      }
    },
  },
  {
    name: 'images-in-recipes',
    source: 'https://blog.kanielrkirby.com/posts/dont-break-the-web-image-caching/',
    why: 'Images are Base64 strings in the recipes, and every list sends them again.',
    faults: [
      {
        what: 'Lists of recipes read and return images as Base64 text, which is nearly all of each document.',
        collection: 'recipes',
        about: 'image',
        severity: 'warning',
        cure: 'Store images as files with an address of their own, and only the address in the recipe',
      },
    ],
    async plant(p) {
      await p.fill(
        'recipes',
        (function* () {
          for (let index = 0; index < 2_000; index += 1) {
            const bytes = Buffer.from(p.times(p.random.between(9_000, 18_000), () => p.random.below(256)));
            yield {
              _id: p.id(),
              slug: `recipe-${index}`,
              title: p.words(4),
              category: index % 40,
              createdAt: p.date(),
              steps: p.words(60),
              image: `data:image/jpeg;base64,${bytes.toString('base64')}`,
            };
          }
        })(),
      );
      await p.database
        .collection('recipes')
        .createIndexes([{ key: { slug: 1 }, unique: true }, { key: { category: 1, createdAt: -1 } }]);
    },
    async use(database, p) {
      const recipes = database.collection('recipes');
      for (let visit = 0; visit < 150; visit += 1) {
        await recipes
          .find({ category: p.random.below(40) })
          .sort({ createdAt: -1 })
          .limit(20)
          .toArray();
        await recipes.findOne({ slug: `recipe-${p.random.below(2_000)}` });
        if (visit % 5 === 0)
          await recipes.updateOne({ slug: `recipe-${p.random.below(2_000)}` }, { $set: { title: p.words(4) } });
      }
    },
  },
  {
    name: 'metadata-of-songs',
    source: 'https://calv.info/indexing-schemaless-documents-in-mongo',
    why: 'Users give songs any metadata, each kind as a field of its own. Only some have an index; a search by any other scans all songs.',
    faults: [
      {
        what: 'The names of the fields in metadata are data: no set of indexes serves all of them.',
        collection: 'songs',
        about: 'metadata',
        severity: 'warning',
        cure: 'db.songs.createIndex({ "metadata.k": 1, "metadata.v": 1 }) on metadata as an array of names and values',
      },
    ],
    async plant(p) {
      const names = p.times(300, (index) => `${p.word()}${index}`);
      await p.fill(
        'names',
        names.map((name) => ({ _id: name })),
      );
      await p.fill(
        'songs',
        p.times(12_000, (index) => ({
          _id: p.id(),
          number: index,
          title: p.words(3),
          artist: `artist-${p.random.below(900)}`,
          metadata: {
            genre: p.random.choose(GENRES),
            duration: p.random.between(60, 400),
            ...Object.fromEntries(p.times(p.random.between(1, 6), () => [p.random.choose(names), p.word()])),
          },
        })),
      );
      await p.database
        .collection('songs')
        .createIndexes([
          { key: { artist: 1 } },
          { key: { 'metadata.genre': 1, 'metadata.duration': 1 }, sparse: true },
          { key: { number: 1 } },
        ]);
    },
    async use(database, p) {
      const names = await database.collection('names').find().toArray();
      const songs = database.collection('songs');
      for (let search = 0; search < 80; search += 1) {
        await songs
          .find({ [`metadata.${String(p.random.choose(names)._id)}`]: p.word() })
          .limit(20)
          .toArray();
        await songs.find({ artist: `artist-${p.random.below(900)}` }).toArray();
        await songs
          .find({ 'metadata.genre': p.random.choose(GENRES), 'metadata.duration': p.random.between(60, 400) })
          .limit(20)
          .toArray();
        for (let read = 0; read < 3; read += 1) await songs.findOne({ number: p.random.below(12_000) });
      }
    },
  },
  {
    name: 'sessions-never-deleted',
    source: 'https://grantkillian.wordpress.com/tag/mongodb/',
    why: 'Expired sessions accumulate, as nothing deletes them. The cure was a TTL index.',
    faults: [
      {
        what: 'Nearly all sessions expired long ago, and no TTL index deletes them.',
        collection: 'sessions',
        about: 'expires',
        severity: 'warning',
        cure: 'db.sessions.createIndex({ expires: 1 }, { expireAfterSeconds: 0 })',
        short: { told: 'info', why: 'recorded reads return expired sessions, so that somebody may want them' },
      },
    ],
    async plant(p) {
      const lived = p.times(40_000, () => p.random.below(300 * DAY));
      await p.fill(
        'sessions',
        lived.map((age, index) => ({
          _id: `session-${index}`,
          created: p.date(age),
          expires: p.date(age - HOUR),
          userId: p.random.below(3_000),
          items: p.words(10),
        })),
      );
      await p.fill(
        'contacts',
        p.times(3_000, (index) => ({ _id: index, email: `${p.word()}@example.net`, visits: p.random.below(90) })),
      );
    },
    async use(database, p) {
      const sessions = database.collection<{
        _id: string;
        created: Date;
        expires: Date;
        userId: number;
        items: string;
      }>('sessions');
      for (let visit = 0; visit < 300; visit += 1) {
        const session = `session-new-${visit}`;
        const userId = p.random.below(3_000);
        await sessions.insertOne({
          _id: session,
          created: p.date(0),
          expires: p.date(-HOUR),
          userId,
          items: p.words(10),
        });
        await sessions.findOne({ _id: session });
        await sessions.updateOne({ _id: session }, { $set: { expires: p.date(-2 * HOUR) } });
        await database.collection<{ _id: number }>('contacts').findOne({ _id: userId });
      }
    },
  },
];

import mongoose from 'mongoose';
import { below, choose, heavyTailed, times, uri, words } from './support.mjs';

const { Schema, model } = mongoose;
await mongoose.connect(uri);

// The guide's blog, its populate of a virtual, and its discriminators.
const User = model(
  'User',
  new Schema(
    {
      name: String,
      email: { type: String, unique: true },
      followers: [{ type: Schema.Types.ObjectId, ref: 'User' }],
    },
    { timestamps: true },
  ),
);
const postSchema = new Schema(
  {
    title: String,
    author: { type: Schema.Types.ObjectId, ref: 'User' },
    body: String,
    tags: { type: [String], index: true },
    date: { type: Date, default: Date.now },
    hidden: Boolean,
    meta: { votes: Number, favs: Number },
    // The guide embeds them.
    comments: [{ body: String, date: Date }],
  },
  { toJSON: { virtuals: true } },
);
postSchema.virtual('reviews', { ref: 'Review', localField: '_id', foreignField: 'post' });
const Post = model('Post', postSchema);
const Review = model(
  'Review',
  new Schema({
    post: { type: Schema.Types.ObjectId, ref: 'Post' },
    by: { type: Schema.Types.ObjectId, ref: 'User' },
    stars: Number,
    text: String,
  }),
);
const Event = model('Event', new Schema({ time: { type: Date, default: Date.now } }, { discriminatorKey: 'kind' }));
const Clicked = Event.discriminator('ClickedLink', new Schema({ url: String }));
const SignedUp = Event.discriminator('SignedUp', new Schema({ user: String, plan: Number }));
await mongoose.connection.syncIndexes();

const users = await User.insertMany(
  Array.from({ length: 3_000 }, (_, number) => ({ name: words(2), email: `user${number}@example.com` })),
);
await times(3_000, (number) =>
  User.updateOne({ _id: users[number]._id }, { $addToSet: { followers: { $each: followers(number) } } }),
);
// So many are famous that a sample of a third of the users holds some.
function followers(number) {
  const length = number % 150 === 0 ? 2_400 : heavyTailed(2, 1_500, 0.8);
  return Array.from({ length }, (_, other) => users[(number + other + 1) % 3_000]._id);
}
const posts = [];
await times(6_000, async () => {
  const post = await Post.create({
    title: words(5),
    author: choose(users)._id,
    body: words(120),
    tags: [words(1), words(1)],
    hidden: false,
    meta: { votes: below(100), favs: below(30) },
  });
  posts.push(post);
});
await times(6_000, async (number) => {
  // One in 25 is popular, so that a sample's 99th percentile always is.
  const length = number % 25 === 0 ? heavyTailed(300, 3_000, 1.2) : heavyTailed(1, 300, 0.9) - 1;
  const comments = Array.from({ length }, () => ({
    body: words(10),
    date: new Date(),
  }));
  if (comments.length > 0)
    await Post.updateOne({ _id: posts[number]._id }, { $push: { comments: { $each: comments } } });
});
await times(12_000, () =>
  Review.create({ post: choose(posts)._id, by: choose(users)._id, stars: 1 + below(5), text: words(15) }),
);
await times(1_500, () => Clicked.create({ url: `/${words(1)}` }));
await times(500, () => SignedUp.create({ user: words(1), plan: below(3) }));

// Readers.
for (let page = 0; page < 40; page += 1) {
  await Post.find({ hidden: false }).sort({ date: -1 }).limit(20).populate('author', 'name');
  await Post.findById(choose(posts)._id).populate('reviews').populate('author');
  await Post.find({ author: choose(users)._id }).sort({ date: -1 });
  await Post.find({ tags: choose(posts).tags[0] });
  await User.findOne({ email: `user${below(3_000)}@example.com` });
}
for (let search = 0; search < 20; search += 1) await Post.find({ title: new RegExp(words(1), 'i') }).limit(10);
await Clicked.find({ time: { $gt: new Date(Date.now() - 60_000) } }).limit(100);
await mongoose.disconnect();

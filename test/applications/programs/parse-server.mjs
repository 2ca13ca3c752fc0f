import { master, Parse } from './parse-started.mjs';
import { below, choose, times, words } from './support.mjs';

const Post = Parse.Object.extend('Post');
const Comment = Parse.Object.extend('Comment');
const users = [];
const tokens = [];
await times(
  400,
  async (number) => {
    const user = new Parse.User({
      username: `user${number}`,
      password: 'correct horse',
      email: `user${number}@example.com`,
    });
    await user.signUp();
    users.push(user);
    tokens[number] = user.getSessionToken();
  },
  4,
);
const posts = [];
await times(2_500, async () => {
  const author = choose(users);
  const post = new Post({ title: words(5), content: words(60), likes: below(50), author });
  const acl = new Parse.ACL(author);
  acl.setPublicReadAccess(true);
  post.setACL(acl);
  posts.push(await post.save());
});
await times(6_000, () => new Comment({ text: words(12), post: choose(posts), by: choose(users) }).save());
await times(600, async () => {
  const post = choose(posts);
  post.relation('likedBy').add(choose(users));
  await post.save(null, master);
});

for (let visit = 0; visit < 60; visit += 1) {
  const visitor = below(400);
  const sessionToken = tokens[visitor];
  const post = choose(posts);
  await new Parse.Query(Comment)
    .equalTo('post', post)
    .descending('createdAt')
    .include('by')
    .limit(20)
    .find({ sessionToken });
  await new Parse.Query(Post).equalTo('author', choose(users)).find({ sessionToken });
  await new Parse.Query(Post).descending('createdAt').limit(20).include('author').find({ sessionToken });
  await post.relation('likedBy').query().find({ sessionToken });
  if (visit % 4 === 0) await new Parse.Query(Post).matches('title', words(1), 'i').limit(10).find({ sessionToken });
  // A log-in ends the session that the installation had.
  if (visit % 6 === 0) tokens[visitor] = (await Parse.User.logIn(`user${visitor}`, 'correct horse')).getSessionToken();
}
process.exit(0);

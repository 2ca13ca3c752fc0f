import { master, Parse } from '../applications/parse-started.mjs';
import { Calls } from './support.mjs';

const calls = new Calls();
const user = new Parse.User({ username: 'one', password: 'correct horse', email: 'one@example.com' });
await user.signUp();
const Post = Parse.Object.extend('Post');
const posts = [];
for (let number = 0; number < 8; number += 1) {
  const post = new Post({ title: `post ${number}`, likes: number, author: user, at: new Parse.GeoPoint(number, 3) });
  post.setACL(new Parse.ACL(user));
  posts.push(await post.save(null, master));
}
const [first, second] = posts;
const query = () => new Parse.Query(Post);
await calls.try('find', () =>
  query().equalTo('author', user).descending('createdAt').include('author').limit(3).find(master),
);
await calls.try('count', () => query().greaterThan('likes', 2).count(master));
await calls.try('count of all', () => query().count(master));
await calls.try('distinct', () => query().distinct('title', master));
await calls.try('aggregate', () => query().aggregate([{ $group: { _id: '$likes' } }], master));
await calls.try('near', () => query().near('at', new Parse.GeoPoint(1, 3)).find(master));
await calls.try('text', () => query().fullText('title', 'post').find(master));
await calls.try('matches', () => query().matches('title', 'POST', 'i').find(master));
await calls.try('explain', () => query().equalTo('likes', 1).explain().find(master));
await calls.try('each', () => query().each(async () => {}, master));
await calls.try('increment', () => first.increment('likes').save(null, master));
await calls.try('add', () => first.addUnique('tags', 'a').save(null, master));
await calls.try('relation', async () => {
  first.relation('liked').add(user);
  await first.save(null, master);
  await first.relation('liked').query().find(master);
});
await calls.try('destroy', () => second.destroy(master));
await calls.try('destroyAll', () => Parse.Object.destroyAll(posts.slice(3, 5), master));
await calls.try('log in', () => Parse.User.logIn('one', 'correct horse'));
await calls.try('role', () => new Parse.Role('admins', new Parse.ACL(user)).save(null, master));
await calls.try('reset', () => Parse.User.requestPasswordReset('one@example.com'));
await calls.try('session', () => new Parse.Query(Parse.Session).find(master));
await calls.try('configuration', () => Parse.Config.save({ a: 1 }, {}));
await calls.try('read configuration', () => Parse.Config.get());
const schema = new Parse.Schema('Thing');
await calls.try('schema', () => schema.addString('name').addIndex('by_name', { name: 1 }).save());
await calls.try('schema update', () => schema.deleteIndex('by_name').addNumber('size').update());
await calls.try('schema field', () => schema.deleteField('size').update());
await calls.try('schema purge', () => schema.purge());
await calls.try('schema delete', () => schema.delete());
await calls.try('schemas', () => Parse.Schema.all());
calls.end();

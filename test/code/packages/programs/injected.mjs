import { withApp } from '../compiled/src/app.js';
import { uri } from './support.mjs';

const ticket = (_id) => ({ _id, project: 'shop', state: 'open', assignee: null, votes: 0, openedAt: new Date() });

await withApp(uri, async (tickets, projects) => {
  for (const id of [1, 2, 3]) await tickets.open(ticket(id), `user${id % 2}@example.com`);
  await tickets.board('shop');
  await tickets.assign(1, 'user1@example.com');
  await tickets.comment(1, 'user1@example.com', 'hello');
  await tickets.comment(2, 'user0@example.com', 'seen');
  await tickets.ofAssignee('user1@example.com');
  await tickets.done(2);
  await projects.overview('shop');
  await projects.participants(1);
  await projects.close('shop');
});

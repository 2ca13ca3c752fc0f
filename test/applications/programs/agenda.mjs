import { MongoBackend } from '@agendajs/mongo-backend';
import { Agenda } from 'agenda';
import { below, databaseName, times, uri, words } from './support.mjs';

// A shop's jobs: e-mails now, reminders of the coming weeks, reports that recur.
const agenda = new Agenda({
  backend: new MongoBackend({ address: uri }),
  processEvery: '1 second',
  maxConcurrency: 50,
});
const sent = [];
agenda.define('send email', async ({ attrs }) => {
  sent.push(attrs._id);
});
agenda.define('send reminder', async () => {});
agenda.define('daily report', async () => {}, { priority: 'high', concurrency: 1 });
await agenda.start();

await agenda.every('1 day', 'daily report', { name: databaseName });
await agenda.every('1 hour', 'cleanup', {});
await times(8_000, (number) =>
  agenda.schedule(`in ${1 + (number % 40)} days`, 'send reminder', { userId: below(2_000), text: words(12) }),
);
for (let number = 0; number < 300; number += 1)
  await agenda.now('send email', { to: `user${number}@example.com`, subject: words(4) });
while (sent.length < 300) await new Promise((resolve) => setTimeout(resolve, 200));

// Customers look at their reminders, and some leave.
for (let visit = 0; visit < 60; visit += 1)
  await agenda.queryJobs({ name: 'send reminder', data: { userId: below(2_000) } });
for (let leaving = 0; leaving < 30; leaving += 1)
  await agenda.cancel({ name: 'send reminder', data: { userId: below(2_000) } });
await agenda.stop();
process.exit(0);

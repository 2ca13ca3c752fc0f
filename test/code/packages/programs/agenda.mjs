import { MongoBackend } from '@agendajs/mongo-backend';
import { databaseName, HOUR, soon, uri } from './support.mjs';

const backend = new MongoBackend({ address: uri, logging: true });
await backend.connect();
const { repository, logger } = backend;
const now = () => new Date();
const jobs = [];
for (let number = 0; number < 40; number += 1)
  jobs.push(
    await repository.saveJob({
      name: number % 2 === 0 ? 'mail' : 'report',
      type: 'normal',
      data: { userId: number, to: { address: `user${number}` } },
      nextRunAt: number % 3 === 0 ? now() : soon(),
      priority: 0,
    }),
  );
const [first, second, third] = jobs;
await repository.saveJob({ ...first, priority: 10 }, { lastModifiedBy: databaseName });
await repository.saveJob({ name: 'daily', type: 'single', data: {}, nextRunAt: now(), priority: 0 });
await repository.saveJob({ name: 'weekly', type: 'single', data: {}, nextRunAt: soon(), priority: 0 });
const unique = (of) => ({ name: 'unique', type: 'normal', data: of, nextRunAt: soon(), priority: 0, unique: of });
await repository.saveJob(unique({ 'data.a': 1 }));
await repository.saveJob({ ...unique({ 'data.b': 1 }), uniqueOpts: { insertOnly: true } });
for (const strategy of ['leading', 'trailing'])
  for (let time = 0; time < 2; time += 1)
    await repository.saveJob({ ...unique({ 'data.c': strategy }), uniqueOpts: { debounce: { delay: 10, strategy } } });

await repository.getJobById(String(first._id));
const id = String(second._id);
for (const options of [
  {},
  { name: 'mail', limit: 5 },
  { names: ['mail', 'report'], skip: 2, limit: 5 },
  { id },
  { ids: [id] },
  { search: 'ma', includeDisabled: false },
  { data: { userId: 3 }, sort: { nextRunAt: 'desc' } },
  { data: 3, sort: { name: 'asc', priority: 'desc' } },
  { name: 'mail', state: 'queued' },
  { state: 'paused' },
])
  await repository.queryJobs(options);
await repository.getJobsOverview();
await repository.getDistinctJobNames();
await repository.getQueueSize();
await repository.disableJobs({ name: 'report' });
await repository.enableJobs({ names: ['report'] });
await repository.disableJobs({ data: { userId: 5 } });
await repository.lockJob(third, {});
await repository.unlockJob(third);
await repository.unlockJobs([id]);
const running = await repository.getNextJobToRun('mail', soon(), new Date(Date.now() - HOUR), now());
if (running !== undefined && running !== null) await repository.saveJobState({ ...running, lastRunAt: now() });
await repository.removeJobs({ id });
await repository.removeJobs({ ids: [String(third._id)] });
await repository.removeJobs({ name: 'daily' });
await repository.removeJobs({ notNames: ['mail', 'report'] });
await repository.removeJobs({ data: { userId: 7 } });
if (logger !== undefined) {
  for (const level of ['info', 'error'])
    await logger.log({ level, event: 'start', jobName: 'mail', jobId: id, message: 'started', timestamp: now() });
  await logger.getLogs();
  await logger.getLogs({ jobName: 'mail', level: 'info', sort: 'asc', limit: 3 });
  await logger.getLogs({ jobId: id, event: ['start'], from: new Date(0), to: now() });
  await logger.clearLogs({ jobName: 'mail' });
  await logger.clearLogs();
}
await repository.purgeAllJobs();
await backend.disconnect();
process.exit(0);

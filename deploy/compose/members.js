// Run by mongosh in docker-compose.yml: makes a replica set of one member of the config server and of each shard.
for (const [name, host, more] of [
  ['cfg', 'config-server', { configsvr: true }],
  ['sh1', 'shard-1', {}],
  ['sh2', 'shard-2', {}],
]) {
  const member = connect(`mongodb://${host}/?directConnection=true`);
  member.adminCommand({ replSetInitiate: { _id: name, ...more, members: [{ _id: 0, host: `${host}:27017` }] } });
  while (!member.hello().isWritablePrimary) sleep(200);
}

// Run by mongosh in docker-compose.yml, as root on the first member: makes the replica set, and a user who can only read.
const members = [1, 2, 3].map((number) => ({
  _id: number,
  host: `replica-set-${number}:27017`,
  priority: number === 1 ? 2 : 1,
}));
rs.initiate({ _id: 'rs', members });
while (!db.hello().isWritablePrimary) sleep(200);
db.getSiblingDB('admin').createUser({
  user: 'lint',
  pwd: 'compose-lint',
  roles: ['readAnyDatabase', 'clusterMonitor'],
});

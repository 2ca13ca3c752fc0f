// Run by mongosh in docker-compose.yml, on mongos: joins the shards to the cluster.
for (const shard of ['sh1/shard-1:27017', 'sh2/shard-2:27017']) sh.addShard(shard);

import {
  DAY,
  ENVIRONMENTS,
  allMachineTokens,
  allPolicies,
  allSecrets,
  allSessions,
  anyPlace,
  audit,
  audits,
  client,
  content,
  folderVersions,
  folders,
  identities,
  imports,
  machineTokens,
  membership,
  memberships,
  now,
  policies,
  requests,
  salts,
  secrets,
  sessions,
  snapshotOf,
  snapshots,
  users,
  versionOf,
  versions,
  workspaces,
} from './infisical-data.mjs';
import { choose, heavyTailed, skewed } from './support.mjs';

const after = { returnDocument: 'after' };

/** A machine, known by its token, or somebody by their session. */
const authenticate = async (machine) => {
  if (machine) {
    const { _id, identity } = choose(allMachineTokens);
    await machineTokens.findOne({ _id, isAccessTokenRevoked: false });
    await identities.findOne({ _id: identity });
    await machineTokens.findOneAndUpdate(
      { _id },
      { $set: { accessTokenLastUsedAt: new Date() }, $inc: { accessTokenNumUses: 1 } },
      after,
    );
    return;
  }
  const session = choose(allSessions);
  await sessions.findOneAndUpdate({ _id: session._id, user: session.user }, { $set: { lastUsed: new Date() } });
  await users.findOne({ _id: session.user }, { projection: { email: 1, publicKey: 1 } });
};
const permitted = async (workspace) => {
  const { user } = membership();
  await memberships.findOne({ user, workspace });
};
const logged = async (workspace) => {
  await workspaces.findOne({ _id: workspace }, { projection: { organization: 1 } });
  await audits.insertOne(audit(new Date()));
};
const placed = async ({ workspace, environment }) => folders.findOne({ workspace, environment });

// The secrets of a folder, as clusters, pipelines and programs ask for them; some are imported from other folders.
for (let call = 0; call < 1_000; call += 1) {
  const { workspace, environment, folder } = anyPlace();
  await authenticate(call % 4 > 0);
  await permitted(workspace);
  await placed({ workspace, environment });
  const here = { workspace, environment, folder };
  const personal = await secrets.find({ ...here, type: 'personal', user: membership().user }).toArray();
  await secrets
    .find({ ...here, type: 'shared', secretBlindIndex: { $nin: personal.map((secret) => secret.secretBlindIndex) } })
    .toArray();
  const found = await imports.findOne({ workspace, environment, folderId: folder });
  if (found !== null) {
    const environments = [...new Set(found.imports.map((one) => one.environment))];
    await folders.find({ workspace, environment: { $in: environments } }).toArray();
    await secrets
      .aggregate([
        { $match: { workspace, type: 'shared' } },
        { $group: { _id: { environment: '$environment', folderId: '$folder' }, secrets: { $push: '$$ROOT' } } },
        { $match: { $or: environments.map((one) => ({ '_id.environment': one, '_id.folderId': 'root' })) } },
      ])
      .toArray();
  }
  await logged(workspace);
  if (call % 5 > 0) continue;
  // One secret by its name, of which only a keyed hash is known.
  await salts.findOne(
    { workspace },
    { projection: { encryptedSaltCiphertext: 1, saltIV: 1, saltTag: 1, algorithm: 1 } },
  );
  const secret = allSecrets[skewed(9_000)];
  const { secretBlindIndex } = secret;
  const named = {
    secretBlindIndex,
    workspace: secret.workspace,
    environment: secret.environment,
    folder: secret.folder,
  };
  await secrets.findOne({ ...named, type: 'personal' });
  await secrets.findOne({ ...named, type: 'shared' });
  await logged(workspace);
}

// A secret is written: its version, and a snapshot of its folder.
const takeSnapshot = async (secret) => {
  const { workspace, environment, folder } = secret;
  const ids = (await secrets.find({ workspace, environment, folder }, { projection: { _id: 1 } }).toArray()).map(
    ({ _id }) => _id,
  );
  await versions
    .aggregate([
      { $match: { environment, workspace, secret: { $in: ids } } },
      { $group: { _id: '$secret', version: { $max: '$version' }, versionId: { $max: '$_id' } } },
      { $sort: { version: -1 } },
    ])
    .toArray();
  await folderVersions.findOne({ environment, workspace, 'nodes.id': folder }, { sort: { 'nodes.version': -1 } });
  const last = await snapshots.findOne({ workspace }, { sort: { version: -1 } });
  await snapshots.insertOne(snapshotOf(secret, (last?.version ?? 0) + 1, new Date()));
};
for (let call = 0; call < 90; call += 1) {
  const secret = allSecrets[skewed(9_000)];
  const { workspace, environment, folder, secretBlindIndex } = secret;
  await authenticate(false);
  await permitted(workspace);
  await salts.findOne({ workspace });
  await placed({ workspace, environment });
  const named = { secretBlindIndex, workspace, environment, folder };
  if (call % 15 === 7) {
    // The shared one is deleted, and those that override it, by `workspaceId`.
    await secrets.find(named).toArray();
    await secrets.findOneAndDelete({ ...named, type: 'shared' });
    await secrets.deleteMany({ secretBlindIndex, workspaceId: workspace, environment, folder });
    await versions.updateMany({ secret: { $in: [secret._id] } }, { $set: { isDeleted: true } });
  } else {
    await secrets.findOneAndUpdate({ ...named, type: 'shared' }, { $set: content(), $inc: { version: 1 } }, after);
    await versions.insertMany([versionOf(secret, secret.version + 1, new Date())]);
  }
  await logged(workspace);
  await takeSnapshot(secret);
}

// Somebody looks: at the versions of a secret, at the snapshots of a folder, at what was done, at what waits for them.
for (let visit = 0; visit < 110; visit += 1) {
  const { workspace, environment, folder: folderId } = anyPlace();
  await authenticate(false);
  await permitted(workspace);
  if (visit % 2 === 0) {
    const { _id: secret } = allSecrets[skewed(9_000)];
    await versions.find({ secret }).sort({ createdAt: -1 }).limit(10).toArray();
  }
  if (visit % 3 === 0) {
    await placed({ workspace, environment });
    await snapshots.countDocuments({ workspace, environment, folderId });
    await snapshots.find({ workspace, environment, folderId }).sort({ createdAt: -1 }).limit(10).toArray();
  }
  if (visit % 2 === 1) {
    const filter = visit % 4 === 1 ? {} : { 'event.type': 'update-secret' };
    const dates = visit % 6 === 1 ? { createdAt: { $gte: new Date(now - 30 * DAY) } } : {};
    await audits
      .find({ workspace, ...filter, ...dates })
      .sort({ createdAt: -1 })
      .skip((heavyTailed(1, 8, 1.2) - 1) * 20)
      .limit(20)
      .toArray();
  }
  if (visit % 10 === 0) {
    const ids = await memberships.distinct('user', { workspace });
    await users.find({ _id: { $in: ids } }, { projection: { email: 1 } }).toArray();
  }
  if (visit % 4 > 0) continue;
  const { workspace: approving } = choose(allPolicies);
  const joined = [
    { $lookup: { from: 'secretapprovalpolicies', localField: 'policy', foreignField: '_id', as: 'policy' } },
    { $unwind: '$policy' },
  ];
  await requests
    .aggregate([{ $match: { workspace: approving } }, ...joined, { $group: { _id: '$status', count: { $sum: 1 } } }])
    .toArray();
  await requests
    .aggregate([
      { $match: { workspace: approving, environment: ENVIRONMENTS[2], status: visit % 8 === 0 ? 'open' : 'close' } },
      { $sort: { createdAt: -1 } },
      ...joined,
      { $skip: 0 },
      { $limit: 20 },
    ])
    .toArray();
  await policies.find({ workspace: approving }).toArray();
}
await client.close();

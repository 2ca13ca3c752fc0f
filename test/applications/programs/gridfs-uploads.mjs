import express from 'express';
import { GridFSBucket, MongoClient } from 'mongodb';
import multer from 'multer';
import { GridFsStorage } from 'multer-gridfs-storage';
import { below, heavyTailed, times, uri } from './support.mjs';

const client = await MongoClient.connect(uri);
const storage = new GridFsStorage({
  db: client.db(),
  file: (request, file) => ({ filename: file.originalname, metadata: { owner: Number(request.query.owner) } }),
});
const upload = multer({ storage });
const app = express();
app.post('/photos/upload', upload.array('photos', 12), (request, response) => response.json(request.files.length));
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = `http://127.0.0.1:${server.address().port}`;

await times(
  1_000,
  async (number) => {
    const form = new FormData();
    for (let photo = 0; photo < 2; photo += 1)
      form.append(
        'photos',
        new Blob([Buffer.alloc(heavyTailed(8_000, 1_500_000, 1), photo)]),
        `photo-${number}-${photo}.jpg`,
      );
    await (await fetch(`${address}/photos/upload?owner=${below(300)}`, { method: 'POST', body: form })).text();
  },
  4,
);
const bucket = new GridFSBucket(client.db());
for (let look = 0; look < 60; look += 1) {
  const files = await bucket
    .find({ 'metadata.owner': below(300) })
    .sort({ uploadDate: -1 })
    .toArray();
  if (files[0]) for await (const _ of bucket.openDownloadStream(files[0]._id));
  for await (const _ of bucket.openDownloadStreamByName(`photo-${below(1_000)}-0.jpg`));
}
server.closeAllConnections();
await client.close();
process.exit(0);

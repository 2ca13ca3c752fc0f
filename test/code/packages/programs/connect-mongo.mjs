import MongoStore from 'connect-mongo';
import { databaseName, soon, uri } from './support.mjs';

const cookie = () => ({ expires: soon(), originalMaxAge: 3_600_000 });
for (const options of [{}, { timestamps: true, touchAfter: 1, collectionName: 'visits' }]) {
  const store = MongoStore.create({ mongoUrl: uri, dbName: databaseName, ...options });
  const called = (name, ...given) =>
    new Promise((resolve, reject) => {
      store[name](...given, (error, result) => (error ? reject(error) : resolve(result)));
    });
  for (const id of ['one', 'two', 'three']) await called('set', id, { cookie: cookie(), views: 1 });
  await called('get', 'one');
  await called('touch', 'one', { cookie: cookie(), lastModified: new Date(0) });
  await called('all');
  await called('length');
  await called('destroy', 'two');
  await called('clear');
  await store.close();
}

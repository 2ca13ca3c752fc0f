/** A server of Parse on a port that is free, and a client that asks it. */
import express from 'express';
import { ParseServer } from 'parse-server';
import Parse from 'parse/node';
import { uri } from './support.mjs';

const app = express();
const http = app.listen(0, '127.0.0.1');
await new Promise((resolve) => http.once('listening', resolve));
const serverURL = `http://127.0.0.1:${http.address().port}/parse`;
const server = new ParseServer({
  databaseURI: uri,
  appId: 'myAppId',
  masterKey: 'myMasterKey',
  serverURL,
  silent: true,
  logsFolder: null,
  // Clients are elsewhere.
  directAccess: false,
  allowClientClassCreation: true,
});
await server.start();
app.use('/parse', server.app);
Parse.initialize('myAppId', undefined, 'myMasterKey');
Parse.serverURL = serverURL;

export { Parse };
export const master = { useMasterKey: true };

import { refusesEach } from '../support/faults/refused-commands.js';

refusesEach([
  'isMaster',
  'saslContinue',
  'hello',
  'endSessions',
  'buildInfo',
  'listDatabases',
  'listCollections',
  'serverStatus',
  'getLog',
  'profile',
  'connectionStatus',
]);

import { refusesEach } from '../support/faults/refused-commands.js';

refusesEach(['buildInfo', 'listDatabases', 'listCollections', 'serverStatus', 'getLog', 'profile', 'connectionStatus']);

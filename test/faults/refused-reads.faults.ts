import { refusesEach } from '../support/faults/refused-commands.js';

refusesEach(['aggregate', 'find', 'getMore', 'count', 'listIndexes', 'killCursors']);

import { refusesEach } from '../support/faults/refused-commands.js';

// Not killCursors: a run sends it only for a cursor that it gives up, and no such run is the same each time.
refusesEach(['aggregate', 'find', 'getMore', 'count', 'listIndexes']);

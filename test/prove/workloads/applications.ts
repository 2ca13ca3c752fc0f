import { APPLICATIONS } from '../../applications/cases/index.js';
import { driveApplication } from '../../applications/installed-application.js';
import type { ProvenWorkload } from '../proven-workload.js';

/** The applications of `npm run test:applications`, driven by the same programs. */
export const APPLICATION_WORKLOADS: readonly ProvenWorkload[] = APPLICATIONS.map((application): ProvenWorkload => {
  const [[name = '', version = ''] = []] = Object.entries(application.packages);
  return {
    name: application.name,
    source: `${name} ${version}`,
    run: (uri) => driveApplication(application, uri),
  };
});

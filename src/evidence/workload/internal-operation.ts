import { APP_NAME } from '../../connect/connect.js';
import { COMMAND_COMMENT } from '../../connect/cluster-reader.js';
import { isSystemCollection, isSystemDatabase } from '../../inventory/system-namespaces.js';

/**
 * Names that the server's own connections, MongoDB's agents and tools, and monitoring give themselves. They dump, sync and
 * watch; what they do is no sign of how the application queries.
 */
const INTERNAL_CLIENT = new RegExp(
  `^(?:${[
    'NetworkInterfaceTL',
    'OplogFetcher',
    'MongoDB (?:Automation|Monitoring|Backup|CPS|Agent)',
    'mongo(?:dump|restore|export|import|stat|top|files|sync|mirror)\\b',
    'mongodb[_-](?:exporter|ftdc)',
    'pmm-|pbm|datadog|telegraf|zabbix|nagios|prometheus',
  ].join('|')})`,
  'i',
);

/** The user that members of a cluster authenticate as. */
const INTERNAL_USER = '__system';

/** Who ran an operation, and on what. */
export interface Origin {
  readonly namespace: string;
  readonly appName: unknown;
  readonly user: unknown;
  readonly comment: unknown;
}

/** True for operations that are never counted: mongolint's own, the server's, and those of agents, tools and monitors. */
export function isInternal({ namespace, appName, user, comment }: Origin): boolean {
  if (comment === COMMAND_COMMENT || appName === APP_NAME) return true;
  if (typeof appName === 'string' && INTERNAL_CLIENT.test(appName)) return true;
  if (typeof user === 'string' && user.startsWith(INTERNAL_USER)) return true;
  return isInternalNamespace(namespace);
}

/** True for namespaces of the server, and for commands that run on a database as a whole. */
export function isInternalNamespace(namespace: string): boolean {
  const dot = namespace.indexOf('.');
  if (dot < 1) return true;
  const collection = namespace.slice(dot + 1);
  return isSystemDatabase(namespace.slice(0, dot)) || isSystemCollection(collection) || collection.startsWith('$cmd');
}

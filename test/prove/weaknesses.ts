/**
 * The known weaknesses of the workloads, and what each wastes by the profiler's own entries. This shares nothing with
 * mongolint's reading: an operation belongs to a weakness by its namespace and the fields of its filter.
 */
import type { Document, MongoClient } from 'mongodb';

export interface Weakness {
  readonly namespace: string;
  /** The path of the finding about it: the index that is missing, or the field. */
  readonly path: string;
  /** Of the filter, sorted, of each operation that suffers from it; or the stage that joins. */
  readonly filters: readonly string[];
}

/** As known before the run, from the programs and the manuals' pages; all others serve their operations well. */
export const WEAKNESSES: readonly Weakness[] = [
  weakness('agenda.agendaJobs', 'data.userId_1_name_1_nextRunAt_-1_lastRunAt_-1', 'data.userId,name'),
  weakness('mongodb-queue.resize-image-queue', 'deleted_1__id_1_visible_1', 'deleted,visible'),
  weakness('auth-adapter.users', 'email_1', 'email'),
  weakness('auth-adapter.accounts', 'providerAccountId_1_provider_1', 'provider,providerAccountId'),
  weakness('auth-adapter.accounts', 'userId_1', 'userId'),
  weakness('auth-adapter.sessions', 'sessionToken_1', 'sessionToken'),
  weakness('auth-adapter.sessions', 'userId_1', 'userId'),
  weakness('mongoose-blog.reviews', 'post_1', 'post'),
  weakness('mongoose-blog.posts', 'author_1_date_-1', 'author'),
  weakness('mongoose-blog.posts', 'date_-1', 'hidden'),
  weakness('mongoose-blog.posts', 'title', 'title'),
  weakness('parse-server.Comment', '_p_post_1__created_at_-1__rperm_1', '_p_post,_rperm'),
  weakness('parse-server.Post', '_p_author_1', '_p_author,_rperm'),
  weakness('parse-server.Post', '_created_at_-1', '_rperm'),
  weakness('parse-server.Post', 'title', '_rperm,title'),
  weakness('langchain-chat.memory', 'sessionId_1', 'sessionId'),
  weakness('gridfs-uploads.fs.files', 'metadata.owner_1_uploadDate_-1', 'metadata.owner'),
  weakness('loopback.Order', 'date_-1', 'total'),
  weakness('loopback.Order', 'customerId_1__id_1', 'customerId'),
  weakness('loopback.Customer', 'name', 'name'),
  weakness('manual-esr.cars', 'manufacturer_1_model_1_cost_1', 'cost,manufacturer', 'manufacturer,model'),
  weakness('manual-compound.products', 'item_1_location_1', 'item', 'item,location'),
  weakness('manual-compound.products', 'item_1_stock_1', 'item,stock'),
  weakness('manual-lookup.inventory', 'sku', '_id $lookup'),
  weakness('manual-sort.records', 'a_1_b_1', 'a'),
  weakness('manual-sort.records', 'b_-1', ''),
  weakness('manual-or.inventory', 'quantity_1', '$or'),
  weakness('manual-multikey.survey', 'ratings_1', 'ratings'),
  weakness('manual-multikey.survey', 'item_1_ratings_1', 'item,ratings'),
  weakness('manual-multikey.survey', 'results.product_1_results.score_1', 'results'),
  weakness('manual-covered.inventory', 'size_1', 'size'),
  weakness('manual-pipeline.orders', 'status_1', 'status'),
  weakness('manual-pipeline.orders', 'cust_id_1_ord_date_-1', 'cust_id', 'cust_id,ord_date'),
  weakness('manual-writes.inventory', 'item_1', 'item'),
  weakness('manual-writes.inventory', 'qty_1_status_1', 'qty,status'),
  weakness('yapi.statis_mock', 'group_id_1', 'group_id'),
  weakness('yapi.interface', 'catid_1_index_1', 'catid'),
  weakness('openim.group_member', 'user_id_1_role_level_-1_create_time_1', 'user_id', 'role_level,user_id'),
  weakness('openim.friend_request', 'to_user_id_1_create_time_-1', 'to_user_id', 'handle_result,to_user_id'),
  weakness('trudesk.notifications', 'owner_1_unread_1', 'owner,unread'),
  weakness('rocketchat.rocketchat_analytics', 'room._id', 't $lookup'),
  weakness(
    'habitica.tasks',
    'userId_1_type_1_completed_1_dateCompleted_-1',
    '$or,userId',
    'completed,type,userId',
    'challenge.id,completed,dateCompleted,type,userId',
    'alias,userId',
  ),
  weakness('habitica.tasks', 'challenge.id_1_challenge.taskId_1', 'challenge.id,userId'),
  weakness('fiware.entities', '_id.id_1__id.type_1_creDate_1__id.servicePath_1', '$or,_id.servicePath'),
  weakness('manual-collation.fruit', 'type_1_en', 'type'),
  weakness('manual-collation.fruit', 'farm_1_type_1', 'farm,type'),
];

/** Documents and index keys examined beyond those returned or written. */
export interface Waste {
  readonly namespace: string;
  readonly filter: string;
  readonly examined: number;
}

function weakness(namespace: string, path: string, ...filters: readonly string[]): Weakness {
  return { namespace, path, filters };
}

/** Entries of a profiler that mongolint reads, the newest ones: what a database asks before is no part of its figures. */
const READ = 10_000;

/** By namespace and filter, the most wasteful first. */
export async function wasteInProfilers(client: MongoClient, databases: readonly string[]): Promise<Waste[]> {
  const wasted = new Map<string, Waste>();
  for (const name of databases) {
    const entries = client.db(name).collection('system.profile').find().sort({ $natural: -1 }).limit(READ);
    for await (const entry of entries) {
      const filter = filterOf(entry);
      if (filter === null) continue;
      const { ns: namespace, docsExamined = 0, keysExamined = 0, nreturned = 0, nModified = 0, ndeleted = 0 } = entry;
      const answered = Math.max(Number(nreturned), Number(nModified) + Number(ndeleted));
      const examined = Number(docsExamined) - answered + Math.max(0, Number(keysExamined) - answered);
      const key = `${namespace} ${filter}`;
      wasted.set(key, { namespace, filter, examined: examined + (wasted.get(key)?.examined ?? 0) });
    }
  }
  return [...wasted.values()].toSorted((one, other) => other.examined - one.examined);
}

/** Of each weakness, the most wasteful first. */
export function wasteOf(waste: readonly Waste[]): (Weakness & { readonly examined: number })[] {
  return WEAKNESSES.map((each) => ({
    ...each,
    examined: waste.filter((one) => isOf(one, each)).reduce((sum, { examined }) => sum + examined, 0),
  })).toSorted((one, other) => other.examined - one.examined);
}

export function isKnown(waste: Waste): boolean {
  return WEAKNESSES.some((each) => isOf(waste, each));
}

/** A join is recorded on the collection that joins. */
function isOf(waste: Waste, { namespace, filters }: Weakness): boolean {
  const isJoin = filters.some((filter) => filter.endsWith('$lookup'));
  const isThere = isJoin ? waste.namespace.split('.')[0] === namespace.split('.')[0] : waste.namespace === namespace;
  return isThere && filters.includes(waste.filter);
}

/** The fields of the filter, sorted; null for what has none, such as an insert. */
function filterOf({ command, originatingCommand }: Document): string | null {
  const { filter, query, q, pipeline, find } = (originatingCommand ?? command) as Document;
  const stages = (pipeline ?? []) as Document[];
  const asked = filter ?? query ?? q ?? stages[0]?.['$match'] ?? (find === undefined ? undefined : {});
  if (asked === undefined) return null;
  const fields = Object.keys(asked as object)
    .toSorted()
    .join(',');
  return stages.some((stage) => '$lookup' in stage) ? `${fields} $lookup` : fields;
}

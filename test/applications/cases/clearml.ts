import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * allegroai/clearml-server at 2976ce69, apiserver: a server that a team runs for itself. All belongs to one company, and two of
 * its projects have half of the tasks. The indexes are those of its MongoEngine documents.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'the table of experiments reads all tasks of the project, and sorts them by `last_update` and `_id` to show fifteen, at each refresh',
    source: 'database/model/base.py _get_many_override_none_ordering, validate_order_by; issue clearml 864',
    severity: 'error',
    checks: ['in-memory-sort', 'poor-targeting', 'query-without-its-index', 'collection-scan'],
    collection: 'task',
    path: 'last_update',
  },
  {
    what: 'the statistics of the projects on a page are summed twice over all of their tasks, each time that the page is opened',
    source: 'bll/project/project_bll.py make_projects_get_all_pipelines, get_project_stats; issue clearml-web 32',
    severity: 'warning',
    checks: ['computed-value', 'poor-targeting', 'query-without-its-index'],
    collection: 'task',
  },
  {
    what: 'the columns to choose from are unwound from the maps of all tasks of the project',
    source: 'bll/project/project_queries.py get_aggregated_project_parameters, get_unique_metric_variants',
    severity: 'warning',
    checks: ['computed-value'],
    collection: 'task',
    path: 'hyperparams',
  },
  {
    what: '`last_metrics` is a map by hashes of the names of metrics, below it by those of variants',
    source: 'database/model/task/task.py last_metrics; bll/task/utils.py get_last_metric_updates',
    severity: 'warning',
    checks: ['dynamic-field-names'],
    collection: 'task',
    path: 'last_metrics',
  },
  {
    what: 'hyperparameters are a map by section and name, and are filtered and sorted by',
    source: 'database/model/task/task.py hyperparams, get_all_query_options',
    severity: 'warning',
    checks: ['dynamic-field-names'],
    collection: 'task',
    path: 'hyperparams',
  },
  {
    what: 'the page of models sorts all models by `last_update` and `_id` to show fifteen',
    source: 'services/models.py get_all_ex; database/model/base.py validate_order_by; issue clearml-web 45',
    severity: 'warning',
    checks: ['in-memory-sort', 'poor-targeting', 'query-without-its-index', 'collection-scan'],
    collection: 'model',
  },
  {
    what: 'the search of the start page compares the names and ids of all tasks with a part in any case',
    source: 'database/model/base.py _prepare_query_no_company `_any_`; clearml-web dashboard-search.effects.ts',
    severity: 'warning',
    checks: ['case-insensitive-regex', 'collection-scan', 'poor-targeting'],
    collection: 'task',
    path: 'name',
  },
  {
    what: 'a queue holds all tasks that wait in it: each agent that takes one gets the whole queue, and so does each task that is added',
    source: 'bll/queue/queue_bll.py get_next_task, add_task; database/model/queue.py entries',
    severity: 'warning',
    checks: ['unbounded-array', 'fast-growing-array', 'long-reference-array', 'outlier-document', 'bloated-document'],
    collection: 'queue',
  },
  {
    what: '`company_1_type_1` begins `company_1_type_1_system_tags_1_status_1`, and `company_1_project_1_type_1` another',
    source: 'database/model/task/task.py indexes',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'task',
    path: 'type_1',
  },
  {
    what: '28 indexes on tasks: each report of a running task writes four of them, and each new task all',
    source: 'database/model/task/task.py indexes; bll/task/task_bll.py set_last_update',
    severity: 'info',
    checks: ['too-many-indexes'],
    collection: 'task',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'tasks that no longer report are few, and an index finds them',
    source: 'bll/task/non_responsive_tasks_watchdog.py cleanup_tasks',
    checks: ['useless-index', 'unused-index', 'redundant-index'],
    collection: 'task',
    path: 'status_1_last_update_1',
  },
  {
    what: '`unique_metrics` names the metrics of a task, which are some dozens and at most 2,000',
    source: 'bll/task/utils.py get_last_metric_updates max_last_metrics',
    checks: ['unbounded-array', 'fast-growing-array', 'bloated-document'],
    collection: 'task',
    path: 'unique_metrics',
  },
  {
    what: 'a model is found by its address, by an index with the company',
    source: 'services/models.py create; database/model/model.py indexes',
    checks: ['collection-scan', 'poor-targeting', 'useless-index', 'redundant-index'],
    collection: 'model',
    path: 'uri',
  },
  {
    what: 'all that lie below a project are found by `path`, which holds its parents and is as long as the tree is deep',
    source: 'bll/project/sub_projects.py _ids_with_children, _save_under_parent',
    checks: ['unbounded-array', 'fast-growing-array', 'long-reference-array', 'collection-scan', 'useless-index'],
    collection: 'project',
    path: 'path',
  },
  {
    what: 'of the files that are to be deleted only those that failed are left, and an index passes over them every ten seconds',
    source: 'jobs/async_urls_delete.py run_delete_loop',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting', 'query-without-its-index'],
    collection: 'url_to_delete',
  },
  {
    what: 'what comes from a task, and what uses its models, is found by an index when it is deleted',
    source: 'bll/task/task_cleanup.py verify_task_children_and_ouptuts',
    checks: ['collection-scan', 'unindexed-reference'],
    collection: 'task',
    path: 'models.input.model',
  },
];

export const CLEARML: Application = {
  name: 'clearml',
  kind: 'experiments of machine learning',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};

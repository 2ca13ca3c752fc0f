/** The version of the history file's format. A reader understands its own and earlier ones. */
export const HISTORY_SCHEMA_VERSION = 1;

/** A reader understands its own version and earlier ones. */
export const HISTORY_SCHEMA_VERSION = 1;

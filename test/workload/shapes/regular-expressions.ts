/** Pattern and options. An index can be searched by the text with which all matches begin. */
export const PREFIXED: readonly (readonly [string, string])[] = [
  ['^abc', ''],
  ['^a', 's'],
  ['\\Aabc', ''],
  ['\\Aabc', 'm'],
  ['^\\/a\\/b\\/', ''],
  ['^\\.hidden', ''],
  ['^\\+49', ''],
  ['^\\Q/a.b/\\E', ''],
  ['^\\Qa\\E.*c$', ''],
  ['^ab*', ''],
  ['^ab?c', ''],
  ['^a+', ''],
  ['^ abc', ''],
  ['^a\\d', ''],
];

export const UNPREFIXED: readonly (readonly [string, string])[] = [
  ['abc', ''],
  ['^', ''],
  ['^.abc', ''],
  ['^\\d', ''],
  ['^\\w+', ''],
  ['^(abc)', ''],
  ['^[ab]c', ''],
  ['^a*b', ''],
  ['^a?b', ''],
  ['^\\.*b', ''],
  ['^abc|def', ''],
  ['^abc', 'm'],
  ['\\Q/a\\E', ''],
];

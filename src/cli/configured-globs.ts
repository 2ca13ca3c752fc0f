import type { ConfiguredGlob } from '../policy/unmatched-globs.js';
import { placeOf } from '../config/config-errors.js';
import type { LoadedConfig } from '../config/load-config.js';

/** The globs over namespaces in the configuration file itself; those of plugins may be meant for other clusters. */
export function configuredGlobs({ file, values, owners }: LoadedConfig): ConfiguredGlob[] {
  if (file === null) return [];
  const each = (
    key: string,
    path: readonly PropertyKey[],
    entries: readonly { readonly glob?: string | undefined }[] = [],
  ) =>
    entries.flatMap(({ glob }, index): ConfiguredGlob[] =>
      glob === undefined ? [] : [{ glob, key, place: placeOf(file, [...path, index]) }],
    );
  return [
    ...each('expect', ['expect'], values.expect),
    ...(values.targets ?? []).flatMap(({ expect }, index) => each('expect', ['targets', index, 'expect'], expect)),
    ...each('owners', ['owners'], owners),
    ...Object.entries(values.checks ?? {}).flatMap(([id, setting]) =>
      typeof setting === 'object' ? each(`checks.${id}`, ['checks', id, 'namespaces'], setting.namespaces) : [],
    ),
  ];
}

import type { Option } from 'commander';
import { formatBytes, formatDuration } from '../format.js';

/** What an option does, with its choices and its default where it has one worth telling: not "false", not an empty list. */
export function optionDescription(option: Option): string {
  const notes = [...(option.argChoices === undefined ? [] : [option.argChoices.join(', ')]), ...defaultNote(option)];
  return notes.length === 0 ? option.description : `${option.description} (${notes.join('; ')})`;
}

function defaultNote(option: Option): string[] {
  if (option.defaultValueDescription !== undefined) return [`default: ${option.defaultValueDescription}`];
  return typeof option.defaultValue === 'number' || typeof option.defaultValue === 'string'
    ? [`default: ${defaultText(option)}`]
    : [];
}

function defaultText({ defaultValue, flags }: Option): string {
  if (typeof defaultValue !== 'number') return String(defaultValue);
  if (flags.endsWith('<ms>')) return `${defaultValue}, ${formatDuration(defaultValue)}`;
  return flags.startsWith('--sample-bytes') ? `${defaultValue}, ${formatBytes(defaultValue)}` : String(defaultValue);
}

import type { Severity } from '../finding.js';
import { formatCount, plural } from '../format.js';
import { GRADES, type Grade } from './grades.js';
import type { EarlierGrade, Report } from './report.js';
import { failuresOf } from './run-failure.js';

/** Share of the collections up to which findings are few: the difference between B and C, and between D and F. Judgement. */
const FEW = 0.1;

/** Collections with findings of a severity that are not suppressed, known ones included: accepted is not fixed. */
function affected({ findings, stillThere = [] }: Report, severity: Severity): number {
  const active = findings.filter(({ suppressed }) => suppressed === undefined);
  const named = [...active, ...stillThere].filter((finding) => finding.severity === severity);
  return new Set(named.map(({ namespace }) => namespace)).size;
}

function judgedCollections({ collections }: Report): number {
  return collections.filter(({ sampled }) => sampled !== null && sampled.documents > 0).length;
}

/**
 * A: nothing above info. B: warnings in at most a tenth of the collections that were judged. C: in more. D: errors in at most
 * a tenth. F: in more. Null for a run that did not come to its end or judged nothing: what is unknown has no grade.
 */
export function gradeOf(report: Report): Grade | null {
  const judged = judgedCollections(report);
  if (judged === 0 || failuresOf(report).length > 0) return null;
  const [errors, warnings] = [affected(report, 'error'), affected(report, 'warning')];
  if (errors > 0) return errors / judged > FEW ? 'F' : 'D';
  if (warnings > 0) return warnings / judged > FEW ? 'C' : 'B';
  return 'A';
}

/** The grade, and what it rests on; null without one. */
export function gradeText(report: Report): string | null {
  const grade = gradeOf(report);
  if (grade === null) return null;
  const severity = grade === 'D' || grade === 'F' ? 'error' : 'warning';
  const judged = plural(judgedCollections(report), 'collection');
  const rests =
    grade === 'A'
      ? `no errors and no warnings in ${judged}`
      : `${severity}s in ${formatCount(affected(report, severity))} of ${judged}`;
  return `${grade}${trendText(grade, report)}: ${rests}${report.skipped.length === 0 ? '' : ', as far as judged'}`;
}

/** " (better than on 2026-11-15: C)" */
function trendText(grade: Grade, { summary: { earlierGrades = [] } }: Report): string {
  const [first] = earlierGrades;
  if (first === undefined) return '';
  const differs = earlierGrades.findLast((earlier) => earlier.grade !== grade);
  if (differs === undefined) return ` (since ${dayOf(first)} or longer)`;
  const change = GRADES.indexOf(grade) < GRADES.indexOf(differs.grade) ? 'better' : 'worse';
  return ` (${change} than on ${dayOf(differs)}: ${differs.grade})`;
}

function dayOf({ at }: EarlierGrade): string {
  return at.slice(0, 'YYYY-MM-DD'.length);
}

export function withGrade(report: Report): Report {
  return { ...report, summary: { ...report.summary, grade: gradeOf(report) } };
}

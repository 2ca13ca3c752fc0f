const FOLDER = 'https://github.com/mongodb/agent-skills/blob/main/testing';

/** The address of a question, by the skill that it examines (Apache License 2.0; as of 2026-05-15). */
export function question(skill: 'mongodb-schema-design' | 'mongodb-query-optimizer', id: number): string {
  return `${FOLDER}/${skill}/evals/evals.json, question ${id}`;
}

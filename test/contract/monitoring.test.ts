import { readFileSync } from 'node:fs';
import { join } from 'node:path';
/**
 * The alerts and the dashboard in `deploy/`. Neither Prometheus nor Grafana publishes a JSON Schema of them as a package: what
 * their manuals state is written here as one. Sources: Prometheus, "Recording rules" and "Alerting rules"; Grafana, "JSON model".
 */
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/files/package-root.js';
import { renderPrometheus } from '../../src/report/prometheus.js';
import { recordedReport } from '../support/report/recorded-reports.js';

const read = (file: string) => readFileSync(join(packageRoot(), 'deploy', file), 'utf8');
const strings = { type: 'object', additionalProperties: { type: 'string' } };

const RULES = {
  type: 'object',
  required: ['groups'],
  additionalProperties: false,
  properties: {
    groups: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'rules'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          interval: { type: 'string' },
          rules: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['alert', 'expr'],
              additionalProperties: false,
              properties: {
                alert: { type: 'string', pattern: '^[A-Za-z]+$' },
                expr: { type: 'string' },
                for: { type: 'string' },
                labels: strings,
                annotations: strings,
              },
            },
          },
        },
      },
    },
  },
};

const datasource = {
  type: 'object',
  required: ['type', 'uid'],
  properties: { type: { const: 'prometheus' }, uid: { const: '${datasource}' } },
};

const DASHBOARD = {
  type: 'object',
  required: ['uid', 'title', 'schemaVersion', 'version', 'time', 'templating', 'annotations', 'panels'],
  properties: {
    uid: { type: 'string', maxLength: 40 },
    title: { type: 'string' },
    schemaVersion: { type: 'integer' },
    version: { type: 'integer' },
    time: { type: 'object', required: ['from', 'to'] },
    templating: { type: 'object', required: ['list'] },
    annotations: { type: 'object', required: ['list'] },
    panels: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'type', 'title', 'gridPos', 'datasource', 'targets', 'fieldConfig'],
        properties: {
          id: { type: 'integer' },
          type: { enum: ['stat', 'table', 'timeseries'] },
          gridPos: {
            type: 'object',
            required: ['x', 'y', 'w', 'h'],
            properties: { x: { type: 'integer', maximum: 23 }, w: { type: 'integer', maximum: 24 } },
          },
          datasource,
          targets: {
            type: 'array',
            minItems: 1,
            items: { type: 'object', required: ['refId', 'expr', 'datasource'], properties: { datasource } },
          },
        },
      },
    },
  },
};

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly targets: readonly { readonly expr: string }[] }[];
}

const alerts = parse(read('prometheus-alerts.yaml')) as { groups: { rules: { expr: string }[] }[] };
const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard;

/** Names and labels that the renderer writes of a report with growth, findings of a baseline and gaps. */
const written = renderPrometheus({ ...recordedReport('demo'), target: 'shop' });
const source = readFileSync(join(packageRoot(), 'src/report/metrics.ts'), 'utf8');

describe.each([
  ['the alerts', RULES, alerts, alerts.groups.flatMap(({ rules }) => rules).map(({ expr }) => expr)],
  ['the dashboard', DASHBOARD, dashboard, dashboard.panels.flatMap(({ targets }) => targets).map(({ expr }) => expr)],
])('%s', (_, schema, value, expressions) => {
  it('are of their form', () => {
    const ajv = new Ajv({ strict: false });
    expect(ajv.validate(schema, value) ? [] : ajv.errors).toEqual([]);
  });

  it('ask for metrics and labels that mongolint writes', () => {
    const names = new Set(expressions.flatMap((expr) => expr.match(/mongolint_\w+/g) ?? []));
    expect(names.size).toBeGreaterThan(4);
    for (const name of names) expect(source).toContain(`'${name}'`);
    const labels = expressions.flatMap((expr) => [...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label));
    for (const label of labels) expect(`${written}${source}`).toMatch(new RegExp(`\\b${label}(?:="|: )`));
  });
});

it('panels of the dashboard have ids of their own', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

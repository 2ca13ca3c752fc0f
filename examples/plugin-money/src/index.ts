import type { Plugin } from 'mongolint';
import { csv } from './csv.js';
import { floatingPointMoney } from './floating-point-money.js';

export default {
  meta: { name: 'money', version: '1.0.0' },
  checks: [floatingPointMoney],
  formats: [csv],
  configs: {
    // Users take it over with `extends: [money/strict]`.
    strict: { checks: { 'money/floating-point-money': 'error' } },
  },
} satisfies Plugin;

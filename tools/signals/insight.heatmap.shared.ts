import { z } from 'zod';

export const dimension = z
  .enum(['issues_by_feature', 'issues_by_customer', 'features_by_customer', 'themes_by_signal_volume'])
  .describe('What is ranked, and by what it is split');
export const metric = z
  .enum(['customer_count', 'signal_count', 'severity_weighted'])
  .default('customer_count')
  .describe('Different customers, signals, or the sum of severities (none 0, low 1, medium 2, high 3, critical 4)');

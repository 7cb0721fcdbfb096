import { expect, test } from 'vitest';
import { processorMs } from '../../test/kit/processor.ts';
import type { MessageJson, Plan } from '../../contracts/agents/a2a.ts';
import { tools as allTools } from '../../tools/index.ts';
import { planOf } from './router.ts';

const said = (...texts: string[]): Plan =>
  planOf(texts.map((text): MessageJson => ({ messageId: 'm', role: 'ROLE_USER', parts: [{ text }] })));
const data = (value: unknown): Plan => planOf([{ messageId: 'm', role: 'ROLE_USER', parts: [{ data: value }] }]);
const schemas = new Map(allTools.map((tool) => [tool.name, tool.input]));

test.each<[string, string, Record<string, unknown>]>([
  ['Tell me about the customer Acme Corp', 'entity.customer.get_profile', { customer_name: 'Acme Corp' }],
  ['Prepare me for the call with our customer Acme Corp', 'entity.customer.get_profile', { customer_name: 'Acme Corp' }],
  ['Health of the Export API', 'entity.feature.get_health', { feature_name: 'Export API' }],
  ['How healthy is "bulk import"?', 'entity.feature.get_health', { feature_name: 'bulk import' }],
  ['Who uses the Export API?', 'entity.feature.get_health', { feature_name: 'Export API' }],
  ['Who is affected by Login loop?', 'entity.issue.get_impact', { issue_name: 'Login loop' }],
  ['How many customers are affected by the login loop?', 'entity.issue.get_impact', { issue_name: 'login loop' }],
  ['How bad is the login loop?', 'entity.issue.get_impact', { issue_name: 'login loop' }],
  ['What is the impact of "Login loop"?', 'entity.issue.get_impact', { issue_name: 'Login loop' }],
  ['What should we build next?', 'opportunity.priority.list', {}],
  ['Show me quick wins, top 3', 'opportunity.priority.list', { filter: 'quick_wins', limit: 3 }],
  ['List the opportunities, top 5', 'opportunity.record.list', { limit: 5 }],
  ['Which opportunities were accepted?', 'opportunity.record.list', { status: 'accepted' }],
  ['What is trending?', 'insight.trend.list', { entity_type: 'theme' }],
  [
    'Which issues are growing over the last 14 days?',
    'insight.trend.list',
    { entity_type: 'issue', direction: 'growing', window_days: 14 },
  ],
  ['Which issues hit the most customers?', 'insight.heatmap.get', { dimension: 'issues_by_customer' }],
  ['What are the most mentioned features?', 'insight.heatmap.get', { dimension: 'features_by_customer', metric: 'signal_count' }],
  ['Show the heatmap of issues by feature', 'insight.heatmap.get', { dimension: 'issues_by_feature' }],
  ['What happens if we fix Login loop?', 'insight.scenario.analyze', { action: 'fix_issue', entity_name: 'Login loop' }],
  ['What if the Export API is deprecated?', 'insight.scenario.analyze', { action: 'deprecate_feature', entity_name: 'Export API' }],
  ['What would building "Bulk import" change?', 'insight.scenario.analyze', { action: 'build_feature', entity_name: 'Bulk import' }],
  ['What are the strategic risks around security?', 'insight.strategy.generate', { focus_area: 'security' }],
  ['Give me an overview of what we know', 'graph.summary.get', {}],
  ['What is trending in the Payments area?', 'graph.summary.get', { scope: 'product_area', name: 'Payments' }],
  ['Write a weekly digest', 'authoring.report.generate', { report_type: 'weekly_digest', time_window_days: 7 }],
  ['Write a roadmap summary for leadership', 'authoring.report.generate', { report_type: 'roadmap_summary', audience: 'leadership' }],
  [
    'Write a customer impact brief for Acme',
    'authoring.report.generate',
    { report_type: 'customer_impact_brief', filter_customer: 'Acme' },
  ],
  [
    'Write me a one-pager on the Payments area',
    'authoring.report.generate',
    { report_type: 'product_area_overview', filter_area: 'Payments', format: 'one_pager' },
  ],
  ['Write a PRD for the Export API', 'authoring.artifact.generate', { artifact_type: 'prd', entity_name: 'Export API' }],
  [
    'Draft Jira tickets for the feature "Bulk import"',
    'authoring.artifact.generate',
    { artifact_type: 'jira', entity_name: 'Bulk import', entity_type: 'feature' },
  ],
  ['Show the latest report', 'authoring.report.get_latest', {}],
  ['Show the latest weekly digest', 'authoring.report.get_latest', { report_type: 'weekly_digest' }],
  [
    'Get the last customer health summary for Acme',
    'authoring.report.get_latest',
    { report_type: 'customer_health_summary', filter_customer: 'Acme' },
  ],
])('%s', (text, tool, args) => {
  expect(said(text)).toMatchObject({ kind: 'call', tool });
  const plan = said(text) as Plan & { kind: 'call' };
  expect(plan.arguments).toEqual(args);
  // Of the newest report, whatever its type, the type is found out (perform-report.ts).
  if (text !== 'Show the latest report') expect(schemas.get(tool)!.safeParse(args).error?.message).toBeUndefined();
});

test('a subject is found out later; what has none is asked for', () => {
  expect(said('Write a report on onboarding complaints')).toMatchObject({
    tool: 'authoring.report.generate',
    arguments: { subject: 'onboarding complaints' },
  });
  const asked = said('Write a report');
  expect(asked).toMatchObject({ kind: 'ask', skill: 'generate-report', text: expect.stringContaining('weekly_digest') });
  expect(said('Write a report', 'the roadmap')).toMatchObject({ kind: 'call', arguments: { report_type: 'roadmap_summary' } });
  expect(said('Write a report', 'Acme Corp')).toMatchObject({ kind: 'call', arguments: { subject: 'Acme Corp' } });
  expect(said('Write a PRD')).toMatchObject({ kind: 'ask', skill: 'generate-report' });
  expect(said('Write a PRD', 'Export API')).toMatchObject({ arguments: { artifact_type: 'prd', entity_name: 'Export API' } });
  expect(said('What if we change the login page?')).toMatchObject({ kind: 'ask', skill: 'analyze-landscape' });
});

test('each tool of a skill is called by its name, or by arguments that only it takes', () => {
  const both: [string, string, Record<string, unknown>][] = [
    ['lookup-entity', 'entity.customer.get_profile', { customer_name: 'A' }],
    ['lookup-entity', 'entity.feature.get_health', { feature_name: 'A' }],
    ['lookup-entity', 'entity.issue.get_impact', { issue_name: 'A' }],
    ['analyze-landscape', 'insight.heatmap.get', { dimension: 'issues_by_feature', metric: 'signal_count' }],
    ['analyze-landscape', 'insight.trend.list', { entity_type: 'issue', direction: 'growing' }],
    ['analyze-landscape', 'insight.scenario.analyze', { action: 'fix_issue', entity_name: 'A' }],
    ['analyze-landscape', 'insight.strategy.generate', { focus_area: 'security' }],
    ['analyze-landscape', 'opportunity.record.list', { sort_by: 'created_at' }],
    ['analyze-landscape', 'opportunity.priority.list', { filter: 'quick_wins' }],
    ['generate-report', 'authoring.report.generate', { report_type: 'weekly_digest' }],
    ['generate-report', 'authoring.artifact.generate', { artifact_type: 'prd', entity_name: 'A' }],
  ];
  for (const [skill, tool, args] of both) {
    const plan = { kind: 'call', skill, tool, arguments: args };
    expect(data({ tool, arguments: args })).toEqual(plan);
    expect(data({ skill, arguments: args })).toEqual(plan);
    expect(schemas.get(tool)!.safeParse(args).success, tool).toBe(true);
  }
  expect(data({ tool: 'authoring.report.get_latest', arguments: { report_type: 'weekly_digest' } })).toMatchObject({
    skill: 'generate-report',
  });
  expect(data({ skill: 'generate-report', arguments: { query: 'slow exports' } })).toMatchObject({
    arguments: { subject: 'slow exports' },
  });
  expect(data({ tool: 'insight.trend.list', arguments: {} })).toMatchObject({ kind: 'ask', skill: 'analyze-landscape' });
});

test('words that say the data again choose no tool', () => {
  const beside = (skill: string, args: Record<string, unknown>) =>
    planOf([
      { messageId: 'm', role: 'ROLE_USER', parts: [{ text: `${skill}: ${JSON.stringify(args)}` }, { data: { skill, arguments: args } }] },
    ]);
  expect(beside('search-signals', { query: 'audit logs' })).toMatchObject({
    tool: 'index.chunk.search',
    arguments: { query: 'audit logs' },
  });
  expect(beside('lookup-entity', { entity_name: 'Health of Mind Ltd' })).toMatchObject({ tool: 'entity.record.get' });
});

test('texts made to slow these patterns down do not', () => {
  const taken = processorMs(() => {
    for (const each of [
      'what would ',
      'if is ',
      'about the ',
      'latest report ',
      'in a ',
      'health of ',
      'over the last ',
      'most ',
      'area ',
      'weekly x ',
    ]) {
      const text = each.repeat(200_000 / each.length);
      for (const order of [
        'What if',
        'Write a report on',
        'Write a PRD for',
        'Show the latest',
        'Health of',
        'Which risks',
        'Who is affected by',
      ])
        said(`${order} ${text}x`);
    }
  });
  expect(taken).toBeLessThan(20_000);
});

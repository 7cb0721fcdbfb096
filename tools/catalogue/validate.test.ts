import { expect, it } from 'vitest';
import type { AppError } from '../../contracts/errors.ts';
import { Catalogue } from './catalogue.ts';
import { tools } from '../index.ts';
import { validate } from './validate.ts';

const catalogue = new Catalogue(tools);
const call = (name: string, args: object) => validate(catalogue.named(name), args);
const refused = (name: string, args: object): AppError => {
  try {
    call(name, args);
  } catch (error) {
    return error as AppError;
  }
  throw new Error('was taken');
};

it.each([
  ['index.chunk.search', { query: 'x', filters: { source_typ: 'pdf' } }, 'filters.source_typ'],
  ['ingest.content.submit', { source: { kind: 'text', text: 'x', tittle: 'x' } }, 'source.tittle'],
  [
    'claim.evidence.link',
    {
      claim_id: 'c',
      evidence: [
        { ref: 'a', stance: 'context' },
        { ref: 'b', stance: 'context', notes: 'x' },
      ],
    },
    'evidence[1].notes',
  ],
  ['external.server.add', { name: 'a', url: 'https://a.example', credentials: { header: { a: 'b' } } }, 'credentials.header'],
  ['agent.task.report', { task_id: 't', token: 'x'.repeat(8), status: 'running', progress: { don: 1 } }, 'progress.don'],
  ['system.policy.save', { name: 'p', rules: [{ effect: 'deny', tol: 'x' }] }, 'rules[0].tol'],
  ['ingest.run.log', { run_id: 'r', status: 'running', stats: { article_stored: 1 } }, 'stats.article_stored'],
])('%s refuses what it does not know within its fields, too', (name, args, field) => {
  const error = refused(name, args);
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { unknown_fields: [field] } });
  expect(error.hint).toMatch(/Did you mean|fields:/);
});

it.each([
  ['search_knowledge', { query: 'x', filters: { nothing: 1 } }, 'filters.nothing'],
  ['index.search', { query: 'x', filters: { nothing: 1 } }, 'filters.nothing'],
  ['log_ingestion_run', { run_id: 'r', status: 'running', stats: { nothing: 1 } }, 'stats.nothing'],
])('the name %s of another system ignores it, and says so', (name, args, field) => {
  expect(call(name, args).warnings).toContain(`Unknown field "${field}" was ignored.`);
});

it('objects that take anything are left alone', () => {
  expect(() => call('work.task.create', { description: 'x', phase_id: 1, metadata: { any: { thing: [1] } } })).not.toThrow();
  expect(() =>
    call('schema.definition.register', { name: 'a', version: '1', json_schema: { type: 'object', properties: {} } }),
  ).not.toThrow();
});

it('how deep to go is cut, with a warning, as the number of results is', () => {
  expect(call('ingest_url', { url: 'https://a.example', depth: 9 })).toMatchObject({
    input: { depth: 3 },
    warnings: ['"depth" was cut to 3.'],
  });
  expect(call('ingest_url', { url: 'https://a.example', depth: -2 })).toMatchObject({
    input: { depth: 0 },
    warnings: ['"depth" was raised to 0.'],
  });
});

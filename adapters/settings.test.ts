import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { checkSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
const file = join(folder, 'file');
writeFileSync(file, '');
afterAll(() => rmSync(folder, { recursive: true }));

const check = (env: Record<string, string>): void => checkSettings(readConfig(env));

test('what can be used passes', () => {
  expect(() => check({})).not.toThrow();
  expect(() =>
    check({ INGEST_ROOTS: folder, EMBEDDING_MODEL_DIR: 'none', FEED_SOURCES_FILE: file, DATABASE_URL: 'postgresql://a:b@c/d' }),
  ).not.toThrow();
});

test.each([
  [{ INGEST_ROOTS: `${folder},/no/such/folder` }, 'INGEST_ROOTS: the folder /no/such/folder does not exist'],
  [{ INGEST_ROOTS: file }, `INGEST_ROOTS: ${file} is not a folder`],
  [{ EMBEDDING_MODEL_DIR: folder }, `EMBEDDING_MODEL_DIR: ${folder} has no model.onnx`],
  [{ FEED_SOURCES_FILE: '/no/such/file' }, 'FEED_SOURCES_FILE: the file /no/such/file does not exist'],
  [{ DATABASE_URL: 'secret@host' }, 'DATABASE_URL: this is not a URL'],
  [{ OIDC_ISSUER: 'https://login.example' }, 'OIDC_ISSUER needs OIDC_AUDIENCE'],
  [{ LLM_PROVIDER: 'anthropic' }, 'LLM_PROVIDER is anthropic, but LLM_MODEL is not set'],
])('%o is told in one line', (env, told) => {
  expect(() => check(env as Record<string, string>)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringContaining(told) }),
  );
});

test('all of them are told at once, without what an address may hold', () => {
  const both = { INGEST_ROOTS: '/no/such/folder', QDRANT_URL: 'user:password' };
  expect(() => check({ ...both, QDRANT_URL: '//user:password@' })).toThrow(
    'Bad configuration: INGEST_ROOTS: the folder /no/such/folder does not exist; QDRANT_URL: this is not a URL.',
  );
});

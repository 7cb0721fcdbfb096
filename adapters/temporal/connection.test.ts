import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../platform/config.ts';
import { readCredentials, temporalTarget } from './connection.ts';
import { connectionProblem } from './refusals.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-temporal-'));
afterAll(() => rmSync(folder, { recursive: true }));
const targetOf = (env: Record<string, string>) => temporalTarget(readConfig(env));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('the settings of Temporal', () => {
  it('need nothing for one on this machine', () => {
    expect(targetOf({})).toEqual({ address: '127.0.0.1:7233', namespace: 'default' });
    expect(readCredentials(targetOf({}))).toEqual({ tls: false });
  });

  it('switch TLS on where it is meant', () => {
    for (const env of [
      { TEMPORAL_ADDRESS: 'temporal.example.com:7233', TEMPORAL_API_KEY: 'k' },
      { TEMPORAL_ADDRESS: 'ns.acct.tmprl.cloud:7233' },
      { TEMPORAL_ADDRESS: 'us-east-1.aws.api.temporal.io:7233' },
      { TEMPORAL_ADDRESS: 'temporal.example.com:7233', TEMPORAL_TLS: 'true' },
      { TEMPORAL_ADDRESS: '127.0.0.1:7233', TEMPORAL_TLS_SERVER_NAME: 'temporal' },
    ]) {
      expect(targetOf(env).tls, JSON.stringify(env)).toBeDefined();
    }
    expect(targetOf({ TEMPORAL_ADDRESS: 'temporal.example.com:7233' }).tls).toBeUndefined();
    expect(targetOf({ TEMPORAL_ADDRESS: '127.0.0.1:7233', TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'k' }).tls).toBeUndefined();
  });

  it('are refused where they contradict each other, by name', () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ TEMPORAL_TLS_CLIENT_CERT_PATH: 'a' }, /TEMPORAL_TLS_CLIENT_CERT_PATH is set alone/],
      [{ TEMPORAL_TLS_CLIENT_KEY_PATH: 'a' }, /TEMPORAL_TLS_CLIENT_KEY_PATH is set alone/],
      [{ TEMPORAL_API_KEY: 'a', TEMPORAL_API_KEY_FILE: 'b' }, /both set/],
      [{ TEMPORAL_TLS: 'false', TEMPORAL_TLS_SERVER_NAME: 'a' }, /TEMPORAL_TLS is false/],
      [{ TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'a', TEMPORAL_ADDRESS: 'far.example.com:7233' }, /plain text/],
    ];
    for (const [env, wanted] of cases) expect(() => targetOf(env)).toThrow(wanted);
  });

  it('name the file that cannot be used', () => {
    const read = (env: Record<string, string>) => () => readCredentials(targetOf(env));
    const missing = join(folder, 'missing.pem');
    const bad = file('bad.pem', 'not a certificate');
    expect(read({ TEMPORAL_API_KEY_FILE: missing })).toThrow(/TEMPORAL_API_KEY_FILE: .*missing.pem cannot be read \(ENOENT\)/);
    expect(read({ TEMPORAL_API_KEY_FILE: file('empty', '\n') })).toThrow(/TEMPORAL_API_KEY_FILE: .* is empty/);
    expect(read({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: bad })).toThrow(/TEMPORAL_TLS_SERVER_CA_CERT_PATH: .* no certificate/);
    expect(read({ TEMPORAL_TLS_CLIENT_CERT_PATH: bad, TEMPORAL_TLS_CLIENT_KEY_PATH: bad })).toThrow(/TEMPORAL_TLS_CLIENT_CERT_PATH/);
    expect(readCredentials(targetOf({ TEMPORAL_API_KEY_FILE: file('key', ' abc\n') }))).toMatchObject({ apiKey: 'abc' });
  });

  it('are named when a connection fails', () => {
    const target = { address: 'temporal.example.com:7233', namespace: 'acme' };
    const hint = (message: string): string => connectionProblem(new Error(message), target).hint ?? '';
    expect(hint('16 UNAUTHENTICATED: Request unauthorized.')).toContain('TEMPORAL_API_KEY');
    expect(hint('invalid peer certificate: UnknownIssuer')).toContain('TEMPORAL_TLS_SERVER_CA_CERT_PATH');
    expect(hint('tlsv13 alert certificate required')).toContain('TEMPORAL_TLS_CLIENT_CERT_PATH');
    expect(hint('connection reset')).toContain('TEMPORAL_TLS=true');
  });
});

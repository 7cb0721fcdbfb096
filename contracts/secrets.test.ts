import { describe, expect, it } from 'vitest';
import { cleanOfSecrets, withoutSecretsIn } from './secrets.ts';

const key = `sb_${'aB3_-'.repeat(8)}xyz`;

describe('a text', () => {
  it.each([
    [`export SIGNALBOX_API_KEY=${key}`],
    [`key ${key}.`],
    ['ANTHROPIC_API_KEY=sk-ant-REDACTED'],
    ['Authorization: Bearer abcdefghijklmnopqrstuvwxyz'],
    ['git clone https://me:abcdefgh1234567@example.com/x.git'],
    ['token: "ghp_abcdefghijklmnopqrstuvwxyz0123456789"'],
    ['{"password": "correct-horse-battery"}'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabcdefghijklmnop\n-----END RSA PRIVATE KEY-----'],
    ['AKIAABCDEFGHIJKLMNOP'],
  ])('loses its secret: %s', (text) => {
    const clean = withoutSecretsIn(text);
    expect(clean).toContain('[removed]');
    for (const secret of [key, 'abcdefgh', 'correct-horse', 'ABCDEFGH']) expect(clean).not.toContain(secret);
  });

  it.each(['the token count is 12', 'src/sb_config.ts', 'const token = next();', 'fencing_token: 7', 'https://example.com/a@b', 'sk-1'])(
    'keeps what is no secret: %s',
    (text) => expect(withoutSecretsIn(text)).toBe(text),
  );

  it('is cleaned wherever it stands in a value', () => {
    expect(cleanOfSecrets({ tool: 'Bash', input: { command: `curl -H 'X-API-Key: ${key}' x`, password: 'x' }, n: [key, 1] })).toEqual({
      tool: 'Bash',
      input: { command: "curl -H 'X-API-Key: [removed]' x", password: '[removed]' },
      n: ['[removed]', 1],
    });
  });
});

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { doubleKey, modelDouble, type ModelDouble } from '../test/setup/models.ts';

describe('signalbox models test', () => {
  let double: ModelDouble;
  let folder: string;
  const run = async (env: Record<string, string>, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'signalbox.js'), 'models', 'test', ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1', ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    return await new Promise((done) => child.on('close', (code) => done({ code, out, err })));
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'models-'));
    double = await modelDouble();
  });
  beforeEach(() => {
    double.asked = [];
    double.answer = () => ({ product: 42 });
  });
  afterAll(async () => {
    await double.close();
    rmSync(folder, { recursive: true });
  });

  it('says how to configure one where none is', async () => {
    const { code, err } = await run({});
    expect(code).toBe(1);
    expect(err).toContain('LLM_PROVIDER');
    expect(err).toContain('docs/models.md');
  });

  it('asks the configured one', async () => {
    const { code, out } = await run(double.env('anthropic', { LLM_INPUT_USD_PER_MTOK: '1', LLM_OUTPUT_USD_PER_MTOK: '1' }), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      model: 'anthropic/claude-test',
      latency_ms: expect.any(Number),
      input_tokens: 100,
      output_tokens: 10,
      cost_usd: 0.00011,
      correct: true,
    });
    const told = await run(double.env('google'));
    expect(told.out).toMatch(/tokens +100 in, 10 out/);
    expect(told.out + told.err).not.toContain(doubleKey);
  });

  it('says what is wrong, and never shows the key', async () => {
    const missing = await run({ LLM_PROVIDER: 'google', LLM_MODEL: 'm' });
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('LLM_API_KEY') });
    const wrong = await run(double.env('openai-compatible', { LLM_API_KEY: 'sk-wrong-and-secret' }), '--json');
    expect(wrong.code).toBe(4);
    expect(JSON.parse(wrong.out)).toMatchObject({ error: { code: 'FORBIDDEN' } });
    expect(wrong.out + wrong.err).not.toContain('sk-wrong');
  });
});

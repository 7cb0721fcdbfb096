/** `signalbox login`, `whoami` and `logout` as their user runs them, against a real issuer. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FetchBrowser } from '../setup/oidc.ts';
import { signInStack, type SignInStack } from '../setup/sign-in.ts';

let set: SignInStack;
let home: string;
let file: string;
beforeAll(async () => {
  set = await signInStack();
  home = mkdtempSync(join(tmpdir(), 'signalbox-login-'));
  file = join(home, 'signalbox', 'credentials.json');
  set.oidc.people.set('ada', { groups: ['eng'] });
});
afterAll(async () => {
  await set?.app.close();
  await set?.stack.stop();
  await set?.oidc.close();
  rmSync(home, { recursive: true, force: true });
});

/** @param onAddress gets the address that the user is asked to open */
async function run(args: string[], { onAddress, env = {} }: { onAddress?: (url: string) => void; env?: Record<string, string> } = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../cli/signalbox.js'), ...args], {
    env: { PATH: process.env['PATH']!, XDG_CONFIG_HOME: home, SIGNALBOX_DATA_DIR: join(home, 'none'), SIGNALBOX_URL: set.url, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    const address = /^Open (\S+)\n[^\n]+\n/m.exec(stderr)?.[1];
    if (address !== undefined && onAddress) {
      onAddress(address);
      onAddress = undefined;
    }
  });
  const code = await new Promise<number | null>((ended) => child.on('close', ended));
  return { code, stdout, stderr };
}

const login = (name = 'ada') =>
  run(['login', '--json'], { onAddress: (address) => void new FetchBrowser(set.oidc.url).open(address, name) });
const kept = () => JSON.parse(readFileSync(file, 'utf8'))[set.url];
const expired = () => writeFileSync(file, JSON.stringify({ [set.url]: { ...kept(), expires_at: '2020-01-01T00:00:00.000Z' } }));

it('signs in with a browser, and is then that person', async () => {
  const before = await run(['whoami', '--json']);
  expect([before.code, JSON.parse(before.stdout).error.suggestion]).toEqual([4, 'signalbox login signs you in; or set SIGNALBOX_API_KEY.']);
  const { code, stdout, stderr } = await login();
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Open http.*\nand confirm the code [A-Z]{4}-[A-Z]{4}\. It is valid for 10 minutes\.\n$/),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    url: set.url,
    principal: 'ada',
    tenant: 'acme',
    role: 'operator',
    kind: 'human',
    issuer: set.oidc.url,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'signalbox')).mode & 0o777).toBe(0o700);
  for (const text of [stdout, stderr]) expect(text).not.toContain(kept().access_token);

  const who = await run(['whoami', '--json']);
  expect(JSON.parse(who.stdout)).toMatchObject({ principal: 'ada', role: 'operator' });
  const called = await run(['tools', 'call', 'work.phase.list', '--json']);
  expect([called.code, JSON.parse(called.stdout).data.phases.length > 0]).toEqual([0, true]);
  expect((await run(['tools', 'ls', '--json'])).code).toBe(0);
});

it('a key that is set counts before the login', async () => {
  const ann = await set.stack.caller({ name: 'ann', role: 'pm' });
  const who = await run(['whoami', '--json'], { env: { SIGNALBOX_API_KEY: ann.apiKey } });
  expect(JSON.parse(who.stdout)).toMatchObject({ principal: 'ann', role: 'pm', issuer: null });
});

it('the token is refreshed by one of several commands at once', async () => {
  expired();
  const before = set.oidc.asked.filter((path) => path === '/token').length;
  const answers = await Promise.all([1, 2, 3].map(() => run(['whoami', '--json'])));
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(set.oidc.asked.filter((path) => path === '/token').length - before).toBe(1);
  expect(Date.parse(kept().expires_at)).toBeGreaterThan(Date.now());
});

it('opens the console as that person', async () => {
  const { code, stdout } = await run(['console', '--print', '--json']);
  expect(code).toBe(0);
  const address = new URL(JSON.parse(stdout).url);
  const answer = await fetch(`${set.url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ code: address.hash.slice('#code='.length) }),
  });
  expect(await answer.json()).toMatchObject({ principal: 'ada', kind: 'human' });
});

it('says what to do while the issuer is away, and keeps the login', async () => {
  expired();
  set.oidc.down = true;
  const away = await run(['whoami', '--json']);
  set.oidc.down = false;
  expect([away.code, JSON.parse(away.stdout).error.message]).toEqual([3, expect.stringContaining('does not answer as it should')]);
  expect((await run(['whoami', '--json'])).code).toBe(0);
});

it('is over when the person has been removed, and is forgotten', async () => {
  set.oidc.people.delete('ada');
  expired();
  const over = await run(['whoami', '--json']);
  expect([over.code, JSON.parse(over.stdout).error]).toEqual([
    4,
    expect.objectContaining({ message: `Your login at ${set.url} has ended.`, suggestion: 'signalbox login signs you in again.' }),
  ]);
  expect(kept()).toBeUndefined();
  set.oidc.people.set('ada', { groups: ['eng'] });
});

it('is taken back at the issuer by logout', async () => {
  expect((await login()).code).toBe(0);
  const { refresh_token } = kept();
  const out = await run(['logout', '--json']);
  expect(JSON.parse(out.stdout)).toEqual({ url: set.url, logged_in_before: true, revoked: true });
  expect(kept()).toBeUndefined();
  const again = await fetch(`${set.oidc.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'cli', refresh_token }),
  });
  expect(((await again.json()) as { error: string }).error).toBe('invalid_grant');
});

it('that is refused at the issuer says so', async () => {
  const refused = await run(['login', '--json'], {
    async onAddress(address) {
      const browser = new FetchBrowser(set.oidc.url);
      const at = await browser.open(address, 'ada', ({ pathname }) => pathname.startsWith('/interaction/'));
      await browser.open(`${at.url.href}/abort`, 'ada', ({ pathname }) => pathname === '/device');
    },
  });
  expect([refused.code, JSON.parse(refused.stdout).error.message]).toEqual([4, 'The login was refused at the issuer.']);
});

it('goes only to the address that the server gives as its own', async () => {
  const other = await run(['login', '--json'], { env: { SIGNALBOX_URL: set.url.replace('127.0.0.1', 'localhost') } });
  expect([other.code, JSON.parse(other.stdout).error.message]).toEqual([1, expect.stringContaining(`calls itself ${set.url}`)]);
});

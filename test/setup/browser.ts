/** A real Chromium over the console as it is built, on the api of a stack. */
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { ServerParts } from '../../api/parts.ts';
import { apiOf } from './api.ts';
import type { TestStack } from './stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser's binary; null: there is none, and the tests are skipped (not in CI). */
    chromium: string | null;
  }
}

/** With CONSOLE_LONG=1, checks that take minutes are run in full. */
export const longRun = Boolean(process.env['CONSOLE_LONG']);

export const consoleFolder = join(import.meta.dirname, '../../console/dist');

/** No network of its own, no first-run pages. The sandbox needs rights that containers lack. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** With a profile of its own. */
export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: inject('chromium')!, headless: true, args: flags });

export async function serveConsole(stack: TestStack, more: Partial<ServerParts> = {}): Promise<{ url: string; app: FastifyInstance }> {
  const app = apiOf(stack, { consoleFolder, notices: () => stack.notices, ...more });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, app };
}

export interface Watched {
  page: Page;
  context: BrowserContext;
  /** Errors on the browser's console, thrown errors and violations of the page's policy. */
  faults: string[];
  /** Method and path of each request of the page. */
  requests: string[];
}

/** A page whose faults are noted from its first line on. @param context another page of this one: a tab of the same browser */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}, context?: BrowserContext): Promise<Watched> {
  const own = context ?? (await browser.newContext(options));
  const page = await own.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber), true)`,
  );
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return { page, context: own, faults, requests };
}

export async function signIn(page: Page, url: string, key: string, path = '/'): Promise<void> {
  await page.goto(url + path);
  await page.getByLabel('Key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /account and settings/ }).waitFor();
}

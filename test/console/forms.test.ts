/** The form of every tool in a browser: what is typed and chosen is what is sent. */
import type { FastifyInstance } from 'fastify';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { fieldsOf, type Field } from '../../console/src/form/schema.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { documentedArguments, documentedTools, type DocumentedTool } from '../setup/documented-tools.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const isPart = ({ kind }: Field): boolean => kind === 'object' || kind === 'list';

/** Types and chooses what the arguments say. Plain fields come first: those of an open part may have the same labels. */
async function fill(scope: Locator, fields: readonly Field[], args: Record<string, unknown>): Promise<void> {
  const given = fields.filter(({ name }) => args[name] !== undefined);
  expect(given.map(({ name }) => name).toSorted()).toEqual(Object.keys(args).toSorted());
  for (const field of given.toSorted((a, b) => Number(isPart(a)) - Number(isPart(b)))) {
    await enter(scope, field, field.name, args[field.name]);
  }
}

async function enter(scope: Locator, field: Field, label: string, value: unknown): Promise<void> {
  if (value === null && field.nullable && !isPart(field)) return await scope.getByLabel(`${label}: null`, { exact: true }).check();
  if (!isPart(field)) {
    const control = scope.getByLabel(label, { exact: true });
    if (field.kind === 'choice' || field.kind === 'boolean') await control.selectOption(String(value));
    else await control.fill(field.kind === 'text' ? String(value) : JSON.stringify(value));
    return;
  }
  const part = scope.getByRole('group', { name: label, exact: true });
  if (field.kind === 'object') {
    const open = part.getByRole('button', { name: `Fill in ${label}`, exact: true });
    if ((await open.count()) > 0) await open.click();
    return await fill(part, field.fields, value as Record<string, unknown>);
  }
  for (const [i, one] of (value as unknown[]).entries()) {
    await part.getByRole('button', { name: `Add to ${label}`, exact: true }).click();
    await enter(part, field.item!, `${label} ${i + 1}`, one);
  }
}

describe.skipIf(inject('chromium') === null)('forms of tools', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let ann: { apiKey: string };
  beforeAll(async () => {
    stack = await testStack({ model: false });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
    ann = await stack.caller({ name: 'ann' });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });

  /** Fills in the form of one tool and calls it. @returns what was sent */
  async function sent(page: Page, { name, inputSchema }: DocumentedTool, example: Record<string, unknown>): Promise<unknown> {
    const panel = page.getByRole('region', { name: 'Try it' });
    const button = panel.getByRole('button', { name: /^(Call it|Ask to call it)$/ });
    await button.waitFor();
    const fields = fieldsOf(inputSchema);
    if (fields.some(({ required }) => required)) expect([name, await button.isDisabled()]).toEqual([name, true]);
    await fill(panel, fields, example);
    const request = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith(`/console/api/tools/${name}`));
    await button.click();
    const dialog = page.getByRole('dialog');
    await Promise.race([request, dialog.waitFor()]);
    if (await dialog.isVisible()) {
      await dialog.getByLabel(`Type ${name}`).fill(name);
      await dialog.getByRole('button', { name: /^(Call it|Ask to call it)$/ }).click();
    }
    return (await request).postDataJSON();
  }

  const domains = [...new Set(documentedTools.map(({ name }) => name.split('.')[0]!))];

  it('have an example nearly always', () => {
    expect(documentedTools.filter(({ name }) => documentedArguments.has(name)).length).toBeGreaterThan(documentedTools.length * 0.9);
  });

  it.each(domains)('of %s send the arguments of each example', async (domain) => {
    const { page, context, faults } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    await signIn(page, url, ann.apiKey, '/console/tools');
    await page.getByRole('table', { name: 'tools' }).waitFor();
    faults.length = 0;
    // What the screen itself reads reaches the server.
    const read = new Set(['system.tool.describe', 'system.policy.explain', 'system.tool.list', 'system.tool.search']);
    const [made, expected]: unknown[][] = [[], []];
    for (const tool of documentedTools.filter(({ name }) => name.startsWith(`${domain}.`))) {
      const { name, title } = tool;
      const example = documentedArguments.get(name);
      if (!example) continue;
      if (!read.has(name)) {
        await page.route(`**/console/api/tools/${name}`, (route) =>
          route.fulfill({
            json: {
              status: 'success',
              tool_call_id: 'call_1',
              data: {},
              warnings: [],
              refs: [],
              metadata: { source: name, query_time_ms: 1 },
            },
          }),
        );
      }
      // As a link of the page does it, without loading the page again.
      await page.evaluate(`history.pushState({}, '', '/console/tools/${name}')`);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      expected!.push([name, example]);
      made!.push([
        name,
        await sent(page, tool, example).catch((error: unknown) => {
          throw new Error(`the form of ${name}`, { cause: error });
        }),
      ]);
    }
    expect(made).toEqual(expected);
    // Of the two that reach the server: their examples name what is not there.
    expect(faults.filter((fault) => domain !== 'system' || !fault.includes('404'))).toEqual([]);
    await context.close();
  });
});

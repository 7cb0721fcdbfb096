/** Rules that each screen keeps. */
import axeCore from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules of WCAG that look at colours. */
export const colourRules = ['color-contrast', 'link-in-text-block'];
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Violations of WCAG 2.2 A and AA, as `rule: element`. The engine comes by the debugger's protocol: the page's policy
 * allows no script of others.
 * @param rules these alone
 */
export async function axe(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeCore.source);
  const only = JSON.stringify(rules ? { type: 'rule', values: rules } : { type: 'tag', values: levels });
  const found = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `axe.run(document, { runOnly: ${only}, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
}

const controls = `[...document.querySelectorAll('a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [role=menuitem], [role=option], [tabindex="0"]')].filter((one) => one.checkVisibility() && !one.closest('[aria-hidden=true], [data-base-ui-focus-guard]') && !one.hasAttribute('data-base-ui-focus-guard'))`;

/** Controls that are smaller than this. What a picture shows as a point stands in a list beside it, too. */
export const smallControls = async (page: Page, least: number): Promise<string[]> =>
  await page.evaluate<string[]>(
    `${controls}.filter((one) => !one.matches('[href="#main"], svg [role=option]')).map((one) => ({ one, box: (one.closest('label') ?? one).getBoundingClientRect() })).filter(({ box }) => box.width < ${least} || box.height < ${least}).map(({ one, box }) => one.outerHTML.slice(0, 120) + ' ' + box.width + 'x' + box.height)`,
  );

/** What makes the page wider than this, innermost elements, once it is laid out for the present size. */
export const overflowing = async (page: Page, width: number): Promise<string[]> =>
  await page.evaluate<string[]>(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth === ${width}) return done([]);
    const wide = [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > ${width} + 0.5);
    const inner = wide.filter((one) => !wide.some((other) => other !== one && one.contains(other)));
    done([scrollWidth + ' px wide', ...inner.slice(0, 3).map((one) => one.outerHTML.slice(0, 160))]);
  })))`);

/** Where the keyboard is: element, its box, and whether its outline is drawn and nothing covers it. */
const focused = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const { left, top, width, height } = at.getBoundingClientRect();
  const style = getComputedStyle(at);
  const seen = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, left + Math.min(width, 200) / 2)), Math.min(innerHeight - 1, Math.max(0, top + height / 2)));
  return { name: at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.textContent ?? '').trim().slice(0, 40) + ' ' + Math.round(left) + ',' + Math.round(top + scrollY),
    outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, uncovered: at === seen || at.contains(seen) || Boolean(seen?.contains(at)) };
})()`;

interface Focused {
  name: string;
  outlined: boolean;
  uncovered: boolean;
}

/** A browser that is short of processor time scrolls and draws some frames after the focus has moved. */
async function keyboardAt(page: Page): Promise<Focused | null> {
  const look = () => page.evaluate<Focused | null>(focused);
  let now = await look();
  for (let frames = 0; now && !(now.outlined && now.uncovered) && frames < 30; frames += 1) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => done()))');
    now = await look();
  }
  return now;
}

/** Goes through the screen by Tab. @returns controls whose focus is not seen, and how many are not reached */
export async function tabbed(page: Page): Promise<unknown[]> {
  const broken: unknown[] = [];
  // From the top, whatever had the focus before.
  await page.evaluate(
    'document.activeElement?.blur(); getSelection()?.removeAllRanges(); document.documentElement.tabIndex = -1; document.documentElement.focus(); document.documentElement.removeAttribute("tabindex"); scrollTo(0, 0)',
  );
  // Of a table that arrow keys move through, Tab reaches one cell.
  const reachable = () =>
    page.evaluate<string[]>(
      `${controls}.filter((one) => one.tabIndex >= 0).map((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40))`,
    );
  const before = await reachable();
  const expected = before.length;
  const seen = new Set<string>();
  // A date has a stop for its day, month, year and calendar.
  for (let i = 0; i < 2 * expected + 20; i += 1) {
    await page.keyboard.press('Tab');
    const now = await keyboardAt(page);
    if (!now) break;
    if (!now.outlined || !now.uncovered) broken.push(now);
    seen.add(now.name);
  }
  if (seen.size < expected) {
    const [now, ended] = [await reachable(), [...seen].at(-1)];
    broken.push(
      `${seen.size} of ${expected} controls are reached by Tab, the last one ${ended}; there are ${now.length} now, the last one ${now.at(-1)}`,
    );
  }
  return broken;
}

/** Pure: a brief as Markdown and as a page. Titles and sentences are untrusted and escaped. */
import type { Brief, BriefHighlight } from '../../../contracts/feeds/briefs.ts';

export function briefMarkdown(brief: Brief, heading = true): string {
  const { date, executive_summary, highlights, topic_breakdown, total_articles_analyzed } = brief;
  const topics = Object.entries(topic_breakdown).map(([name, count]) => `${plainMarks(name)} ${count}`);
  return [
    ...(heading ? [`# Brief of ${date}`] : []),
    plainMarks(executive_summary),
    ...highlights.map(highlightMarkdown),
    ...(topics.length > 0 ? [`${total_articles_analyzed} articles: ${topics.join(', ')}.`] : []),
  ].join('\n\n');
}

function highlightMarkdown({ title, significance, strategic_implications, url, evidence }: BriefHighlight, i: number): string {
  const others = evidence.slice(1).map((each) => linkMarkdown(each.source, each.url));
  return [
    `## ${i + 1}. ${linkMarkdown(title, url)}`,
    ...(significance ? [`**Significance:** ${plainMarks(significance)}`] : []),
    ...(strategic_implications ? [`**Implications:** ${plainMarks(strategic_implications)}`] : []),
    ...(others.length > 0 ? [`Also told by ${others.join(', ')}.`] : []),
  ].join('\n\n');
}

const marks = /[\\`*_{}[\]<>()#+!|~]/g;
/** Escapes all Markdown. */
const plainMarks = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(marks, (mark) => `\\${mark}`);

const linkMarkdown = (text: string, url: string): string =>
  isWeb(url) ? `[${plainMarks(text)}](<${new URL(url).href.replaceAll(/[<>]/g, encodeURIComponent)}>)` : plainMarks(text);

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const link = (text: string, url: string): string =>
  isWeb(url) ? `<a href="${escape(new URL(url).href)}" rel="noopener noreferrer nofollow">${escape(text)}</a>` : escape(text);

/** A complete document, without scripts and external resources. */
export function briefPage(brief: Brief): string {
  const { date, version, executive_summary, highlights, topic_breakdown, total_articles_analyzed, generated_at } = brief;
  const topics = Object.entries(topic_breakdown).map(([name, count]) => `<li>${escape(name)} <span>${count}</span></li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Brief of ${escape(date)}</title><style>${style}</style></head><body><main>
<header><h1>Brief of ${escape(date)}</h1><p>${total_articles_analyzed} articles, version ${version}, ${escape(generated_at.slice(0, 16).replace('T', ' '))} UTC</p></header>
<p class="summary">${escape(executive_summary)}</p>
${highlights.map(highlightHtml).join('\n')}
${topics.length > 0 ? `<footer><h2>Topics</h2><ul class="topics">${topics.join('')}</ul></footer>` : ''}
</main></body></html>`;
}

const highlightHtml = ({ title, significance, strategic_implications, url, evidence }: BriefHighlight): string => `<article>
<h2>${link(title, url)}</h2>
${significance ? `<p>${escape(significance)}</p>` : ''}
${strategic_implications ? `<p><b>What follows:</b> ${escape(strategic_implications)}</p>` : ''}
<p class="sources">${evidence.map((each) => `${link(each.source, each.url)}${each.published_at ? `, ${escape(each.published_at.slice(0, 10))}` : ''}`).join(' · ')}</p>
</article>`;

const style = `:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;margin:0}main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:1.6rem 0 .3rem}header p,.sources{color:#777;font-size:.85rem;margin:.2rem 0}
.summary{font-size:1.05rem}a{color:inherit}.topics{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.3rem 1rem}.topics span{color:#777}`;

import { connectionOf, ways, type Connection } from '../../tools/system/connections.shared.ts';
import type { Health } from '../parts.ts';

interface LandingFacts {
  version: string;
  host: string;
  health: Health;
  temporalUi: string | undefined;
  /** No key is required. */
  open: boolean;
  /** Shown in place of the console, which is not built. */
  withoutConsole?: boolean;
}

/** Plain pages: no scripts, no external resources, no framing. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

export const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const code = (text: string): string => `<pre><code>${escape(text)}</code></pre>`;

/** The page at `/about`, and at `/` while the console is not built: addresses, state and how to connect. Plain HTML; the key is always a placeholder. */
export function landingPage({ version, host, health, temporalUi, open, withoutConsole = false }: LandingFacts): string {
  const base = `http://${/^[\w.:[\]-]{1,200}$/.test(host) ? host : 'localhost'}`;
  const mcp = `${base}/mcp`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox</title><style>${style}</style></head><body><main>
<header><h1>Signalbox</h1><p>Where agents find work, knowledge, memory and tools. Version ${escape(version)}.</p>${withoutConsole ? '<p>The web console is not built here. <code>npm start</code> builds it in the background: reload in some seconds. <code>npm run console:build</code> builds it at once.</p>' : ''}</header>
<section><h2>Parts</h2><ul class="parts">${Object.entries(health).map(part).join('')}</ul></section>
<section><h2>Where</h2><table>${[
    ['MCP (Streamable HTTP)', link(mcp)],
    ['MCP with a set of tools', `${escape(mcp)}/p/<i>core, devflow, agentic-rag, unified, all, …</i>`],
    ['MCP (old SSE transport)', escape(`${base}/mcp/sse`)],
    ['Tools', `${link(`${base}/docs`)}, ${link(`${base}/mcp/tools`)} (needs a key)`],
    ['Agent gateway (REST)', `${escape(`${base}/api/agents/v1`)}: ${link(`${base}/docs/api`)}`],
    ['REST', `POST ${escape(base)}/api/tools/<i>name</i>`],
    ['Metrics', `${link(`${base}/metrics`)}, ${link(`${base}/mcp/metrics`)}`],
    ['Health', `${link(`${base}/ready`)}, ${link(`${base}/mcp/health`)}`],
    ...(temporalUi ? [['Processes (Temporal)', link(temporalUi)]] : []),
  ]
    .map(([what, where]) => `<tr><th>${what}</th><td>${where}</td></tr>`)
    .join('')}</table></section>
<section><h2>Connect</h2>
<p>${open ? 'This server needs no key: it serves this machine only.' : 'The key of a local stack stands in <code>.signalbox/runtime.json</code>; <code>npx signalbox keys create</code> makes more.'}
<code>npx signalbox connect CLIENT</code> writes these files for you.</p>
${ways.map((way, i) => connection(connectionOf(way, { url: base, keyed: !open }), i === 0)).join('\n')}
</section></main></body></html>
`;
}

const link = (url: string): string => `<a href="${escape(url)}">${escape(url)}</a>`;

const connection = ({ title, command, text, file, user_file, after }: Connection, first: boolean): string => {
  const place = file ?? user_file;
  return `<details${first ? ' open' : ''}><summary>${escape(title)}${place === undefined ? '' : ` <small>${escape(place)}</small>`}</summary>${
    command === undefined ? '' : code(command)
  }${code(text)}<p>${escape(after)}</p></details>`;
};

const part = ([name, state]: [string, Health[string]]): string => {
  // A disabled part is neither running nor an error.
  const disabled = state.detail === 'disabled';
  const look = disabled || (!state.up && state.optional) ? 'off' : state.up ? 'up' : 'down';
  const detail = disabled ? 'not configured' : state.detail;
  return `<li class="${look}"><b>${escape(name)}</b> ${look}${detail ? ` <small>${escape(detail)}</small>` : ''}</li>`;
};

/** Shared by the pages of this server. */
export const style = `
:root{color-scheme:light dark;--ink:light-dark(#1c2024,#e8eaed);--soft:light-dark(#5b6570,#9aa4ae);--line:light-dark(#dfe3e8,#30363d);--box:light-dark(#f6f8fa,#161b22);--page:light-dark(#fff,#0d1117);--blue:light-dark(#0b62c4,#6cb2ff)}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:52rem;margin:0 auto;padding:3rem 1.25rem 5rem}h1{font-size:2rem;margin:0;letter-spacing:-.02em}header p{color:var(--soft);margin:.25rem 0 0}
h2{font-size:1.1rem;margin:2.5rem 0 .75rem}a{color:var(--blue)}small{color:var(--soft)}
.parts{list-style:none;display:flex;flex-wrap:wrap;gap:.5rem;padding:0;margin:0}.parts li{border:1px solid var(--line);border-left:4px solid var(--soft);border-radius:6px;padding:.35rem .75rem;background:var(--box)}
.parts .up{border-left-color:#2da44e}.parts .down{border-left-color:#cf222e}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .5rem;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}th{font-weight:500;color:var(--soft);white-space:nowrap}
details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;background:var(--box)}summary{cursor:pointer;padding:.5rem .75rem;font-weight:500}
details p{margin:0;padding:.5rem .75rem;color:var(--soft)}pre{margin:0;padding:.75rem;border-top:1px solid var(--line);overflow-x:auto;font-size:.85rem}code{font-family:ui-monospace,monospace}`;

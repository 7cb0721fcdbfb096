import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { landingPage } from '../../api/rest/landing.ts';
import { clients, describeClient, tomlTable } from './clients.shared.ts';
import { connectionOf, keyPlaceholder, otherWays, ways } from './connections.shared.ts';

const url = 'http://127.0.0.1:8080';
const wanted = { url, keyed: true, agentId: 'worker-7', profile: 'devflow' };

describe.each(ways)('what is copied for %s', (way) => {
  const connection = connectionOf(way, wanted);

  it('parses, and names the server and the worker', () => {
    const whole = connection.text;
    if (connection.format === 'json') expect(JSON.parse(whole)).toBeTypeOf('object');
    // Each line is the table's name or an assignment.
    if (connection.format === 'toml')
      for (const line of whole.trim().split('\n')) expect(line).toMatch(/^(\[mcp_servers\.signalbox\]|[a-z_]+ = (".*"|\{ .* \}))$/);
    expect(whole).toContain(url);
    expect(whole).toContain('worker-7');
  });

  it('has a place for the key, unless the client asks for it or none is needed', () => {
    if (way === 'vscode') expect(connection.text).toContain('${input:signalbox-key}');
    else expect(connection.text).toContain(keyPlaceholder);
    // The type of LangGraph's tools needs a key.
    expect(connectionOf(way, { url, keyed: false }).text).not.toContain(keyPlaceholder);
  });
});

it('is what `signalbox connect` prints for the same address and key', () => {
  for (const name of clients) {
    const headers = { 'X-API-Key': keyPlaceholder, 'X-Agent-Id': 'worker-7' };
    const bridge = {
      command: 'node',
      args: ['/path/to/signalbox/cli/signalbox.js', 'mcp', '--agent-id', 'worker-7', '--profile', 'devflow'],
      env: { SIGNALBOX_URL: url, SIGNALBOX_API_KEY: keyPlaceholder },
    };
    const { shown, format } = describeClient(name, { home: '~', applications: '~', mcp: `${url}/mcp/p/devflow`, headers, bridge });
    expect(connectionOf(name, wanted).text).toBe(format === 'toml' ? tomlTable(shown) : JSON.stringify(shown, null, 2));
  }
});

it('is on the page about the server, and its files are those of docs/clients.md', () => {
  const page = landingPage({ version: '1', host: '127.0.0.1:8080', health: {}, temporalUi: undefined, open: false });
  for (const way of ways) {
    const { text } = connectionOf(way, { url, keyed: true });
    expect(page).toContain(text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`));
  }
  const rows = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => /^\| `([\w-]+)`\s*\| (.*?)\s*\|/.exec(line)?.slice(1, 3) ?? []);
  const files = new Map(rows.flatMap((cell, i) => (i % 2 === 0 ? [[cell, rows[i + 1]!] as const] : [])));
  for (const name of clients) {
    const { file } = connectionOf(name, wanted);
    expect(files.has(name)).toBe(true);
    if (file !== undefined) expect(files.get(name)).toContain(`\`${file}\``);
  }
  expect(otherWays.filter((way) => files.has(way))).toEqual([]);
});

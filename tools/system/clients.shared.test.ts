import { describe, expect, it } from 'vitest';
import { clients, describeClient, tomlMerged, tomlTable, type ClientName, type Where } from './clients.shared.ts';

const key = 'sbx_secret';
const where = (more: Partial<Where> = {}): Where => ({
  home: '/home/ann',
  applications: '/home/ann/apps',
  mcp: 'http://127.0.0.1:8080/mcp',
  headers: { 'X-API-Key': key, 'X-Agent-Id': 'x@host' },
  bridge: { command: 'node', args: ['signalbox.js', 'mcp'], env: {} },
  ...more,
});
const client = (name: ClientName, more?: Partial<Where>) => describeClient(name, where(more));
const headers = where().headers;

describe.each(clients)('%s', (name) => {
  it('keeps what its file holds besides, and changes nothing a second time', () => {
    const { merged } = client(name);
    const once = merged({ theme: 'dark', mcpServers: { other: { url: 'x' } }, servers: { other: { url: 'x' } } });
    expect(once).toMatchObject({ theme: 'dark', mcpServers: { other: { url: 'x' } }, servers: { other: { url: 'x' } } });
    expect(merged(once)).toEqual(once);
  });
});

it('VS Code asks for the key, which is in no file', () => {
  const { merged, shown } = client('vscode');
  const others = { inputs: [{ type: 'promptString', id: 'other' }] };
  expect(JSON.stringify([merged(others), shown])).not.toContain(key);
  expect(merged(others)).toEqual({
    servers: {
      signalbox: {
        type: 'http',
        url: where().mcp,
        headers: { 'X-API-Key': '${input:signalbox-key}', 'X-Agent-Id': 'x@host' },
      },
    },
    inputs: [others.inputs[0], { type: 'promptString', id: 'signalbox-key', description: 'Key of Signalbox', password: true }],
  });
  expect(client('vscode', { headers: {} }).shown).not.toHaveProperty('inputs');
});

describe('OpenCode', () => {
  const remote = { type: 'remote', url: where().mcp, headers };

  it('is configured in the format of version 2, unless this machine has version 1', () => {
    expect(client('opencode').shown).toEqual({ $schema: 'https://opencode.ai/config.json', mcp: { servers: { signalbox: remote } } });
    expect(client('opencode', { opencode: 2 }).shown).toMatchObject({ mcp: { servers: { signalbox: remote } } });
    expect(client('opencode', { opencode: 1 }).shown).toMatchObject({ mcp: { signalbox: { ...remote, enabled: true } } });
  });

  it('keeps the form that its file has', () => {
    const old = { mcp: { other: { type: 'local', command: ['x'] } } };
    expect(client('opencode', { opencode: 2 }).merged(old)).toEqual({ mcp: { ...old.mcp, signalbox: { ...remote, enabled: true } } });
    const now = { mcp: { servers: { other: { type: 'local', command: ['x'] } } } };
    expect(client('opencode', { opencode: 1 }).merged(now)).toEqual({ mcp: { servers: { ...now.mcp.servers, signalbox: remote } } });
  });
});

describe('Codex', () => {
  const { shown } = client('codex');
  const table = `[mcp_servers.signalbox]
url = "http://127.0.0.1:8080/mcp"
http_headers = { "X-API-Key" = "sbx_secret", "X-Agent-Id" = "x@host" }
`;

  it('is configured in TOML', () => {
    expect(tomlTable(shown)).toBe(table);
    expect(tomlMerged('', shown)).toBe(table);
  });

  it('gets our table in place of the old one, and keeps the rest with its comments', () => {
    const others = '# mine\nmodel = "x"\n\n[mcp_servers.other] # keep\ncommand = "y"';
    expect(tomlMerged(`${others}\n`, shown)).toBe(`${others}\n\n${table}`);
    const [top, other] = others.split('\n\n');
    const before = `${top}\n\n[mcp_servers.signalbox]\nurl = "old"\n[mcp_servers.signalbox.http_headers]\nA = "b"\n${other}\n`;
    expect(tomlMerged(before, shown)).toBe(`${others}\n\n${table}`);
    expect(tomlMerged(tomlMerged(before, shown)!, shown)).toBe(tomlMerged(before, shown));
  });

  it('is left to a person where servers are written otherwise', () => {
    for (const other of ['mcp_servers = { }', '[mcp_servers]\nx.y = 1', 'mcp_servers.x.url = "z"'])
      expect(tomlMerged(other, shown)).toBeNull();
  });
});

it('Gemini CLI and Qwen Code are configured by httpUrl', () => {
  for (const name of ['gemini', 'qwen'] as const) {
    const { shown, projectFile, userFile } = client(name);
    expect(shown).toEqual({ mcpServers: { signalbox: { httpUrl: where().mcp, headers } } });
    expect([projectFile, userFile]).toEqual([`.${name}/settings.json`, `/home/ann/.${name}/settings.json`]);
  }
});

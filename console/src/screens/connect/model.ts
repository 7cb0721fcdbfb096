import type { Event } from '../../../../contracts/outbound/events.ts';
import type { Preset } from '../keys/model.ts';

export interface Connection {
  name: string;
  title: string;
  format: 'json' | 'toml' | 'sh' | 'ts';
  text: string;
  file?: string;
  user_file?: string;
  command?: string;
  after: string;
}

export interface Described {
  key_placeholder: string;
  clients: Connection[];
  profiles: { name: string; tools: number; tokens: number }[];
  presets: Preset[];
  scopes: string[];
}

/** The text with a key in the place of the placeholder. */
export const keyed = (text: string, placeholder: string, secret: string | null): string =>
  secret === null ? text : text.replaceAll(placeholder, () => secret);

/** `X-Agent-Id`, as the server takes it. */
export const isAgentId = (text: string): boolean => text === '' || /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/.test(text);

export interface FirstCall {
  at: string;
  tool: string;
  by: string;
  front: string;
  code: string | null;
}

export interface Connected {
  /** When a key was used first; null: not yet. */
  at: string | null;
  calls: FirstCall[];
}

const textIn = (data: Event['data'], name: string): string => (typeof data[name] === 'string' ? data[name] : '');

/** What the events say about a key's first use, oldest first, whatever their order. */
export function connectedBy(events: readonly Event[], keyId: string): Connected {
  const own = events.filter(({ subject }) => subject === keyId).toSorted((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at));
  const calls = own
    .filter(({ type }) => type === 'key.called')
    .map(({ occurred_at: at, data }) => ({
      n: Number(data['n']),
      at,
      tool: textIn(data, 'tool'),
      by: textIn(data, 'by'),
      front: textIn(data, 'front'),
      code: textIn(data, 'code') || null,
    }))
    .toSorted((a, b) => a.n - b.n)
    .map(({ n: _n, ...call }) => call);
  return { at: own.find(({ type }) => type === 'key.used_first')?.occurred_at ?? calls[0]?.at ?? null, calls };
}

/** What goes wrong, how it shows, and the setting that mends it. */
export const troubles: readonly (readonly [shows: string, means: string, mend: string])[] = [
  [
    '403: Host "…" is not served here',
    'The client uses a host name that the server does not allow.',
    'Add the name to MCP_ALLOWED_HOSTS and start the server again.',
  ],
  [
    '403: Origin "…" may not call this server',
    'A browser page from another origin calls the server.',
    'Add the origin, e.g. https://app.example.com, to MCP_ALLOWED_ORIGINS.',
  ],
  [
    '401: Invalid API key',
    'The key is wrong, has expired or was revoked, or the header is missing.',
    'Send it as X-API-Key or as Authorization: Bearer. `signalbox keys ls` and the screen Keys show which are valid.',
  ],
  ['429: too many failed authentications', 'Too many wrong keys came from this address.', 'Correct the key and wait a minute.'],
  [
    'Connection refused',
    'No server listens at this address, or it accepts local connections only.',
    'MCP_SERVER_HOST and MCP_SERVER_PORT say where it listens; `signalbox status` shows it.',
  ],
  [
    'The client is connected, but lists no tools',
    'The key’s scopes or the profile allow no tool.',
    'Choose another profile above, or create a key with other scopes.',
  ],
];

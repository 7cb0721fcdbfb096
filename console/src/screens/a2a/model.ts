import type { A2aState } from '../../../../contracts/agents/a2a.ts';
import type { AspectName } from '../../ui/Aspect.tsx';
import { counted } from '../../ui/words.ts';

/** The part of an agent card that is shown; both versions of the protocol. */
export interface Card {
  name?: string;
  description?: string;
  version?: string;
  protocolVersion?: string;
  url?: string;
  preferredTransport?: string;
  supportedInterfaces?: { url: string; protocolBinding: string; protocolVersion: string }[];
  additionalInterfaces?: { url: string; transport: string }[];
  capabilities?: Record<string, unknown>;
  securitySchemes?: Record<string, unknown>;
  defaultInputModes?: string[];
  defaultOutputModes?: string[];
  skills?: Skill[];
}

export interface Skill {
  id: string;
  name: string;
  description: string;
  tags?: string[];
  examples?: string[];
}

export const versions = ['1.0', '0.3'] as const;
export type Version = (typeof versions)[number];

export interface Check {
  good: boolean;
  text: string;
}

/** What a peer needs of a card, and whether it is there. @param origin where this console is served */
export function checksOf(card: Card, version: Version, origin: string): Check[] {
  const { name, description, version: own, skills = [], defaultInputModes = [], defaultOutputModes = [] } = card;
  const places =
    version === '1.0'
      ? (card.supportedInterfaces ?? []).filter(({ protocolVersion }) => protocolVersion === version).map(({ url }) => url)
      : [card.url, ...(card.additionalInterfaces ?? []).map(({ url }) => url)].filter((url) => url !== undefined);
  const ids = skills.map(({ id }) => id);
  const elsewhere = [...new Set(places.map((url) => URL.parse(url)?.origin ?? url))].filter((one) => one !== origin);
  return [
    { good: Boolean(name && description && own), text: 'It has a name, a description and a version.' },
    { good: places.length > 0, text: `It names ${counted(places.length, 'address', 'addresses')} for version ${version}.` },
    { good: places.every(isSafe), text: 'Its addresses use TLS or are on this machine.' },
    {
      good: elsewhere.length === 0,
      text:
        elsewhere.length === 0
          ? 'Its addresses belong to this server.'
          : `Its addresses are at ${elsewhere.join(', ')}: A2A_ENDPOINT_URL sets that.`,
    },
    { good: skills.length > 0, text: `It has ${counted(skills.length, 'skill')}.` },
    { good: new Set(ids).size === ids.length, text: 'No two skills have the same id.' },
    {
      good: skills.every((skill) => Boolean(skill.name && skill.description && skill.tags?.length)),
      text: 'Each skill has a name, a description and tags.',
    },
    { good: defaultInputModes.length > 0 && defaultOutputModes.length > 0, text: 'It says which media types it takes and gives.' },
  ];
}

function isSafe(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || /^(127\.|localhost$|\[::1\]$)|\.localhost$/.test(url.hostname));
}

const ended: readonly string[] = ['completed', 'failed', 'canceled', 'rejected'];
export const isOver = (state: A2aState): boolean => ended.includes(state);

export const aspectOf = (state: A2aState): AspectName =>
  state === 'completed'
    ? 'clear'
    : state === 'failed' || state === 'rejected'
      ? 'stop'
      : state === 'canceled'
        ? 'out'
        : state === 'working'
          ? 'held'
          : 'caution';

/** What is sent, or why not. */
export function messageOf(text: string, skill: string, json: string): { args: Record<string, unknown> } | { fault: string } {
  if (text.trim() === '' && skill === '') return { fault: 'Write something, or choose a skill.' };
  if (skill === '') return { args: { text: text.trim() } };
  try {
    const value: unknown = json.trim() === '' ? {} : JSON.parse(json);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return { fault: 'The arguments are a JSON object.' };
    return { args: { ...(text.trim() === '' ? {} : { text: text.trim() }), skill, arguments: value } };
  } catch (error) {
    return { fault: `The arguments are not valid JSON: ${(error as Error).message}` };
  }
}

import { describe, expect, it } from 'vitest';
import { a2aStates } from '../../../../contracts/agents/a2a.ts';
import { aspectOf, checksOf, messageOf, type Card } from './model.ts';

const origin = 'http://127.0.0.1:8080';
const card: Card = {
  name: 'Signalbox',
  description: 'd',
  version: '2',
  supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  skills: [{ id: 'a', name: 'A', description: 'a', tags: ['t'] }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
};
const bad = (given: Card, version: '1.0' | '0.3' = '1.0') =>
  checksOf(given, version, origin)
    .filter(({ good }) => !good)
    .map(({ text }) => text);

describe('the checks of a card', () => {
  it('find nothing where nothing is wrong', () => {
    expect(bad(card)).toEqual([]);
  });

  it('find what a peer would miss', () => {
    expect(bad(card, '0.3')).toEqual(['It names 0 addresses for version 0.3.']);
    expect(bad({ ...card, skills: [...card.skills!, { id: 'a', name: 'B', description: 'b' }] })).toEqual([
      'No two skills have the same id.',
      'Each skill has a name, a description and tags.',
    ]);
    const far = { ...card, supportedInterfaces: [{ url: 'http://example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] };
    expect(bad(far)).toEqual([
      'Its addresses use TLS or are on this machine.',
      'Its addresses are at http://example.com: A2A_ENDPOINT_URL sets that.',
    ]);
  });
});

it('a message has words, or a skill with arguments that can be read', () => {
  expect(messageOf(' ', '', '')).toHaveProperty('fault');
  expect(messageOf('hello', '', '')).toEqual({ args: { text: 'hello' } });
  expect(messageOf('', 'work', '{"description":"x"}')).toEqual({ args: { skill: 'work', arguments: { description: 'x' } } });
  expect(messageOf('', 'work', '[1]')).toHaveProperty('fault');
  expect(messageOf('', 'work', '{')).toHaveProperty('fault');
});

it('each state has its aspect', () => {
  expect(a2aStates.map(aspectOf)).toEqual(['caution', 'held', 'caution', 'caution', 'clear', 'stop', 'out', 'stop']);
});

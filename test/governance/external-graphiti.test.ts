/** Graphiti's names, handed on to a server that speaks Graphiti's tools. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { openUpstream, text, type FixtureTool, type Upstream } from '../setup/mcp.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

interface Kept {
  uuid: string;
  group_id: string;
  name: string;
}

let stack: TestStack;
let graphiti: Upstream;
let alice: Caller;
let bob: Caller;
const episodes: Kept[] = [];

const fields = (...names: string[]): FixtureTool['inputSchema'] => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});
const offered: FixtureTool[] = [
  { name: 'add_memory', inputSchema: fields('name', 'episode_body', 'group_id', 'source', 'source_description', 'uuid') },
  { name: 'search_nodes', inputSchema: fields('query', 'group_ids', 'max_nodes', 'entity_types') },
  { name: 'search_memory_facts', inputSchema: fields('query', 'group_ids', 'max_facts', 'center_node_uuid') },
  { name: 'get_episodes', inputSchema: fields('group_ids', 'max_episodes') },
  { name: 'delete_episode', inputSchema: fields('uuid') },
  { name: 'clear_graph', inputSchema: fields('group_ids') },
];

beforeAll(async () => {
  graphiti = await openUpstream('2025', {
    tools: offered,
    answer({ name, args }) {
      const groups = (args['group_ids'] ?? []) as string[];
      const mine = episodes.filter((each) => groups.includes(each.group_id));
      if (name === 'add_memory') {
        episodes.push({ uuid: `u${episodes.length + 1}`, group_id: args['group_id'], name: args['name'] });
        return text(`Episode '${args['name']}' queued`);
      }
      if (name === 'delete_episode')
        episodes.splice(
          episodes.findIndex(({ uuid }) => uuid === args['uuid']),
          1,
        );
      if (name === 'clear_graph') for (const each of mine) episodes.splice(episodes.indexOf(each), 1);
      return { content: [{ type: 'text', text: JSON.stringify({ episodes: mine }) }], structuredContent: { episodes: mine } };
    },
  });
  stack = await testStack({ workers: false, model: false, env: { GRAPHITI_MCP_URL: graphiti.url } });
  alice = await stack.caller({ tenant: 'alice', kind: 'human' });
  bob = await stack.caller({ tenant: 'bob', kind: 'human' });
});
afterAll(async () => {
  await stack.stop();
  await graphiti.stop();
});

it('each tenant is its own group, whatever it says', async () => {
  const added = await stack.call(alice, 'add_memory', { name: 'one', episode_body: 'x', group_id: 'bob' });
  expect([added.error, added.text]).toEqual([undefined, "Episode 'one' queued"]);
  await stack.ok(bob, 'graphiti_add_episode', { name: 'two', episode_body: 'y' });
  expect(episodes.map(({ group_id, name }) => [group_id, name])).toEqual([
    ['alice', 'one'],
    ['bob', 'two'],
  ]);
  await stack.ok(alice, 'search_nodes', { query: 'q', group_ids: ['bob'], max_nodes: 3 });
  expect(graphiti.calls.at(-1)?.args).toEqual({ query: 'q', group_ids: ['alice'], max_nodes: 3 });
  await stack.ok(alice, 'search_facts', { query: 'q' });
  expect(graphiti.calls.at(-1)).toMatchObject({ name: 'search_memory_facts', args: { query: 'q', group_ids: ['alice'], max_facts: 10 } });
  // Our own names stay with our own graph.
  expect(stack.pipeline.catalogue.find('graph.episode.add')?.tool.external).toBe(false);
  expect(stack.pipeline.catalogue.find('add_memory')?.tool.name).toBe('graph.graphiti.add_memory');
});

it("another tenant's episode is not deleted", async () => {
  const stolen = await stack.services.external.graphiti!.call(bob, 'delete_episode', { uuid: 'u1' }).catch((error: unknown) => error);
  expect(stolen).toMatchObject({ code: 'NOT_FOUND' });
  expect(episodes).toHaveLength(2);
  await stack.services.external.graphiti!.call(alice, 'delete_episode', { uuid: 'u1' });
  expect(episodes.map(({ uuid }) => uuid)).toEqual(['u2']);
});

it("clearing asks a person, and clears the tenant's group alone; where the server takes no group it is refused", async () => {
  const { tool } = stack.pipeline.catalogue.find('clear_graph')!;
  expect(tool).toMatchObject({ name: 'graph.graphiti.clear_graph', approval: 'A2', effect: 'destructive', scopes: ['graph:admin'] });
  await stack.services.external.graphiti!.call(alice, 'add_memory', { name: 'three', episode_body: 'z' });
  await stack.services.external.graphiti!.call(alice, 'clear_graph', { group_ids: ['bob'] });
  expect(episodes.map(({ group_id }) => group_id)).toEqual(['bob']);
  const careless = await openUpstream('2025', {
    tools: [
      { name: 'clear_graph', inputSchema: fields() },
      { name: 'delete_episode', inputSchema: fields('uuid') },
    ],
  });
  const other = await testStack({ workers: false, model: false, env: { GRAPHITI_MCP_URL: careless.url } });
  try {
    const caller = await other.caller({ kind: 'human' });
    for (const [name, args] of [
      ['clear_graph', {}],
      ['delete_episode', { uuid: 'u2' }],
    ] as const) {
      await expect(other.services.external.graphiti!.call(caller, name, args)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        details: { reason: 'no_group' },
      });
    }
    await expect(other.services.external.graphiti!.call(caller, 'search_nodes', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(careless.calls).toHaveLength(0);
  } finally {
    await other.stop();
    await careless.stop();
  }
});

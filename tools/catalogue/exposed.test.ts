import { expect, it } from 'vitest';
import { graphitiTools } from '../../contracts/graph/episodes.ts';
import { readConfig } from '../../platform/config.ts';
import { Catalogue } from './catalogue.ts';
import { exposedTools } from './exposed.ts';
import { tools } from '../index.ts';

const known = (env: Record<string, string>): string[] => {
  const catalogue = new Catalogue(exposedTools(tools, readConfig(env)));
  return graphitiTools.filter((name) => {
    const found = [name, `graphiti_${name}`].map((spelling) => catalogue.find(spelling)?.tool.name);
    expect(found[0]).toBe(found[1]);
    return found[0] !== undefined;
  });
};

it("Graphiti's names are answered to, all, some or none; the tools keep their own", () => {
  expect(known({})).toEqual(graphitiTools);
  expect(known({ MCP_GRAPHITI_TOOLS: 'add_episode, search_nodes' })).toEqual(['add_episode', 'search_nodes']);
  expect(known({ MCP_WRAP_GRAPHITI: 'false' })).toEqual([]);
  expect(() => readConfig({ MCP_GRAPHITI_TOOLS: 'add_everything' })).toThrow(/MCP_GRAPHITI_TOOLS: some of add_memory/);
  const none = new Catalogue(exposedTools(tools, readConfig({ MCP_WRAP_GRAPHITI: 'false' })));
  expect(none.find('graph.episode.add')).toBeDefined();
  expect(none.find('vector_search')).toBeDefined();
  expect(none.tools.length).toBe(tools.length);
});

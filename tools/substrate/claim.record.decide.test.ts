import { describe, expect, it } from 'vitest';
import { localCaller, type Caller } from '../../contracts/caller.ts';
import { judge } from '../catalogue/policy.ts';
import schemaRegister from './schema.definition.register.ts';
import pointerAdvance from './substrate.pointer.advance.ts';
import recordDecide from './claim.record.decide.ts';

const agent: Caller = { ...localCaller, principal: 'builder', principalKind: 'agent', role: 'agent' };

describe('what the platform keeps for good', () => {
  it('is decided by people alone, and by agents with a person', () => {
    for (const tool of [recordDecide, pointerAdvance, schemaRegister]) {
      expect(judge(tool, localCaller, 'mcp').effect, tool.name).toBe('allow');
      expect(judge(tool, agent, 'mcp').effect, tool.name).toBe('ask');
    }
  });
});

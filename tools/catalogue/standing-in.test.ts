import { describe, expect, it } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import type { ToolContext } from './define.ts';
import { Catalogue } from './catalogue.ts';
import { tools } from '../index.ts';
import { calledFor } from './standing-in.ts';

const catalogue = new Catalogue(tools);
const called = (args: unknown, name = 'system.tool.call') => {
  const { name: inner, arguments: given } = calledFor(catalogue, { name, arguments: args });
  return [inner, given];
};

describe('a call of system.tool.call', () => {
  it('is the inner call, by any spelling of either', () => {
    for (const name of ['system.tool.call', 'system-tool-call', 'system_tool_call']) {
      expect(called({ name: 'work-task-list', arguments: { limit: 3 } }, name)).toEqual(['work-task-list', { limit: 3 }]);
    }
    expect(called({ name: 'get_tasks' })).toEqual(['get_tasks', {}]);
    expect(called({ name: 'external.a.b', arguments: {} })).toEqual(['external.a.b', {}]);
    expect(called({ name: 'get_tasks', arguments: '{"limit": 3}' })).toEqual(['get_tasks', { limit: 3 }]);
    // The name as a client shows it to its model.
    for (const name of [
      'mcp__signalbox__work-task-list',
      'mcp_signalbox_work-task-list',
      'signalbox_work-task-list',
      'signalbox-work-task-list',
    ]) {
      expect(called({ name })).toEqual(['work-task-list', {}]);
    }
  });

  it('of itself or of nothing stays what it is, and is refused', async () => {
    const nested = { name: 'system-tool-call', arguments: { name: 'work.task.list' } };
    for (const args of [nested, { name: 'mcp__signalbox__system-tool-call' }, {}, { name: 7 }, 'text', null, { name: 'x', args: {} }]) {
      expect(called(args)).toEqual(['system.tool.call', args]);
    }
    const { tool } = catalogue.named('system.tool.call');
    await expect(tool.handler(nested, {} as ToolContext)).rejects.toThrow(AppError);
  });

  it('leaves every other call alone', () => {
    const call = { name: 'work.task.list', arguments: { name: 'x', arguments: {} } };
    expect(calledFor(catalogue, call)).toBe(call);
  });
});

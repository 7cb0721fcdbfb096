import { expect, it } from 'vitest';
import { derivedId, newCallId, newId } from '../../../contracts/ids.ts';
import { tools } from '../../index.ts';
import { toolsOfIds, withoutIds } from './record-ids.ts';

const textOf = (given: string): string => withoutIds(given).text;

it('names the record of an id, also of one that is cut off or shortened', () => {
  expect(textOf(`is ${newId('job')} done?`)).toBe('is job done?');
  expect(textOf(`approve ${derivedId('apr', 'x')} and job_01jd3f8k2m`)).toBe('approve approval and job');
  expect(textOf('why did wrun_7k2 stop, and is task_4f done')).toBe('why did run of a coding agent stop, and is task done');
  expect(textOf(`why did ${newCallId()} fail`)).toBe('why did call fail');
});

it('asks to look at the record where there is only an id', () => {
  expect(textOf(newId('task'))).toBe('look at one task');
  expect(textOf(`sha256:${'0af3'.repeat(16)}`)).toBe('look at one stored artifact');
});

it('leaves names of tools, fields and unknown ids', () => {
  for (const text of ['claim_task', 'task_list', 'get_kanban_board', 'memory_2', 'a plain sentence', 'task', 'zzz_01jd3f8k2m9x4v7qn5ra']) {
    expect(textOf(text)).toBe(text);
  }
});

it('names the tool for a text that is only an id', () => {
  expect(withoutIds(` ${newId('task')} `).tool).toBe('work.task.get');
  expect(withoutIds(newId('a2a')).tool).toBe('agent.a2a.get');
  expect(withoutIds(newCallId()).tool).toBe('system.call.get');
  expect(withoutIds('0af3'.repeat(16)).tool).toBe('substrate.artifact.get');
  for (const text of [`approve ${newId('apr')}`, newId('plan'), 'work.task.get', 'task', '']) expect(withoutIds(text).tool).toBeUndefined();
});

it('names tools that exist', () => {
  const names = new Set(tools.map(({ name }) => name));
  expect(toolsOfIds().filter((name) => !names.has(name))).toEqual([]);
});

import { expect, it } from 'vitest';
import { derivedId, newCallId, newId } from '../../../contracts/ids.ts';
import { withoutIds } from './record-ids.ts';

it('names the record of an id, also of one that is cut off or shortened', () => {
  expect(withoutIds(`is ${newId('job')} done?`)).toBe('is job done?');
  expect(withoutIds(`approve ${derivedId('apr', 'x')} and job_01jd3f8k2m`)).toBe('approve approval and job');
  expect(withoutIds('why did wrun_7k2 stop, and is task_4f done')).toBe('why did run of a coding agent stop, and is task done');
  expect(withoutIds(`why did ${newCallId()} fail`)).toBe('why did call fail');
});

it('asks to look at the record where there is only an id', () => {
  expect(withoutIds(newId('task'))).toBe('look at one task');
  expect(withoutIds(`sha256:${'0af3'.repeat(16)}`)).toBe('look at one stored artifact');
});

it('leaves names of tools, fields and unknown ids', () => {
  for (const text of ['claim_task', 'task_list', 'get_kanban_board', 'memory_2', 'a plain sentence', 'task', 'zzz_01jd3f8k2m9x4v7qn5ra']) {
    expect(withoutIds(text)).toBe(text);
  }
});

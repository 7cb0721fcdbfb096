import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlOf, mcpOf, rowsOf } from './model.ts';

const domains = [
  { domain: 'work', tools: [{ name: 'work.task.claim', title: 'Claim', effect: 'write', approval: 'A0', aliases: ['claim_task'] }] },
  { domain: 'external', tools: [{ name: 'external.files.read', title: 'Read', effect: 'read', approval: 'A1', aliases: [] }] },
];
const may = (tool: string) => (tool === 'work.task.claim' ? 'ask' : 'deny');

describe('the rows', () => {
  it('are the list, or what was found in its order', () => {
    expect(rowsOf(domains, null, { domain: '', effect: '' }, may).map(({ name, may: own }) => [name, own])).toEqual([
      ['work.task.claim', 'ask'],
      ['external.files.read', 'allow'],
    ]);
    const found = [
      { name: 'external.files.read', title: 'Read', description: '', effect: 'read', score: 0.9 },
      { name: 'work.task.claim', title: 'Claim', description: '', effect: 'write', score: 0.4 },
    ];
    expect(rowsOf(domains, found, { domain: '', effect: '' }, may).map(({ score, approval }) => [score, approval])).toEqual([
      [0.9, 'A1'],
      [0.4, 'A0'],
    ]);
  });

  it('are filtered by domain and effect', () => {
    expect(rowsOf(domains, null, { domain: 'work', effect: '' }, may)).toHaveLength(1);
    expect(rowsOf(domains, null, { domain: 'work', effect: 'read' }, may)).toEqual([]);
  });
});

it('a call as curl gives a shell the same arguments', () => {
  const args = { text: `it's "so" $HOME \`x\` \\ and\nmore` };
  const command = curlOf('http://127.0.0.1:1', 'work.task.create', args).replace(/^curl -s/, 'printf "%s\\n"');
  const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  expect(words).toContain(JSON.stringify(args));
  expect(mcpOf('work.task.create', args)).toMatchObject({ params: { name: 'work-task-create', arguments: args } });
});

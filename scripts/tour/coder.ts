/**
 * A coding agent without a model: knows two tasks by heart, as a program that `signalbox work` starts. It commits its work, and has a key for
 * its run, with which it may comment on the task but not end it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connectAgent } from './agent.ts';
import { boats, timetable } from './ferry.ts';

const prompt = readFileSync(process.argv[2]!, 'utf8');
const id = /task_[0-9a-z]+/.exec(prompt)![0];
// Later sections quote the results of other tasks.
const task = prompt.split('\n## ')[0]!;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const file = task.includes(timetable.file) ? timetable : boats;
writeFileSync(file.file, file === boats ? boats.content : timetable.from(readFileSync(boats.file, 'utf8')));
execFileSync('git', ['add', file.file]);
execFileSync('git', ['-c', 'user.name=Coder', '-c', 'user.email=coder@localhost', 'commit', '--quiet', '--message', `Write ${file.file}`]);

const { SIGNALBOX_MCP_URL: url = '', SIGNALBOX_MCP_HEADERS: headers = '{}' } = process.env;
const key = (JSON.parse(headers) as Record<string, string>)['X-API-Key'];
const own = await connectAgent({ url: url.replace(/\/mcp$/, ''), key, runtime: null }, 'coder', key);
await own.ok('work.task.comment', { task_id: id, body: `${file.file} is written.` });
const refused = await own.call('work.task.complete', { task_id: id, result: 'I say so.' });
await own.close();
say(`I tried to complete the task myself: ${refused.error?.code ?? 'accepted'}.`);
say(`${file.file} is written and committed.`);
say('DONE');

/**
 * A scripted coding agent: works for some seconds, writes a file of its own, and adds a line to a file that it shares with others, so that
 * merges conflict. Started by `signalbox work`:
 *   node chaos/coder.ts PROMPT LOG
 * The task says: TASK n, SECONDS s, SHARED file. It tells the log how long it has worked.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const [promptFile = '', log = ''] = process.argv.slice(2);
const began = performance.now();
const prompt = readFileSync(promptFile, 'utf8');
const [, name = '', seconds = '0', shared = ''] = /TASK (\S+) SECONDS (\S+) SHARED (\S+)/.exec(prompt) ?? [];
const conflict = prompt.includes('have conflict markers');

process.stdout.write(`Reading the task ${name}\n`);
const until = performance.now() + Number(seconds) * (conflict ? 200 : 1_000);
while (performance.now() < until) {
  await new Promise((done) => setTimeout(done, 200));
  process.stdout.write(`${name}: at it\n`);
}
const line = `line of ${name}`;
const lines = existsSync(shared)
  ? readFileSync(shared, 'utf8')
      .split('\n')
      .filter((each) => each !== '' && !/^(?:<<<<<<<|=======|>>>>>>>)/.test(each))
  : [];
writeFileSync(shared, `${[...new Set([...lines, line])].join('\n')}\n`);
writeFileSync(`${name}.txt`, `${name}\n`);
appendFileSync(log, `${JSON.stringify({ task: name, ms: Math.round(performance.now() - began) })}\n`);
process.stdout.write('Written.\nDONE\n');

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildProgram } from './program.ts';
import { tools } from '../tools/index.ts';

/** Commands that the console tells people to run, as they stand in the sources; what is put in at run time is `x`. */
const hints = globSync('console/src/**/*.{ts,tsx}')
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(["'`>])npx signalbox (.*?)(?:\1|<\/code>)/g)].map(([, , command]) => ({
      file,
      command: command!.replaceAll(/\$?\{[a-z]+\.[a-z]+\}/g, 'x'),
    })),
  );

const words = (command: string): string[] => [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!);

test.each(hints)('$file: npx signalbox $command', async ({ command }) => {
  const program = buildProgram();
  let ran: string[] | null = null;
  const quiet = (each: ReturnType<typeof buildProgram>): void => {
    each.configureOutput({ writeErr: () => {} });
    // `work` is a command and a group.
    if (each.commands.length === 0 || each.name() === 'work') each.action(() => void (ran = each.args));
    for (const inner of each.commands) quiet(inner);
  };
  quiet(program);
  const given = words(command.replace(/^connect x/, 'connect claude-code'));
  await program.parseAsync(given, { from: 'user' });
  expect(ran).not.toBeNull();
  if (given[0] !== 'tools') return;
  const tool = tools.find(({ name }) => name === given[2]);
  expect(tool, given[2]).toBeDefined();
  if (given[1] === 'call') expect(tool!.input.safeParse(JSON.parse(given[3] ?? '{}')).error).toBeUndefined();
});

test('there are such commands', () => expect(hints.length).toBeGreaterThan(20));

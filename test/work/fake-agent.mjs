/** A coding agent for tests: does what the lines of its task that begin with "! " say, in order. */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { dirname, basename } from 'node:path';

const prompt = readFileSync(process.argv[2], 'utf8');
const task = prompt.split('\n## ')[0];
const rest = prompt.slice(task.length);
const say = (text) => writeFileSync(1, `${text}\n`);
const git = (...args) => spawnSync('git', ['-c', 'user.name=Agent', '-c', 'user.email=agent@example.com', ...args], { encoding: 'utf8' });

const does = {
  write: ([file, ...text]) => writeFileSync(file, `${text.join(' ')}\n`),
  append: ([file, ...text]) => appendFileSync(file, `${text.join(' ')}\n`),
  commit: (words) => (git('add', '--all'), git('commit', '-q', '-m', words.join(' '))),
  say: (words) => say(words.join(' ')),
  prompt: ([file]) => appendFileSync(file, `${prompt}\n=====\n`),
  exit: ([code]) => process.exit(Number(code)),
  die: () => process.kill(process.pid, 'SIGKILL'),
  deaf: () => process.on('SIGTERM', () => {}),
  // Waits without output and without CPU time until the file is there.
  wait: async ([file]) => {
    while (!existsSync(file)) {
      await new Promise((done) => {
        const watcher = watch(dirname(file), (_, name) => name === basename(file) && done(watcher.close()));
        if (existsSync(file)) done(watcher.close());
      });
    }
  },
  flood: ([megabytes]) => {
    const line = `${'x'.repeat(199)}\n`.repeat(5_000);
    for (let n = 0; n < Number(megabytes); n += 1) writeFileSync(1, line);
  },
  // A child in a session of its own, which does not hear TERM.
  detach: ([file]) => {
    const child = spawn('setsid', ['sh', '-c', `trap '' TERM; echo $$ >${file}; while :; do sleep 1; done`], {
      detached: true,
      stdio: 'ignore',
    });
    child.unref();
    return does.wait([file]);
  },
  // Knows no session that it could continue.
  forgetful: () => {
    if (!process.env.SIGNALBOX_SESSION) return;
    writeFileSync(2, 'No such session\n');
    process.exit(1);
  },
  // The next line only if the prompt says this besides the task, or only if it does not.
  if: (words) => (rest.includes(words.join(' ')) ? null : 'skip'),
  unless: (words) => (rest.includes(words.join(' ')) ? 'skip' : null),
};

const lines = task.split('\n').filter((each) => each.startsWith('! '));
for (let at = 0; at < lines.length; at += 1) {
  const [verb, ...words] = lines[at].slice(2).split(' ');
  if ((await does[verb](words)) === 'skip') at += 1;
}

import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Ends the process groups of our children when we cannot: it reads their ids from a pipe that closes when we end in any
 * way. It is a `sh`, which needs one megabyte; Node needs fifty.
 */
const script = `
groups=' '
while read -r op pid; do
  case $op in
    +) groups="$groups$pid " ;;
    -) groups=$(printf '%s' "$groups" | sed "s/ $pid / /") ;;
  esac
done
for pid in $groups; do kill -s TERM -- "-$pid" 2>/dev/null; done
[ "$groups" = ' ' ] || sleep 1
for pid in $groups; do kill -s KILL -- "-$pid" 2>/dev/null; done
`;

export interface Reaper {
  watch(pid: number): void;
  forget(pid: number): void;
  close(): void;
}

export function createReaper(): Reaper {
  let child: ChildProcess | null = null;
  const watched = new Set<number>();

  function tell(line: string): void {
    if (!child) {
      // A separate group: a signal to ours must not end it before its work is done.
      const made = spawn('/bin/sh', ['-c', script, 'signalbox-reaper'], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
      child = made;
      made.on('error', () => {});
      made.once('exit', () => child === made && (child = null));
      made.stdin?.on('error', () => {});
      made.unref();
      (made.stdin as unknown as { unref?: () => void } | null)?.unref?.();
      for (const pid of watched) made.stdin?.write(`+ ${pid}\n`);
      if (line.startsWith('+')) return;
    }
    child.stdin?.write(`${line}\n`);
  }

  return {
    watch(pid) {
      watched.add(pid);
      tell(`+ ${pid}`);
    },
    forget(pid) {
      if (watched.delete(pid) && child) tell(`- ${pid}`);
    },
    close() {
      child?.stdin?.end();
      child = null;
    },
  };
}

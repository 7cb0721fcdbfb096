/** Writes and removes skills and subagents. What a person has changed stays, unless it is asked for. */
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError, exits } from './exit.ts';
import { note, say } from './output.ts';
import { isUntouched, type SkillFile } from './skills.ts';

/** `changed`: by a person, or never ours. `outdated`: as another version of this program wrote it. */
type Standing = 'missing' | 'current' | 'outdated' | 'changed';
/** What became of it; `kept`: it is changed, and `force` was not given. */
export type SkillState = Standing | 'written' | 'removed' | 'kept';

export interface SkillOutcome {
  kind: SkillFile['kind'];
  name: string;
  path: string;
  state: SkillState;
}

/** @throws CliError when a file can be neither read nor written */
export const applySkills = (files: readonly SkillFile[], what: 'show' | 'write' | 'remove', force = false): SkillOutcome[] =>
  files.map((file) => {
    const { kind, name, path } = file;
    try {
      return { kind, name, path, state: apply(file, what, force) };
    } catch (error) {
      throw new CliError(exits.failed, 'INTERNAL', `Cannot ${what === 'show' ? 'read' : what} ${path}: ${(error as Error).message}`);
    }
  });

function apply(file: SkillFile, what: 'show' | 'write' | 'remove', force: boolean): SkillState {
  const standing = standingOf(file);
  if (what === 'show' || standing === (what === 'write' ? 'current' : 'missing')) return standing;
  if (standing === 'changed' && !force) return 'kept';
  if (what === 'write') {
    write(file);
    return 'written';
  }
  rmSync(file.path, { force: true });
  if (file.kind === 'skill') removeEmpty(dirname(file.path));
  return 'removed';
}

function standingOf({ path, content }: SkillFile): Standing {
  if (!existsSync(path)) return 'missing';
  const there = readFileSync(path, 'utf8');
  // Git may change line ends.
  if (there.replaceAll('\r\n', '\n') === content) return 'current';
  return isUntouched(there) ? 'outdated' : 'changed';
}

/** Whole or not at all. Follows a symlink (dotfile managers create them), so that the link is kept. */
function write({ path, content }: SkillFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = existsSync(path) ? realpathSync(path) : path;
  const aside = `${file}.${process.pid}.new`;
  try {
    writeFileSync(aside, content);
    renameSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // A person keeps other files there.
  }
}

const done: Partial<Record<SkillState, string>> = {
  missing: 'would be new',
  outdated: 'would be replaced by a newer one',
  changed: 'is changed, and would stay without --force',
  current: 'is up to date',
  written: 'is written',
  removed: 'is removed',
};

/** One line for each file. What stays because a person has changed it goes to stderr. */
export function tellSkills(outcomes: readonly SkillOutcome[], removing: boolean): void {
  for (const { kind, name, path, state } of outcomes) {
    const what = `${kind === 'skill' ? 'Skill' : 'Subagent'} ${name}`;
    if (state === 'kept') note(`${what} has been changed, and stays: ${path} (--force ${removing ? 'removes' : 'replaces'} it)`);
    else say(`${what} ${removing && state === 'missing' ? 'is not there' : done[state]}: ${path}`);
  }
}

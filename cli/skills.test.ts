import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { statuses } from '../contracts/envelope.ts';
import { Catalogue } from '../tools/catalogue/catalogue.ts';
import { tools } from '../tools/index.ts';
import { clients } from '../tools/system/clients.shared.ts';
import { connectCommand } from './connect.ts';
import { applySkills } from './skill-files.ts';
import { isUntouched, skillClients, skillFiles, type SkillFile } from './skills.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skills-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

const paths = (files: readonly SkillFile[]): string[] => files.map(({ path }) => relative(root, path));
const states = (files: readonly SkillFile[], ...how: ['show' | 'write' | 'remove', boolean?]): string[] =>
  applySkills(files, ...how).map(({ state }) => state);

/** Front matter and text of a Markdown file, or the table of a TOML file. */
function parsed({ path, content }: SkillFile): Record<string, unknown> & { body: string } {
  if (path.endsWith('.md')) {
    const [, head, body] = /^---\n([\s\S]*?)\n---\n\n([\s\S]+)$/.exec(content) ?? [];
    return { ...(parse(head!) as object), body: body! };
  }
  // The whole of the form that is written: a comment, two basic strings, one literal string of many lines.
  const [, name, description, body] =
    /^# .*\nname = (".*")\ndescription = (".*")\ndeveloper_instructions = '''\n((?:(?!''')[\s\S])+)'''\n$/.exec(content) ?? [];
  expect(body).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
  return { name: JSON.parse(name!) as string, description: JSON.parse(description!) as string, body: body! };
}

describe('skills and subagents', () => {
  it('lie where each client looks for them', () => {
    expect(paths(skillFiles('claude-code', root, false))).toEqual([
      '.claude/skills/signalbox-task/SKILL.md',
      '.claude/skills/signalbox-evidence/SKILL.md',
      '.claude/agents/signalbox-worker.md',
    ]);
    expect(paths(skillFiles('codex', root, true))).toEqual([
      '.agents/skills/signalbox-task/SKILL.md',
      '.agents/skills/signalbox-evidence/SKILL.md',
      '.codex/agents/signalbox_worker.toml',
    ]);
    const [project, user] = [false, true].map((own) => paths(skillFiles('opencode', root, own)));
    expect(project).toEqual([
      '.opencode/skills/signalbox-task/SKILL.md',
      '.opencode/skills/signalbox-evidence/SKILL.md',
      '.opencode/agents/signalbox-worker.md',
    ]);
    expect(user).toEqual(project!.map((path) => path.replace('.opencode', '.config/opencode')));
  });

  it.each(skillClients)('have the form of %s', (client) => {
    for (const file of skillFiles(client, root, false)) {
      const { body, ...fields } = parsed(file);
      const description = fields['description'] as string;
      expect(description.length).toBeGreaterThan(50);
      expect(description.length).toBeLessThanOrEqual(1_024);
      if (file.kind === 'skill') {
        expect(fields).toEqual({ name: file.name, description });
        expect(file.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(dirname(file.path).endsWith(`/${file.name}`)).toBe(true);
      } else if (client === 'opencode') expect(fields).toEqual({ description, mode: 'subagent' });
      else expect(fields).toEqual({ name: file.name, description });
      expect(body).toContain('system-tool-call');
      // What is loaded into a conversation should not crowd it.
      expect(body.length).toBeLessThan(6_000);
    }
  });

  it('say the same to every client, and name only tools and arguments that exist', () => {
    const catalogue = new Catalogue(tools);
    const text = (client: (typeof skillClients)[number]): string[] =>
      skillFiles(client, root, false).map((file) => parsed(file).body.split('\n## Names of tools')[0]!);
    expect(text('codex')).toEqual(text('claude-code'));
    expect(text('opencode')).toEqual(text('claude-code'));
    const words = [
      ...text('claude-code')
        .join('\n')
        .matchAll(/`([a-z][\w-]*)`/g),
    ].map(([, word]) => word!);
    const named = words.filter((word) => word.includes('-')).map((word) => catalogue.named(word));
    expect(named.length).toBeGreaterThan(10);
    const schemas = JSON.stringify(named.map((entry) => catalogue.describe(entry, { outputs: true })));
    const status = JSON.stringify(statuses);
    const unknown = words.filter((word) => !word.includes('-') && !`${schemas}${status}`.includes(`"${word}"`));
    expect(unknown).toEqual([]);
  });
});

describe('writing', () => {
  it('is repeated without a change, replaces what is older, and keeps what a person has changed', () => {
    const files = skillFiles('claude-code', root, false);
    expect(states(files, 'show')).toEqual(['missing', 'missing', 'missing']);
    expect(states(files, 'write')).toEqual(['written', 'written', 'written']);
    expect(states(files, 'write')).toEqual(['current', 'current', 'current']);
    const [first, second, third] = files as [SkillFile, SkillFile, SkillFile];
    // As another version wrote it, whose text was another one.
    writeFileSync(first.path, second.content);
    writeFileSync(second.path, second.content.replace('# Record evidence', '# Record it'));
    writeFileSync(third.path, 'My own agent.\n');
    expect(states(files, 'show')).toEqual(['outdated', 'changed', 'changed']);
    expect(states(files, 'write')).toEqual(['written', 'kept', 'kept']);
    expect(readFileSync(first.path, 'utf8')).toBe(first.content);
    expect(readFileSync(third.path, 'utf8')).toBe('My own agent.\n');
    expect(states(files, 'write', true)).toEqual(['current', 'written', 'written']);
    expect(states(files, 'show')).toEqual(['current', 'current', 'current']);
  });

  it('takes other line ends and a missing last one for no change', () => {
    const [file] = skillFiles('codex', root, false).slice(-1) as [SkillFile];
    expect(isUntouched(file.content.replaceAll('\n', '\r\n'))).toBe(true);
    expect(isUntouched(file.content.trimEnd())).toBe(true);
    expect(isUntouched(file.content.replace('Do not start', 'Start'))).toBe(false);
    expect(isUntouched(file.content.replace(/^# signalbox .*\n/, ''))).toBe(false);
  });

  it('follows a link, and leaves nothing else behind', () => {
    const [file] = skillFiles('claude-code', root, false) as [SkillFile];
    const real = join(root, 'dotfiles.md');
    writeFileSync(real, '');
    mkdirSync(dirname(file.path), { recursive: true });
    symlinkSync(real, file.path);
    expect(states([file], 'write', true)).toEqual(['written']);
    expect(readFileSync(real, 'utf8')).toBe(file.content);
  });

  it('removes what is ours, with its folder, and keeps what is not', () => {
    const files = skillFiles('codex', root, false);
    applySkills(files, 'write');
    const [first, second, third] = files as [SkillFile, SkillFile, SkillFile];
    writeFileSync(join(dirname(first.path), 'notes.md'), 'mine');
    writeFileSync(third.path, `${third.content}# mine\n`);
    expect(states(files, 'remove')).toEqual(['removed', 'removed', 'kept']);
    expect(existsSync(first.path)).toBe(false);
    expect(existsSync(join(dirname(first.path), 'notes.md'))).toBe(true);
    expect(existsSync(dirname(second.path))).toBe(false);
    expect(states(files, 'remove', true)).toEqual(['missing', 'missing', 'removed']);
    expect(states(files, 'remove')).toEqual(['missing', 'missing', 'missing']);
  });
});

describe('the flags of connect', () => {
  const connect = (more: object): void => connectCommand({ client: 'claude-code', json: true, ...more });

  it('refuse what makes no sense', () => {
    expect(() => connect({ remove: true })).toThrow(/--remove is about skills/);
    expect(() => connect({ force: true, write: true })).toThrow(/--force is about skills/);
    expect(() => connect({ skills: true, remove: true, write: true })).toThrow(/Either --write or --remove/);
    for (const client of clients.filter((each) => !(skillClients as readonly string[]).includes(each)))
      expect(() => connect({ client, skills: true })).toThrow(`There are no skills for ${client}`);
  });

  it('remove skills of this folder without a stack', () => {
    vi.spyOn(process, 'cwd').mockReturnValue(root);
    const printed: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    applySkills(skillFiles('claude-code', root, false), 'write');
    connect({ skills: true, remove: true });
    expect(JSON.parse(printed.join(''))).toMatchObject({ client: 'claude-code', skills: [{ state: 'removed' }, {}, { kind: 'agent' }] });
    expect(existsSync(join(root, '.claude', 'agents', 'signalbox-worker.md'))).toBe(false);
  });
});

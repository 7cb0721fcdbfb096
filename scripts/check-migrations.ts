/**
 * Refuses migrations that lock a table for long: with a million rows they stop every api and worker until they end. A statement
 * that must do so all the same says why in a comment right before it: `-- locks: the table has a row per tenant`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Older migrations were applied when tables were small, and never change. */
const since = '20270205000001';

export interface Finding {
  statement: string;
  problem: string;
}

interface Statement {
  /** Lower case, without comments, one space between words; texts are kept in `do` blocks, which execute them. */
  sql: string;
  allowed: boolean;
}

/** Comments, texts and bodies in dollar quotes may contain semicolons. */
const tokens = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[\s\S]/g;

function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = [];
  let text = '';
  let comments = '';
  const end = (): void => {
    const flat = text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
    if (flat !== '') statements.push({ sql: flat, allowed: /--\s*locks:\s*\S.{9,}/i.test(comments) });
    text = comments = '';
  };
  for (const [token] of sql.matchAll(tokens)) {
    if (token === ';') end();
    else if (token.startsWith('--') || token.startsWith('/*')) comments += `${token}\n`;
    else if (token.startsWith('$') && token.length > 1) text += /\bdo\s*$/i.test(text) ? body(token) : "'…'";
    else if (token.startsWith("'")) text += "'…'";
    else text += token;
  }
  end();
  return statements;
}

/** What a `do` block executes: its own statements, and those in texts for `execute`. */
const body = (block: string): string => block.replaceAll(/--[^\n]*/g, ' ').replaceAll("'", ' ');

const name = String.raw`(?:if (?:not )?exists )?(?:only )?(?:public\.)?"?([\w%]+)"?`;
const volatile = /default [^,]*\b(gen_random_uuid|uuidv7|random|clock_timestamp|timeofday|nextval|statement_timestamp)\s*\(/;

/** What a change of an existing table does that takes long under a lock. */
const changes: [RegExp, string][] = [
  [
    /\balter (?:column )?\S+ (?:set data )?type\b/,
    'changes a type: the whole table is written anew. Add a column, fill it in batches, swap.',
  ],
  [volatile, 'adds a column whose default differs by row: the whole table is written anew. Add it without, fill it in batches.'],
  [/\badd (?:column )?.*\bgenerated\b/, 'adds a generated column: the whole table is written anew.'],
  [/\badd (?:column )?\S+ \S*serial\b/, 'adds a serial column: the whole table is written anew.'],
  [
    /\badd (?:column )?(?!constraint)(?:(?!default).)*\bnot null\b(?!.*\bdefault\b)/,
    'adds a column that is not null without a default: rows that exist refuse it.',
  ],
  [
    /\bset not null\b/,
    'sets not null: every row is read under an exclusive lock. Validate a check (… is not null) first, in an earlier migration.',
  ],
  [
    /\bforeign key\b(?!.*\bnot valid\b)|\badd (?:column )?\S+ .*\breferences\b(?!.*\bnot valid\b)/,
    'adds a foreign key at once: both tables are locked while it is checked. Add it not valid, validate it in a later migration.',
  ],
  [
    /\badd (?:constraint \S+ )?check\b(?!.*\bnot valid\b)/,
    'adds a check at once: every row is read under an exclusive lock. Add it not valid, validate it in a later migration.',
  ],
  [
    /\badd (?:constraint \S+ )?(?:unique|primary key|exclude)\b(?!.*\busing index\b)/,
    'builds an index under an exclusive lock. Create the index concurrently, then add the constraint using index.',
  ],
  [/\bset (?:un)?logged\b|\bset tablespace\b/, 'writes the whole table anew.'],
];

/** @returns what a migration does that locks existing tables for long */
export function findingsOf(sql: string): Finding[] {
  const alone = /^\s*--\s*without transaction\b/i.test(sql);
  const made = new Set<string>();
  const checked = new Set<string>();
  const findings: Finding[] = [];
  for (const { sql: statement, allowed } of statementsOf(sql)) {
    const find = (problem: string): void => {
      if (!allowed) findings.push({ statement: statement.slice(0, 120), problem });
    };
    for (const [, table = ''] of statement.matchAll(new RegExp(`\\bcreate (?:unlogged )?table ${name}`, 'g'))) made.add(table);
    for (const found of statement.matchAll(
      new RegExp(`\\bcreate (?:unique )?index (concurrently )?(if not exists )?(?:\\S+ )?on ${name}`, 'g'),
    )) {
      const [, concurrently, unlessThere, table = ''] = found;
      if (concurrently && unlessThere)
        find('takes an index for built that an interrupted attempt left invalid: drop index concurrently if exists, then create it.');
      if (concurrently && !alone) find('creates an index concurrently inside a transaction: begin the file with `-- without transaction`.');
      if (!concurrently && !made.has(table))
        find(
          'creates an index on an existing table: writers wait until it is built. Create it concurrently, in a file of its own that begins with `-- without transaction`.',
        );
    }
    for (const [, table = '', change = ''] of statement.matchAll(new RegExp(`\\balter table ${name} ((?:(?!\\balter table\\b).)*)`, 'g'))) {
      if (/\bvalidate constraint\b/.test(change)) checked.add(table);
      if (made.has(table)) continue;
      for (const part of change.split(/,(?![^(]*\))/)) {
        for (const [pattern, problem] of changes) {
          if (!pattern.test(part)) continue;
          if (problem.startsWith('sets not null') && checked.has(table)) continue;
          find(problem);
          break;
        }
      }
    }
    for (const [, table = ''] of statement.matchAll(new RegExp(`(?:^|[;(] ?|\\bbegin )(?:update|delete from) ${name}`, 'g'))) {
      if (!made.has(table))
        find('changes rows of an existing table: they stay locked until the migration ends. Fill them in batches, by the sweep or a job.');
    }
    if (/^(?:cluster|vacuum full|lock table|reindex (?!.*concurrently)|refresh materialized view (?!concurrently))/.test(statement))
      find('locks the whole table while it works.');
    if (alone && /^(?:alter table|create table|insert|update|delete)/.test(statement))
      find('is in a file without a transaction: a failure would leave half of it. Put it into another migration.');
  }
  return findings;
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '..', 'prisma', 'migrations');
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name < since) continue;
    for (const { statement, problem } of findingsOf(readFileSync(join(folder, entry.name, 'migration.sql'), 'utf8'))) {
      count += 1;
      console.error(`${entry.name}: ${problem}\n    ${statement}`);
    }
  }
  if (count > 0) {
    console.error('docs/adding-a-table.md tells how to change a table that is in use. A statement that must lock says why: `-- locks: …`.');
    process.exitCode = 1;
  }
}

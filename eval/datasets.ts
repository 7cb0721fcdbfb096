/** Public collections with judgements: folders in BEIR's format, and files of multi-hop questions. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Judged } from './metrics.ts';

export interface Passage {
  id: string;
  title?: string;
  text: string;
  /** Queries of a group are ranked within it; '' when there are none. */
  group: string;
  /** Date of the passage, ISO 8601. */
  date?: string;
  /** Of a text whose lines are judged one by one: their ids, in order. */
  lines?: readonly string[];
}

export interface Query {
  id: string;
  text: string;
  group: string;
  judged: Judged;
  /** The question's category, if given. */
  category?: string;
}

export interface Collection {
  name: string;
  passages: Passage[];
  /** Those with at least one relevant passage. */
  queries: Query[];
}

type Line = Record<string, unknown>;

/**
 * Reads `corpus.jsonl`, `queries.jsonl` and `qrels*.tsv` or `qrels/*.tsv`, each also as `.gz`. Ids may hold spaces. If the corpus has a field
 * `app`, a query is ranked within its app.
 * @param split which of `qrels/*.tsv`; default: test, else the only one
 * @throws Error naming what is missing or cannot be read
 */
export function readCollection(dir: string, split?: string): Collection {
  const grouped = (line: Line): string => (typeof line['app'] === 'string' ? line['app'] : '');
  const passages = jsonLines(required(dir, 'corpus.jsonl')).map((line): Passage => {
    const title = typeof line['title'] === 'string' ? line['title'].trim() : '';
    return { id: idOf(line), ...(title ? { title } : {}), text: textOf(line), group: grouped(line) };
  });
  const groups = new Set(passages.map((passage) => passage.group));
  const judgements = readJudgements(dir, split);
  const queries = jsonLines(required(dir, 'queries.jsonl')).flatMap((line): Query[] => {
    const judged = judgements.get(idOf(line));
    if (!judged || ![...judged.values()].some((grade) => grade > 0)) return [];
    const group = grouped(line);
    return [{ id: idOf(line), text: textOf(line), group: groups.has(group) ? group : '', judged }];
  });
  if (queries.length === 0) throw new Error(`${dir}: no query of queries.jsonl has a relevant document in the judgements.`);
  return { name: basename(resolve(dir)), passages, queries };
}

function readJudgements(dir: string, split: string | undefined): Map<string, Map<string, number>> {
  const folder = existsSync(join(dir, 'qrels')) ? join(dir, 'qrels') : dir;
  const files = readdirSync(folder).filter((name) => (folder === dir ? /^qrels.*\.tsv(\.gz)?$/ : /\.tsv(\.gz)?$/).test(name));
  const wanted = split ?? 'test';
  const file = files.find((name) => name.replace(/\.tsv(\.gz)?$/, '') === wanted) ?? (split === undefined ? files.sort()[0] : undefined);
  if (file === undefined) throw new Error(`${folder}: no judgements${split ? ` "${split}"` : ''} (qrels*.tsv or qrels/*.tsv, also .gz).`);
  const judgements = new Map<string, Map<string, number>>();
  for (const [i, line] of read(join(folder, file)).split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    // Ids may hold spaces where tabs separate the columns.
    const cells = (line.includes('\t') ? line.split('\t') : line.trim().split(/\s+/)).map((cell) => cell.trim());
    // TREC files have an unused column after the query's id.
    const [query, document, grade] = cells.length === 4 ? [cells[0], cells[2], cells[3]] : cells;
    const told = query && document && cells.length <= 4 && /^-?\d+(\.\d+)?$/.test(grade ?? '');
    if (!told) {
      // The first line may hold names.
      if (i === 0 && cells.length >= 3) continue;
      throw new Error(`${join(folder, file)}: line ${i + 1} is not a judgement (query, document, grade; with tabs if an id holds spaces).`);
    }
    const judged = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, judged.set(document, Number(grade)));
  }
  return judgements;
}

/**
 * Reads questions with paragraphs in the formats of HotpotQA (distractor) and MuSiQue, and pools all paragraphs. A
 * paragraph of several questions is one passage.
 * @throws Error when the lines have another format
 */
export function readMultihop(file: string): Collection {
  const passages = new Map<string, Passage>();
  const queries = jsonLines(file).map((line, i): Query => {
    const judged = new Map<string, number>();
    for (const { title, text, supporting } of paragraphsOf(line, file)) {
      const key = `${title}\n${text}`;
      const passage = passages.get(key) ?? { id: `p${passages.size}`, title, text, group: '' };
      passages.set(key, passage);
      if (supporting) judged.set(passage.id, 1);
    }
    const id = String(line['id'] ?? line['_id'] ?? i);
    // HotpotQA has a field for it; MuSiQue's ids begin with it.
    const category = typeof line['type'] === 'string' ? line['type'] : /^(\dhop\d?)_/.exec(id)?.[1];
    return { id, text: String(line['question'] ?? ''), group: '', judged, ...(category === undefined ? {} : { category }) };
  });
  return {
    name: basename(file).replace(/\.jsonl?(\.gz)?$/, ''),
    passages: [...passages.values()],
    queries: queries.filter(({ judged }) => judged.size > 0),
  };
}

function paragraphsOf(line: Line, file: string): { title: string; text: string; supporting: boolean }[] {
  if (Array.isArray(line['paragraphs'])) {
    return (line['paragraphs'] as { title: string; paragraph_text: string; is_supporting: boolean }[]).map((each) => ({
      title: each.title,
      text: each.paragraph_text,
      supporting: each.is_supporting,
    }));
  }
  if (Array.isArray(line['context']) && Array.isArray(line['supporting_facts'])) {
    const supporting = new Set((line['supporting_facts'] as [title: string, sentence: number][]).map(([title]) => title));
    return (line['context'] as [title: string, sentences: string[]][]).map(([title, sentences]) => ({
      title,
      text: sentences.join(''),
      supporting: supporting.has(title),
    }));
  }
  throw new Error(`${file}: a line has neither paragraphs (MuSiQue) nor context and supporting_facts (HotpotQA).`);
}

const idOf = (line: Line): string => String(line['_id'] ?? line['id'] ?? '');
const textOf = (line: Line): string => String(line['text'] ?? '');

function required(dir: string, name: string): string {
  const found = [name, `${name}.gz`].map((each) => join(dir, each)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${dir}: ${name} (or ${name}.gz) is missing.`);
  return found;
}

export const read = (path: string): string => {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
};

/** Reads JSON lines, or one list of objects. */
function jsonLines(path: string): Line[] {
  const text = read(path);
  if (text.trimStart().startsWith('[')) {
    try {
      return JSON.parse(text) as Line[];
    } catch {
      throw new Error(`${path} begins like a list but is not JSON.`);
    }
  }
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Line];
    } catch {
      throw new Error(`${path}: line ${i + 1} is not JSON.`);
    }
  });
}

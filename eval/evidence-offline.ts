/**
 * Reads a gold corpus with the product's own parsers and engines, without a stack: the quick loop for work on the
 * rules. What the stack adds (the graph, groups of near-duplicates, reports) only `evidence.ts` measures.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '../adapters/parsers/index.ts';
import { severities } from '../contracts/signals/signals.ts';
import {
  directoryOf,
  likelyFeatures,
  linksOf,
  prepare,
  readDocument,
  type Clue,
  type CountedClue,
  type Directory,
  type EvidenceInput,
  type Judge,
  type Prepared,
  type Reading,
} from '../engines/evidence/index.ts';
import { nameKey } from '../engines/text/names.ts';
import { readContent } from '../services/knowledge/reading.ts';
import type { Found, FoundEntity } from './evidence-score.ts';

/** Later than everything in the corpora, and always the same. */
const arrivedAt = '2026-12-15T09:00:00.000Z';

export interface ReadFile {
  file: string;
  input: EvidenceInput;
  prepared: Prepared;
  reading: Reading;
}

export interface OfflineReading {
  files: ReadFile[];
  directory: Directory;
  found: Found[];
  entities: FoundEntity[];
}

/** @param dir with `files/` */
export async function readOffline(dir: string, judge: Judge, vectorOf: (text: string) => Float32Array | null): Promise<OfflineReading> {
  const inputs: [string, EvidenceInput][] = [];
  for (const file of readdirSync(join(dir, 'files')).sort())
    inputs.push([file, await inputOf(file, readFileSync(join(dir, 'files', file)))]);
  const prepared = inputs.map(([, input]) => prepare(input));
  const directory = directoryOf(counted(prepared.map(({ clues }) => clues)));
  const files: ReadFile[] = [];
  for (const [i, [file, input]] of inputs.entries()) {
    files.push({ file, input, prepared: prepared[i]!, reading: await readDocument(input, prepared[i]!.layout, directory, judge) });
  }
  return { files, directory, found: foundIn(files, vectorOf), entities: entitiesOf(directory) };
}

/** As ingestion makes it of a file in a folder, without any metadata. */
export async function inputOf(file: string, bytes: Uint8Array): Promise<EvidenceInput> {
  const read = await readContent(parse, { bytes, filename: file, title: null, fallback_title: file, chunk_size: 1000 });
  return {
    title: read.title,
    origin: file,
    sourceType: 'document',
    given: {},
    found: read.metadata,
    arrivedAt,
    passages: read.chunks.map(({ text, title, place, turns }) => ({ text, title: title ?? null, speaker: place.speaker, turns })),
  };
}

export function counted(documents: readonly (readonly Clue[])[]): CountedClue[] {
  const clues = new Map<string, CountedClue>();
  for (const own of documents) {
    const here = new Set<string>();
    for (const clue of own) {
      const key = JSON.stringify([clue.kind, nameKey(clue.subject), clue.object && nameKey(clue.object), clue.day]);
      const known = clues.get(key);
      if (!known) clues.set(key, { ...clue, documents: 1 });
      else {
        known.weight = Math.max(known.weight, clue.weight);
        if (!here.has(key)) known.documents += 1;
      }
      here.add(key);
    }
  }
  return [...clues.values()];
}

function foundIn(files: readonly ReadFile[], vectorOf: (text: string) => Float32Array | null): Found[] {
  const all = files
    .flatMap(({ file, reading }) => reading.statements.map((statement) => ({ file, statement })))
    .toSorted((a, b) => (a.statement.day < b.statement.day ? -1 : a.statement.day > b.statement.day ? 1 : 0));
  const stated = all.map(({ statement }) => ({ ...statement, customer: statement.unit.customer, vector: vectorOf(statement.text) }));
  const links = linksOf(stated);
  const likely = likelyFeatures(stated);
  const earlier = new Map(links.map(({ from, to, kind }) => [from, { to: String(to), kind }]));
  return all.map(({ file, statement }, i) => ({
    file,
    text: statement.text,
    class: statement.class,
    severity: severities[statement.severity] ?? 'none',
    sentiment: statement.tone,
    customer: statement.unit.customer,
    features: likely[i] == null ? statement.features : [likely[i]],
    competitors: statement.competitors,
    state: statement.state,
    side: statement.unit.side,
    date: statement.day.slice(0, 10),
    id: String(i),
    group: null,
    refersTo: earlier.get(i)?.to ?? null,
    refersAs: earlier.get(i)?.kind ?? null,
  }));
}

const entitiesOf = ({ organisations, features }: Directory): FoundEntity[] => [
  ...organisations.map(({ name, aliases, role }) => ({ name, aliases, type: role })),
  ...features.map(({ name, aliases }) => ({ name, aliases, type: 'feature' })),
];

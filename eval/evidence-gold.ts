/** A gold corpus: `files/` and the `gold.json` that says what customers state in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { severities, signalClasses, statementStates, tones } from '../contracts/signals/signals.ts';

const cls = z.enum([...signalClasses, 'none']);
const day = z.iso.date();

const goldStatement = z.object({
  id: z.string(),
  /** Base name. */
  file: z.string(),
  text: z.string(),
  /** For a statement over several turns. */
  parts: z.array(z.string()).optional(),
  side: z.string(),
  customer: z.string().nullable(),
  features: z.array(z.string()),
  competitors: z.array(z.string()),
  class: cls,
  /** Classes that are right, too. */
  also: z.array(cls),
  severity: z.enum(severities),
  sentiment: z.enum(tones),
  state: z.enum(statementStates),
  date: day,
  /** Id of the first statement of the same customer with the same content. */
  same_as: z.string().nullable(),
});
const goldTrap = z.object({ file: z.string(), text: z.string(), why: z.string() });
const goldEntity = z.object({
  name: z.string(),
  type: z.string(),
  aliases: z.array(z.string()),
  /** Of a person: the employer. Of a feature: the vendor. */
  org: z.string().nullish(),
});
const reportFact = z.object({ as_of: day, must_say: z.string(), must_not_say: z.string() });
const goldFile = z.object({
  documents: z.array(z.object({ file: z.string(), kind: z.string(), date: day, customer: z.string().nullable() })),
  statements: z.array(goldStatement),
  traps: z.array(goldTrap),
  entities: z.array(goldEntity),
  report_facts: z.array(reportFact),
});

export type GoldStatement = z.infer<typeof goldStatement>;
export type GoldEntity = z.infer<typeof goldEntity>;
export type ReportFact = z.infer<typeof reportFact>;
export type GoldData = z.infer<typeof goldFile>;

export interface Gold extends GoldData {
  /** Kind of document by file. */
  kinds: ReadonlyMap<string, string>;
  /** The gold name of a name or alias of the type; else the name itself. Null: nobody. */
  nameOf(type: string, name: string | null | undefined): string | null;
  /** Whether it is a name or alias in the gold. */
  knows(type: string, name: string): boolean;
}

/** @param dir with `gold.json` */
export const readGold = (dir: string): Gold => goldOf(JSON.parse(readFileSync(join(dir, 'gold.json'), 'utf8')));

/** @throws ZodError */
export function goldOf(data: unknown): Gold {
  const gold = goldFile.parse(data);
  const names = new Map(
    gold.entities.flatMap(({ type, name, aliases }) => [name, ...aliases].map((each) => [`${type}/${fold(each)}`, name])),
  );
  return {
    ...gold,
    kinds: new Map(gold.documents.map(({ file, kind }) => [file, kind])),
    nameOf(type, name) {
      const key = fold(name ?? '');
      return nobody.has(key) ? null : (names.get(`${type}/${key}`) ?? name!);
    },
    knows: (type, name) => names.has(`${type}/${fold(name)}`),
  };
}

const nobody = new Set(['', 'none', 'null', 'unknown', 'anonymous']);

/** Words in lower case, without apostrophes. */
export const tokens = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .match(/[\p{L}\p{N}_]+/gu) ?? [];

export const fold = (name: string): string => tokens(name.replaceAll('&', ' and ')).join(' ');

import { z } from 'zod';
import { foldText, spanOf } from '../../engines/evidence/verbatim.ts';
import { isPersons, maySay, ordersMachine, rememberedKinds, type Remembered, type Turn } from '../../engines/memory/remember.ts';
import { fence } from '../kernel/language/fence.ts';
import type { LanguageService } from '../kernel/language/index.ts';
import { prompt } from '../kernel/language/prompts.ts';

const instructions = prompt('extract-memories@1');

/** Characters per question, and questions per call: rules read the rest. */
const perQuestion = 12_000;
const mostQuestions = 5;

/** Every field is required, because some providers allow nothing else. */
const answer = z.object({ memories: z.array(z.object({ turn: z.number(), quote: z.string(), kind: z.enum(rememberedKinds) })) });

export interface ReadByModel {
  found: Remembered[];
  /** Turns that it answered for. */
  read: ReadonlySet<number>;
  warnings: string[];
}

/**
 * What a language model finds worth remembering. Only what stands word by word in a turn of a person counts, and only if
 * rules see no question, supposition, denial or order to a machine in it.
 */
export async function rememberedByModel(
  language: Pick<LanguageService, 'ask' | 'model'>,
  turns: readonly Turn[],
  { tenant, signal }: { tenant: string; signal?: AbortSignal | undefined },
): Promise<ReadByModel> {
  const found: Remembered[] = [];
  const read = new Set<number>();
  const warnings: string[] = [];
  for (const [at, portion] of portionsOf(turns).entries()) {
    if (at >= mostQuestions) {
      warnings.push('The conversation is long: its end was read by rules.');
      break;
    }
    const reply = await language.ask({
      tenant,
      purpose: 'remember',
      prompt: instructions,
      content: fence(
        portion.map((i) => {
          const { speaker, text } = turns[i]!;
          return { id: isPersons(turns[i]!) ? 'turn' : 'context', turn: i, speaker, text };
        }),
      ),
      schema: answer,
      maxOutputTokens: 4_000,
      signal,
    });
    if (!reply.ok) {
      warnings.push(`${reply.warning} Rules read the conversation.`);
      // No key, no budget or no answer: the next question would fail, too.
      break;
    }
    for (const i of portion) read.add(i);
    for (const { turn, quote, kind } of reply.value.memories) {
      const said = portion.includes(turn) ? turns[turn] : undefined;
      const words = said ? statedIn(said, quote) : null;
      if (words !== null) found.push({ turn, quote: words, kind });
    }
  }
  return { found, read, warnings };
}

/**
 * A quotation as the turn has it. Null: the turn does not have it, or no person states it there (a question, a supposition,
 * a denial, words of a machine, or a turn with an order to one).
 */
export function statedIn(turn: Turn, quote: string): string | null {
  if (!isPersons(turn) || ordersMachine(turn.text)) return null;
  const span = spanOf(foldText(turn.text), quote);
  const words = span && turn.text.slice(span.start, span.end);
  return words && maySay(sentenceAround(turn.text, span)) && maySay(words) ? words : null;
}

/** A part of a question or of a supposition is none the less that: the whole sentence is judged. */
function sentenceAround(text: string, { start, end }: { start: number; end: number }): string {
  const before = text.slice(0, start);
  const from = Math.max(before.lastIndexOf('\n'), before.search(/[.!?](?=\s[^.!?\n]*$)/)) + 1;
  const [rest = ''] = /^[^.!?\n]*[.!?]?/.exec(text.slice(end)) ?? [];
  return text.slice(from, end + (/[.!?]$/.test(text.slice(start, end)) ? 0 : rest.length)).trim();
}

/** Numbers of turns, in portions of at most so many characters; a longer turn is one by itself. */
function portionsOf(turns: readonly Turn[]): number[][] {
  const portions: number[][] = [];
  let size = Infinity;
  turns.forEach(({ text }, i) => {
    if (size + text.length > perQuestion) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)!.push(i);
    size += text.length;
  });
  // Portions in which only machines speak hold nothing.
  return portions.filter((portion) => portion.some((i) => isPersons(turns[i]!)));
}

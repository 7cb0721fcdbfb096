import type { MessageJson, Plan } from '../../contracts/agents/a2a.ts';
import { draftOf } from './router-arguments.ts';
import { choose } from './router-cues.ts';
import { answered, askedAgain, filledIn, fitting, lacking, type Draft } from './router-forms.ts';
import { parted, read, type Reading } from './router-reading.ts';
import { isEntityId } from './router-words.ts';
import { findSkill, skillById, skills, workSkill } from './skills.ts';

/** The state after the messages so far. `at` says what the next message would complete. */
type Stand =
  | { plan: Plan; at: 'done' }
  | { plan: Plan; at: 'skill'; among: string[]; reading: Reading }
  | { plan: Plan; at: 'slot'; draft: Draft; slot: string }
  | { plan: Plan; at: 'call'; draft: Draft };

export interface RouterOptions {
  /** Whether the caller may call a tool. Absent: only the pipeline decides. */
  callable?: (tool: string) => boolean;
}

/**
 * The plan for the client's messages of a task, oldest first. Data states the request exactly; otherwise fixed rules
 * interpret the words. The same messages give the same plan. If something is unclear, the plan is a question, and the
 * next message completes it. Files, quotations and text after a colon are content: they never choose a skill.
 */
export function planOf(messages: readonly MessageJson[], { callable = () => true }: RouterOptions = {}): Plan {
  const [first, ...later] = messages.filter((message) => message.role !== 'ROLE_AGENT').map(read);
  if (!first) return askForSkill([]);
  const { plan } = later.reduce(next, start(first));
  if (plan.kind === 'call' && !callable(plan.tool)) return reject(`Your key may not call ${plan.tool}, which ${plan.skill} needs here.`);
  return plan;
}

function start(reading: Reading): Stand {
  const { said, text, files } = reading;
  if (said?.skill !== undefined || said?.tool !== undefined) return structured(reading, said.skill, said.tool);
  if (text === '') return files.length > 0 ? drafted('ingest-content', reading) : undecided([], reading);
  const meant = choose(parted(text).head);
  if ('skill' in meant) return drafted(meant.skill, reading);
  // Files are ingested, unless the words clearly ask for something else.
  return files.length > 0 ? drafted('ingest-content', reading) : undecided(meant.among, reading);
}

function next(stand: Stand, reading: Reading): Stand {
  const { said, text, files } = reading;
  if (said?.skill !== undefined || said?.tool !== undefined)
    return structured(reading, said.skill ?? ('draft' in stand ? stand.draft.skill : undefined), said.tool);
  if (stand.at === 'done') return start(reading);
  if (stand.at === 'skill') {
    const picked = pickedSkill(text, stand.among);
    if (picked !== undefined) return drafted(picked, stand.reading);
    const anew = start(reading);
    const both = { ...stand.reading, text: `${stand.reading.text}\n${text}` };
    return anew.at === 'skill' && stand.reading.text !== '' ? { ...stand, reading: both } : anew;
  }
  const { draft } = stand;
  const refilled = (args: object): Stand => settled({ ...draft, arguments: { ...draft.arguments, ...args } });
  if (said) return refilled(said.arguments);
  if (stand.at === 'slot') {
    if (files.length > 0) return drafted(draft.skill, reading);
    return text === '' ? stand : refilled({ [stand.slot]: answered(stand.slot, text) });
  }
  // The tool itself has asked back: which of several names is meant, or for another argument.
  const anew = start(reading);
  const slot = askedAgain(draft);
  if (slot === undefined || text === '' || (anew.at !== 'skill' && text.split(/\s+/).length > 8)) return anew;
  const value = answered(slot, text);
  const { [slot]: _old, ...rest } = draft.arguments;
  const filled = slot === 'entity_name' && isEntityId(String(value)) ? 'entity_id' : slot;
  return settled({ ...draft, arguments: { ...rest, [filled]: value } });
}

function structured(reading: Reading, name: string | undefined, tool: string | undefined): Stand {
  const given = reading.said?.arguments ?? {};
  if (name?.trim().toLowerCase() === workSkill) return { plan: work(given, reading.text), at: 'done' };
  const skill = name === undefined ? skills.find((each) => each.tools.includes(tool!)) : findSkill(name);
  if (!skill) {
    if (name === undefined) return { plan: reject(`No skill here works with ${tool}. ${offered()}`), at: 'done' };
    const plan: Plan = { kind: 'ask', text: `There is no skill "${name.slice(0, 80)}". ${offered()}` };
    return { plan, at: 'skill', among: [], reading: { ...reading, said: null } };
  }
  if (tool !== undefined && !skill.tools.includes(tool)) {
    const plan = reject(`${skill.id} does not use ${tool.slice(0, 80)}. Its tools are ${skill.tools.join(', ')}.`);
    return { plan, at: 'done' };
  }
  const anyGiven = Object.keys(given).length > 0;
  // "lookup-entity: {…}" repeats the data for people: its words do not choose a tool.
  const restated = anyGiven && reading.text.startsWith(skill.id);
  const fromWords = draftOf(skill.id, restated ? { ...reading, text: '' } : reading);
  const chosen = tool ?? fitting(skill.tools, given) ?? fromWords.tool;
  // Words often repeat the arguments, so they count only without arguments. Files always count.
  const counts = chosen === fromWords.tool && (!anyGiven || reading.files.length > 0);
  return settled({ skill: skill.id, tool: chosen, arguments: { ...(counts ? fromWords.arguments : {}), ...given } });
}

function work(given: Draft['arguments'], text: string): Plan {
  const told = given['description'] ?? given['text'];
  const wanted = told === undefined && text !== '' ? { ...given, description: text } : given;
  if (typeof (wanted['description'] ?? wanted['text']) === 'string') return { kind: 'work', skill: workSkill, wanted };
  return { kind: 'ask', skill: workSkill, text: 'What is to be done? Send {"skill": "work", "arguments": {"description": "…"}}.' };
}

function drafted(skill: string, reading: Reading): Stand {
  const draft = draftOf(skill, reading);
  return settled({ ...draft, arguments: { ...draft.arguments, ...reading.said?.arguments } });
}

/** The plan of a draft: a call, or the question for a missing argument. */
function settled(unfilled: Draft): Stand {
  const draft = filledIn(unfilled);
  const lacks = lacking(draft);
  if (!lacks) return { plan: { kind: 'call', ...draft }, at: 'call', draft };
  return { plan: { kind: 'ask', skill: draft.skill, text: lacks.question }, at: 'slot', draft, slot: lacks.slot };
}

const places = ['first', 'second', 'third'];

/** The skill that an answer names: by id, by name, or by its position in the offered list. */
function pickedSkill(text: string, among: readonly string[]): string | undefined {
  const said = text
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replace(/[.!"'`]+/g, '');
  const byName = findSkill(said)?.id ?? skills.find((skill) => said.includes(skill.id))?.id;
  if (byName !== undefined) return byName;
  const place = /^(?:the |number |option |#)?(first|second|third|[1-8])(?: one)?$/.exec(said)?.[1];
  if (place !== undefined)
    return (among.length > 0 ? among : skills.map((skill) => skill.id))[places.includes(place) ? places.indexOf(place) : Number(place) - 1];
  const words = said.split(/\s+/).filter((word) => word.length > 3);
  const begun = among.filter((id) => words.some((word) => id.split('-').includes(word)));
  return begun.length === 1 ? begun[0] : undefined;
}

const offered = (): string => `The skills are ${skills.map((skill) => skill.id).join(', ')}.`;
const reject = (text: string): Plan => ({ kind: 'reject', text });

function askForSkill(among: readonly string[]): Plan & { kind: 'ask' } {
  if (among.length > 1) {
    const choices = among.map((id, i) => `${i + 1}. ${id}: ${skillById(id).name.toLowerCase()}`).join('\n');
    return { kind: 'ask', text: `This could mean several things. Which one?\n${choices}` };
  }
  return { kind: 'ask', text: `What shall be done? ${offered()} Say it in words, or send {"skill": "…", "arguments": {…}}.` };
}

const undecided = (among: string[], reading: Reading): Stand => ({ plan: askForSkill(among), at: 'skill', among, reading });

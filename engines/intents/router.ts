import type { MessageJson, Plan } from '../../contracts/agents/a2a.ts';
import { draftOf } from './router-arguments.ts';
import { choose } from './router-cues.ts';
import { lacking, type Draft } from './router-needs.ts';
import { parted, read, type Reading } from './router-reading.ts';
import { answered, askedAgain, filledIn, fitting } from './router-slots.ts';
import { isEntityId } from './router-words.ts';
import { findSkill, skillById, skills, workSkill } from './skills.ts';

/** How far the messages so far lead. `at` says what the next message would complete. */
type Stand =
  | { plan: Plan; at: 'done' }
  | { plan: Plan; at: 'skill'; among: string[]; reading: Reading }
  | { plan: Plan; at: 'slot'; draft: Draft; slot: string }
  | { plan: Plan; at: 'call'; draft: Draft };

export interface RouterOptions {
  /** Whether whoever asks may call a tool; left out, the pipeline alone decides. */
  callable?: (tool: string) => boolean;
}

/**
 * What the client's messages of one task ask for, oldest first: data says it exactly, else words do, by fixed rules.
 * The same messages give the same plan. What is unclear is asked back, and the next message completes it. Files,
 * quotes and what follows a colon are content: they never choose a skill.
 */
export function planOf(messages: readonly MessageJson[], { callable = () => true }: RouterOptions = {}): Plan {
  const said = messages.filter((message) => message.role !== 'ROLE_AGENT').map(read);
  const [first, ...later] = said;
  if (!first) return askForSkill([]);
  const { plan } = later.reduce(next, start(first));
  if (plan.kind === 'call' && !callable(plan.tool)) {
    return { kind: 'reject', text: `Your key may not call ${plan.tool}, which ${plan.skill} needs here.` };
  }
  return plan;
}

function start(reading: Reading): Stand {
  const { said } = reading;
  if (said?.skill !== undefined || said?.tool !== undefined) return structured(reading, said.skill, said.tool);
  if (reading.files.length > 0) {
    const meant = choose(parted(reading.text).head);
    // Files are taken in, unless the words beside them clearly want something else.
    if (reading.text === '' || !('skill' in meant) || meant.skill === 'ingest-content') return drafted('ingest-content', reading);
  }
  if (reading.text === '') return undecided([], reading);
  const meant = choose(parted(reading.text).head);
  return 'skill' in meant ? drafted(meant.skill, reading) : undecided(meant.among, reading);
}

function next(stand: Stand, reading: Reading): Stand {
  const { said, text } = reading;
  if (said?.skill !== undefined || said?.tool !== undefined) {
    const before = stand.at === 'slot' || stand.at === 'call' ? stand.draft : undefined;
    return structured(reading, said.skill ?? before?.skill, said.tool);
  }
  if (stand.at === 'skill') {
    const picked = pickedSkill(text, stand.among);
    if (picked !== undefined) return drafted(picked, stand.reading);
    const anew = start(reading);
    return anew.at === 'skill' && stand.reading.text !== ''
      ? { ...stand, reading: { ...stand.reading, text: `${stand.reading.text}\n${text}` } }
      : anew;
  }
  if (stand.at === 'slot') {
    const laid = { ...stand.draft.arguments, ...said?.arguments };
    if (said) return settled({ ...stand.draft, arguments: laid });
    if (reading.files.length > 0) return settled({ ...draftOf(stand.draft.skill, reading), skill: stand.draft.skill });
    if (text === '') return stand;
    return settled({ ...stand.draft, arguments: { ...laid, [stand.slot]: answered(stand.slot, text) } });
  }
  if (stand.at === 'call') {
    // The tool itself has asked back, for which of several names is meant or for another argument.
    if (said) return settled({ ...stand.draft, arguments: { ...stand.draft.arguments, ...said.arguments } });
    const anew = start(reading);
    const slot = askedAgain(stand.draft).find((each) => each in stand.draft.arguments);
    const short = text.split(/\s+/).length <= 8;
    if (slot === undefined || text === '' || (anew.at !== 'skill' && !short)) return anew;
    const value = answered(slot, text);
    const { [slot]: _old, ...rest } = stand.draft.arguments;
    return settled({
      ...stand.draft,
      arguments: { ...rest, ...(slot === 'entity_name' && isEntityId(value as string) ? { entity_id: value } : { [slot]: value }) },
    });
  }
  return start(reading);
}

function structured(reading: Reading, name: string | undefined, tool: string | undefined): Stand {
  const given = reading.said?.arguments ?? {};
  if (name !== undefined && name.trim().toLowerCase() === workSkill) {
    const wanted =
      given['description'] === undefined && given['text'] === undefined && reading.text !== ''
        ? { ...given, description: reading.text }
        : given;
    const lacks = typeof (wanted['description'] ?? wanted['text']) !== 'string';
    if (lacks)
      return {
        plan: { kind: 'ask', skill: workSkill, text: 'What is to be done? Send {"skill": "work", "arguments": {"description": "…"}}.' },
        at: 'done',
      };
    return { plan: { kind: 'work', skill: workSkill, wanted }, at: 'done' };
  }
  const skill = name === undefined ? skills.find((each) => tool !== undefined && each.tools.includes(tool)) : findSkill(name);
  if (!skill) {
    if (name === undefined) return { plan: { kind: 'reject', text: `No skill here works with ${tool}. ${offered()}` }, at: 'done' };
    return {
      plan: { ...askForSkill([]), text: `There is no skill "${name.slice(0, 80)}". ${offered()}` },
      at: 'skill',
      among: [],
      reading: { ...reading, said: null },
    };
  }
  if (tool !== undefined && !skill.tools.includes(tool)) {
    return {
      plan: { kind: 'reject', text: `${skill.id} does not use ${tool.slice(0, 80)}. Its tools are ${skill.tools.join(', ')}.` },
      at: 'done',
    };
  }
  // "lookup-entity: {…}" beside the data says it for people: its words choose no tool.
  const restated = Object.keys(given).length > 0 && reading.text.startsWith(skill.id);
  const drafted = draftOf(skill.id, restated ? { ...reading, text: '' } : reading);
  const own = tool === undefined || tool === drafted.tool;
  const chosen = tool ?? fitting(skill.tools, given) ?? drafted.tool;
  // Words beside arguments often say the same again: they count where no arguments are given. Files always do.
  const counts = Object.keys(given).length === 0 || reading.files.length > 0;
  const fromWords = own && counts && chosen === drafted.tool ? drafted.arguments : {};
  return settled({ skill: skill.id, tool: chosen, arguments: { ...fromWords, ...given } });
}

function drafted(skill: string, reading: Reading): Stand {
  const draft = draftOf(skill, reading);
  return settled({ ...draft, arguments: { ...draft.arguments, ...reading.said?.arguments } });
}

/** A draft as a plan: a call, or the question for what it lacks. */
function settled(draft: Draft): Stand {
  const filled = filledIn(draft);
  const lacks = lacking(filled);
  if (lacks) return { plan: { kind: 'ask', skill: filled.skill, text: lacks.question }, at: 'slot', draft: filled, slot: lacks.slot };
  return { plan: { kind: 'call', ...filled }, at: 'call', draft: filled };
}

/** A skill that an answer names: by id, by name, or by its place among those that were offered. */
function pickedSkill(text: string, among: readonly string[]): string | undefined {
  const said = text
    .slice(0, 200)
    .trim()
    .replace(/[.!"'`]+/g, '');
  const byName = findSkill(said)?.id ?? skills.find((skill) => said.toLowerCase().includes(skill.id))?.id;
  if (byName !== undefined) return byName;
  const listed = among.length > 0 ? among : skills.map((skill) => skill.id);
  const place = /^(?:the |number |option |#)?(first|second|third|[1-8])(?: one)?$/i.exec(said)?.[1]?.toLowerCase();
  if (place !== undefined)
    return listed[['first', 'second', 'third'].indexOf(place) >= 0 ? ['first', 'second', 'third'].indexOf(place) : Number(place) - 1];
  const words = said.toLowerCase().split(/\s+/);
  const begun = among.filter((id) => words.some((word) => word.length > 3 && id.split('-').includes(word)));
  return begun.length === 1 ? begun[0] : undefined;
}

const offered = (): string => `The skills are ${skills.map((skill) => skill.id).join(', ')}.`;

function askForSkill(among: readonly string[]): Plan & { kind: 'ask' } {
  if (among.length > 1) {
    const choices = among.map((id, i) => `${i + 1}. ${id}: ${skillById(id).name.toLowerCase()}`).join('\n');
    return { kind: 'ask', text: `This could mean several things. Which one?\n${choices}` };
  }
  return { kind: 'ask', text: `What shall be done? ${offered()} Say it in words, or send {"skill": "…", "arguments": {…}}.` };
}

const undecided = (among: string[], reading: Reading): Stand => ({ plan: askForSkill(among), at: 'skill', among, reading });

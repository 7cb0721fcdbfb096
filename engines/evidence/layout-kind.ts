import type { Block } from './layout-blocks.ts';
import { proseOf } from './layout-notes.ts';
import { rolesOf } from './layout-columns.ts';
import { sheetsOf } from './layout-rows.ts';
import type { DocumentKind, EvidenceInput } from './types.ts';

/** What kind of document it is: by its parser, then by its layout, then by the words of its title. */
export function kindOf(input: EvidenceInput, blocks: readonly Block[]): DocumentKind {
  if (typeof input.found.from === 'string' || typeof input.found.message_id === 'string') return 'mail';
  if (blocks.some(({ kind, speaker }) => kind === 'turn' && speaker !== null)) return isChat(input, blocks) ? 'chat' : 'call';
  const rows = tableKind(blocks);
  if (rows !== null) return rows;
  const about = `${input.title} ${input.origin.replace(/[_-]+/g, ' ')} ${input.sourceType.replace(/_/g, ' ')}`;
  const { kinds, participants } = proseOf(blocks);
  if (kinds.has('attendance') && participants.length > 0) return 'notes';
  const opening = blocks
    .slice(0, 3)
    .map(({ text }) => text)
    .join('\n')
    .slice(0, 600);
  // What is handed in as a customer's is no paper of the vendor.
  const theirs = typeof input.given.customer === 'string' && input.given.customer.trim() !== '';
  if (!theirs && rivalWords.test(about)) return 'rivals';
  if (!theirs && (overviewWords.test(about) || overviewWords.test(opening.replace(oneFeature, ' ')))) return 'overview';
  if (noteWords.test(about) || kinds.has('steps') || kinds.has('agenda') || noteWords.test(opening.slice(0, 200))) return 'notes';
  return 'other';
}

const noteWords =
  /\b(?:notes?|visit(?:ed)?|meeting|call|minutes|debrief|summary of|spoke|besuch|besuchsbericht|notiz(?:en)?|gespräch(?:snotiz)?|protokoll|termin|telefonat|visita|reunión|llamada|notas|acta|visite|réunion|appel|compte[- ]rendu|entretien|riunione|verbale|chiamata|bezoek|verslag|gesprek)\b/iu;
const rivalWords =
  /\b(?:competit(?:or|ors|ion|ive)|rivals?|battle ?cards?|who else is out there|alternatives|wettbewerb(?:er)?|konkurren(?:z|ten)|mitbewerber|competencia|competidores|concurren(?:ce|ts)|concorren(?:za|ti)|concorrência|concurrent(?:ie|en))\b/iu;
/** "The export feature fails": in a sentence, no list of features. */
const oneFeature = /(?<=\p{Ll} )features?(?= \p{Ll})/giu;
const overviewWords =
  /\b(?:overview|what is in the box|what we (?:do|sell|offer)|what \S+ does|product (?:guide|page|sheet|description)|features?|fact ?sheet|data ?sheet|brochure|onboarding|for new (?:colleagues|hires|joiners|staff)|release notes|changelog|handbook|one[- ]pager|press release|website|web page|landing page|pricing page|price list|faq|produktübersicht|überblick|funktionsübersicht|für neue kolleg\w*|was wir (?:tun|verkaufen)|handbuch|broschüre|resumen (?:del|de) producto|descripción (?:del|de) producto|qué hace|para (?:los )?nuevos|catálogo|folleto|présentation (?:du|de) produit|aperçu|pour les nouveaux|fiche produit|guide produit|panoramica|scheda prodotto)\b/iu;

function isChat(input: EvidenceInput, blocks: readonly Block[]): boolean {
  const about = `${input.title} ${input.origin} ${input.sourceType}`;
  if (/\b(?:slack|chat|teams|whats ?app|discord|messenger|telegram|intercom|channel)\b/iu.test(about.replace(/[_-]+/g, ' '))) return true;
  const first = blocks[0];
  if (first !== undefined && first.kind !== 'turn' && /^#[\p{L}\p{N}_-]{2,80}\s*$/mu.test(first.text)) return true;
  const turns = blocks.filter(({ kind }) => kind === 'turn');
  const casual = turns.filter(({ text }) => /:[a-z][\w+-]{1,40}:|\p{Extended_Pictographic}/u.test(text)).length;
  return casual * 8 >= turns.length && casual >= 2;
}

function tableKind(blocks: readonly Block[]): DocumentKind | null {
  const rows = blocks.filter(({ kind }) => kind === 'row');
  const size = (some: readonly Block[]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  if (rows.length < 4 || size(rows) * 3 < size(blocks) * 2) return null;
  for (const { header, rows: table } of sheetsOf(blocks)) {
    const roles = rolesOf(
      header,
      table.map((row) => row.map((parts) => parts.map(({ text }) => text).join(' '))),
    );
    const has = (role: (typeof roles)[number]): boolean => roles.includes(role);
    if (!has('body')) continue;
    if (has('status') || (has('subject') && has('id'))) return 'tickets';
    if (has('score'))
      return header.some((name) => /review|stars|sterne|estrellas|étoiles|reseña|avis|rezension/iu.test(name)) ? 'reviews' : 'survey';
    if (has('date') || has('customer')) return has('subject') ? 'tickets' : 'survey';
  }
  return null;
}

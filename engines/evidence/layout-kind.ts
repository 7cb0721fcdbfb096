import { entriesOf } from './clues-heads.ts';
import type { Block } from './layout-blocks.ts';
import { labelKind } from './layout-labels.ts';
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
  if (isAboutOthers(input)) return 'rivals';
  return isCatalogue(input) ? 'overview' : 'other';
}

/** What people note about other vendors: prices, claims, how they compare with "us". */
const compares =
  /(?<![\p{L}])(?:(?:than|to|from|of|as|like|over|against) (?:us|ours|we)|(?:our|unser\p{L}*|nuestr[oa]s?|notre|nos) (?:prices?|preise?n?|precios?|prix|customers?|kunden|clientes)|half (?:of )?our|als (?:wir|unsere?)|que (?:nosotros|nous)|(?:their|ihre[nr]?|sus?|leurs?) (?:site|website|web|flyer|banner|brochure|demo|stand|booth|pitch|sales\p{L}*|salesman|prices?|preise?|homepage|webseite|prospekt|folleto|página|plaquette)|(?:says?|claims?) their|[£$€] ?\d+|\d+ ?(?:€|£|\$|euros?|pounds|dollars)|\d+ (?:a|per|im|pro|al|par) (?:month|year|user|seat|monat|jahr|mes|año|mois|an)|cheap(?:er)?|billig\p{L}*|barat\p{L}*|bon marché|free for)(?![\p{L}])/iu;

function isAboutOthers(input: EvidenceInput): boolean {
  return entriesOf(input).some((list) => {
    const named = list.filter(
      ({ name, description }) =>
        /^\p{Lu}[\p{L}\p{N}.&-]*(?: [\p{Lu}\p{N}][\p{L}\p{N}.&-]*){0,2}(?: \([^)]*\))?$/u.test(name) &&
        description.length > 20 &&
        labelKind(name) === null,
    );
    return (
      named.length >= 2 &&
      named.filter(({ description }) => compares.test(description)).length * 2 >= named.length &&
      named.length * 3 >= list.length * 2
    );
  });
}

/** Most of the text is a list of names with their descriptions. */
function isCatalogue(input: EvidenceInput): boolean {
  const whole = input.passages.reduce((sum, { text }) => sum + text.length, 0);
  return entriesOf(input).some(
    (list) =>
      list.length >= 4 &&
      list.every(({ name, description }) => name.split(/\s+/).length <= 4 && /^\p{Lu}/u.test(name) && description.length > 20) &&
      list.reduce((sum, { name, description }) => sum + name.length + description.length, 0) * 2 > whole,
  );
}

const noteWords =
  /\b(?:notes?|visit(?:ed)?|meeting|call|minutes|debrief|summary of|spoke|besuch|besuchsbericht|notiz(?:en)?|gespräch(?:snotiz)?|protokoll|termin|telefonat|visita|reunión|llamada|notas|acta|visite|réunion|appel|compte[- ]rendu|entretien|riunione|verbale|chiamata|bezoek|verslag|gesprek)\b/iu;
const rivalWords =
  /\b(?:competit(?:or|ors|ion|ive)|rivals?|battle ?cards?|who else (?:is out there|sells|there is)|others? (?:in|on) the market|market (?:scan|overview|watch|map|notes|landscape)|other (?:vendors|suppliers|products|tools|players)|what (?:the )?others (?:do|sell|have)|alternatives|marktübersicht|marktbegleiter|andere anbieter|otros proveedores|la competencia|autres (?:fournisseurs|éditeurs)|wettbewerb(?:er)?|konkurren(?:z|ten)|mitbewerber|competencia|competidores|concurren(?:ce|ts)|concorren(?:za|ti)|concorrência|concurrent(?:ie|en))\b/iu;
/** "The export feature fails": in a sentence, no list of features. */
const oneFeature = /(?<=\p{Ll} )features?(?= \p{Ll})/giu;
const overviewWords =
  /\b(?:overview|status page|service status|system status|incident report|post-?mortem|known issues|what(?:'s| is) in(?! it)|what we (?:do|sell|offer|make)|in (?:two|three|five|ten|\d{1,2}) minutes|at a glance|in a nutshell|in brief|cheat ?sheet|primer|for (?:partners|resellers|new starters)|auf einen blick|in kürze|für partner|de un vistazo|en breve|para socios|en bref|en un coup d['’]œil|pour (?:les )?partenaires|what \S+ does|product (?:guide|page|sheet|description)|features?|fact ?sheet|data ?sheet|brochure|onboarding|for new (?:colleagues|hires|joiners|staff)|release notes|changelog|handbook|one[- ]pager|press release|website|web page|landing page|pricing page|price list|faq|produktübersicht|überblick|funktionsübersicht|für neue kolleg\w*|was wir (?:tun|verkaufen)|handbuch|broschüre|resumen (?:del|de) producto|descripción (?:del|de) producto|qué hace|para (?:los )?nuevos|catálogo|folleto|présentation (?:du|de) produit|aperçu|pour les nouveaux|fiche produit|guide produit|panoramica|scheda prodotto)\b/iu;

function isChat(input: EvidenceInput, blocks: readonly Block[]): boolean {
  const about = `${input.title} ${input.origin} ${input.sourceType}`;
  if (/\b(?:slack|chat|teams|whats ?app|discord|messenger|telegram|intercom|channel)\b/iu.test(about.replace(/[_-]+/g, ' '))) return true;
  // The parser has found the messages of a chat program.
  if (input.found.messages !== undefined) return true;
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
    // Notes of a call as a table: what they said, and what we said.
    if (has('reply')) return 'survey';
    if (has('date') || has('customer')) return has('subject') ? 'tickets' : 'survey';
  }
  return null;
}

import { signalSources, type SignalSource } from '../../contracts/signals/signals.ts';

/** Metadata of a document: from its submission, and from its parser. */
export interface About {
  /** Type of the source: transcript, document, slack, … */
  type: string;
  given: Record<string, unknown>;
  found: Record<string, unknown>;
}

/** From the submission, else from the type. The first match. */
const kinds: [SignalSource, RegExp][] = [
  ['slack', /slack|teams|discord|chat|channel/i],
  ['jira', /jira|ticket|issue|bug|zendesk|help_?desk|intercom|support|linear|github/i],
  ['meeting_transcript', /transcript|meeting|call|interview|stand_?up|conversation|youtube|podcast|recording/i],
  ['wiki', /wiki|confluence|notion|handbook/i],
  ['web_scrape', /web|url|site|crawl|review|app_?store|play_?store|forum|reddit|twitter|feed/i],
];

export function sourceOf({ type, given, found }: About): SignalSource {
  for (const named of [given['source'], given['origin'], found['source']]) {
    const known = signalSources.find((each) => each === named);
    if (known) return known;
  }
  const told = [type, given['source'], given['document_type'], given['platform']].filter((each) => typeof each === 'string');
  for (const each of told) for (const [source, pattern] of kinds) if (pattern.test(each)) return source;
  return 'document';
}

const longest = 200;

function first(about: About, ...fields: string[]): string | null {
  for (const field of fields) {
    for (const value of [about.given[field], about.found[field]]) {
      if (typeof value === 'string' && value.trim() !== '') return value.replaceAll('\0', '').trim().slice(0, longest).toWellFormed();
    }
  }
  return null;
}

export const authorOf = (about: About): string | null => first(about, 'speaker', 'author', 'from', 'user', 'reporter', 'username');
export const areaOf = (about: About): string | null => first(about, 'product_area', 'area');

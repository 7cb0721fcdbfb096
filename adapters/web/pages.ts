/** Data of a page for a crawler: its links and robots directives. */

export interface PageLinks {
  /** Absolute http(s) URLs in the order of the page, without nofollow links. */
  links: string[];
  /** The page's declared own address. */
  canonical?: string;
  noindex: boolean;
  nofollow: boolean;
}

const mostLinks = 2_000;
/** Links are near the beginning; a larger page is data. */
const readBytes = 2_000_000;

/**
 * Scans a page for links. Not a parser: the DOM of a hostile page (a million open tags) takes minutes to build, while
 * this reads each character a limited number of times without backtracking.
 * @param robotsTag the X-Robots-Tag header, equivalent to the page's own directives
 */
export function readLinks(page: { bytes: Uint8Array; url: string; charset?: string; robotsTag?: string }, robotName: string): PageLinks {
  const html = decoder(page.charset).decode(page.bytes.subarray(0, readBytes));
  const directives = directivesOf(page.robotsTag ?? '', robotName);
  const found: string[] = [];
  let base = page.url;
  let hasBase = false;
  let canonical: string | undefined;
  let anchors = 0;
  for (const { name, attributes } of tagsOf(html)) {
    if (name === 'a' || name === 'area') {
      if (++anchors > mostLinks) break;
      const href = attributes.get('href');
      const rel = attributes.get('rel') ?? '';
      if (href !== undefined && !/(?:^|\s)nofollow(?:\s|$)/i.test(rel)) found.push(href);
    } else if (name === 'base' && !hasBase && attributes.has('href')) {
      hasBase = true;
      base = absolute(attributes.get('href')!, page.url) ?? base;
    } else if (name === 'link' && canonical === undefined && /(?:^|\s)canonical(?:\s|$)/i.test(attributes.get('rel') ?? '')) {
      canonical = attributes.get('href');
    } else if (name === 'meta' && ['robots', robotName].includes((attributes.get('name') ?? '').trim().toLowerCase())) {
      for (const directive of directivesOf(attributes.get('content') ?? '', robotName)) directives.add(directive);
    }
  }
  const canonicalUrl = canonical === undefined ? undefined : absolute(canonical, base);
  return {
    links: [...new Set(found.flatMap((href) => absolute(href, base) ?? []))],
    ...(canonicalUrl === undefined ? {} : { canonical: canonicalUrl }),
    noindex: forbidsIndex(directives),
    nofollow: directives.has('nofollow') || directives.has('none'),
  };
}

const forbidsIndex = (directives: Set<string>): boolean => directives.has('noindex') || directives.has('none');

/** The X-Robots-Tag of a document that is not a page. */
export const asksForNoIndex = (robotsTag: string | undefined, robotName: string): boolean =>
  forbidsIndex(directivesOf(robotsTag ?? '', robotName));

function decoder(charset: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function absolute(href: string, base: string): string | undefined {
  const text = href.trim();
  if (text === '' || text.length > 4_000 || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** `noindex, otherbot: nofollow` → the directives for everybody or us. */
function directivesOf(text: string, robotName: string): Set<string> {
  const found = new Set<string>();
  let concernsUs = true;
  for (const part of text.slice(0, 2_000).toLowerCase().split(',')) {
    const [, agent, directive = ''] = /^\s*(?:([\w-]+)\s*:)?\s*([\w-]*)/.exec(part) ?? [];
    if (agent !== undefined && /^(?:max-|unavailable_after)/.test(agent)) continue;
    // An agent's name applies to the directives after it, up to the next name.
    if (agent !== undefined) concernsUs = agent === robotName || agent === 'robots';
    if (concernsUs && directive !== '') found.add(directive);
  }
  return found;
}

interface Tag {
  name: string;
  attributes: Map<string, string>;
}

const wanted = new Set(['a', 'area', 'base', 'link', 'meta']);
/** Elements whose content is not markup, with their end tags. */
const rawText = new Map(
  ['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, new RegExp(`</${name}`, 'gi')]),
);
const tagName = /[a-z][a-z0-9:-]{0,40}/iy;
const attribute = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/y;

function* tagsOf(html: string): Generator<Tag> {
  let at = 0;
  while ((at = html.indexOf('<', at)) >= 0) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      if (end < 0) return;
      at = end + 3;
      continue;
    }
    tagName.lastIndex = at + 1;
    const name = tagName.exec(html)?.[0].toLowerCase();
    if (name === undefined) {
      at++;
      continue;
    }
    at += 1 + name.length;
    const closing = rawText.get(name);
    if (closing !== undefined) {
      closing.lastIndex = at;
      if (!closing.test(html)) return;
      at = closing.lastIndex;
      continue;
    }
    if (!wanted.has(name)) continue;
    const attributes = new Map<string, string>();
    for (;;) {
      attribute.lastIndex = at;
      const match = attribute.exec(html);
      if (match === null) break;
      at = attribute.lastIndex;
      const key = match[1]!.toLowerCase();
      if (attributes.size < 50 && !attributes.has(key)) attributes.set(key, decodeEntities(match[2] ?? match[3] ?? match[4] ?? ''));
    }
    yield { name, attributes };
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (whole, decimal?: string, hex?: string, named?: string) => {
      if (named !== undefined) return entities[named] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );

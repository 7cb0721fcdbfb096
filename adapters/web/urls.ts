/** URLs for a crawl: which are the same page, which belong to a site, which may be documents. */

const trackingParameter =
  /^(utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|mkt_tok|_hs(enc|mi)|_ga|_gl|vero_id|oly_(anon|enc)_id|phpsessid|jsessionid|aspsessionid\w*)$/i;

/** The URL without fragment, tracking parameters and session ids, with its query sorted by name. */
export function canonicalUrl(text: string): string {
  const url = new URL(text);
  url.hash = '';
  url.username = '';
  url.password = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/gi, '');
  for (const name of new Set(url.searchParams.keys())) if (trackingParameter.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  // An empty query counts as none.
  if (url.searchParams.size === 0) url.search = '';
  return url.href;
}

/** Host with port, without `www.`: the same for http and https. */
export const siteOf = (url: string): string => new URL(url).host.replace(/^www\./, '').replace(/\.(?=$|:)/, '');

/** Identifies a page: the canonical URL without scheme and `www.`. */
export const pageKey = (url: string): string => canonicalUrl(url).replace(/^https?:\/\/(?:www\.)?/, '');

/** Extensions that are never readable documents. */
const otherFiles =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|heic|psd|mp[34]|m4[av]|mov|avi|mkv|webm|og[gv]|wav|flac|css|m?js|map|wasm|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|pkg|deb|rpm|apk|jar|iso|bin|json|xml|rss|atom|ics|torrent|epub|mobi)$/i;

const longestUrl = 1_000;
const mostSegments = 16;
const mostParameters = 8;

/** Whether a found link looks like a document, not like a trap (endless nesting, endless queries). */
export function isWorthFetching(text: string): boolean {
  if (text.length > longestUrl) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || otherFiles.test(url.pathname)) return false;
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > mostSegments || url.searchParams.size > mostParameters) return false;
  const times = new Map<string, number>();
  for (const segment of segments) times.set(segment, (times.get(segment) ?? 0) + 1);
  return Math.max(0, ...times.values()) < 3;
}

/** Shared by the same path with different queries (calendars, filters, sorting). */
export const pathOf = (key: string): string => key.split('?', 1)[0]!;

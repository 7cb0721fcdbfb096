/** Decides which addresses are the same article. */

/** Tracking parameters, which do not identify the content. */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_[ce]id|mkt_tok|_hs(?:enc|mi)|_ga|_gl|vero_id|oly_(?:anon|enc)_id|ref_src|ref_url|cmpid|ncid|guccounter|guce_\w+|spm|sr_share|smid|at_(?:medium|campaign|link_\w+))$/i;

const longestAddress = 2_048;

/**
 * The canonical form of an article's address: scheme and host in lower case, no default port, no user name, no
 * fragment, no tracking parameters, the rest of the query sorted by name, normalized escapes, no trailing slash
 * except for the root. http and https, and hosts with and without `www.`, are different, because they may be
 * different sites.
 * @returns undefined if it is not an http(s) address, or too long
 */
export function canonicalAddress(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longestAddress || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  url.username = '';
  url.password = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = oneSpelling(url.pathname).replace(/(?<=.)\/+$/, '');
  for (const name of new Set(url.searchParams.keys())) if (tracking.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  if (url.searchParams.size === 0) url.search = '';
  return url.href.length > longestAddress ? undefined : url.href;
}

/** `%7e` is `~`, `%2f` is not `/` but `%2F` (RFC 3986, 6.2.2). */
const oneSpelling = (path: string): string =>
  path.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });

import { AppError } from '../../contracts/errors.ts';
import { Entities } from './entities.ts';

export const notAFeed = (why: string): AppError =>
  new AppError('VALIDATION_ERROR', `This is not a feed: ${why}.`, {
    hint: 'Give the address of the RSS, Atom or JSON feed itself.',
    details: { reason: 'not_a_feed' },
  });

/** A web page instead of a feed; it often names its feeds. */
export function pageInstead(html: string, url: string): AppError {
  const feeds: string[] = [];
  const entities = new Entities();
  for (const [, attributes = ''] of html.slice(0, 200_000).matchAll(/<link\s([^<>]{1,2000})>/gi)) {
    if (!/type\s*=\s*["']?application\/(?:rss\+xml|atom\+xml|feed\+json)/i.test(attributes)) continue;
    const [, double, single, bare] = /href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes) ?? [];
    const href = entities.decode(double ?? single ?? bare ?? '');
    if (href !== '' && URL.canParse(href, url) && feeds.length < 10) feeds.push(new URL(href, url).href);
  }
  return new AppError('VALIDATION_ERROR', 'This is a web page and no feed.', {
    hint: feeds.length > 0 ? `Take the feed that it names: ${feeds[0]}` : 'Give the address of the RSS, Atom or JSON feed itself.',
    ...(feeds.length > 0 ? { alternatives: feeds } : {}),
    details: { reason: 'not_a_feed', feeds },
  });
}

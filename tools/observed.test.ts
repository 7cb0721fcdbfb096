import { expect, it } from 'vitest';
import { logFieldsOf } from './observed.ts';

it('spells attributes as fields of the log, and keeps addresses out of it', () => {
  expect(logFieldsOf({ 'feed.id': 'techcrunch_ai', 'feed.url': 'https://techcrunch.com/feed/', 'articles.count': 23 })).toEqual({
    feed_id: 'techcrunch_ai',
    article_count: 23,
  });
});

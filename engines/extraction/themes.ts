import type { Span } from './spans.ts';
import type { Talk } from './talk.ts';
import type { Scanned } from './tokens.ts';

/** Recurring subjects of customers, for any product. */
const themes = new Set(
  `pricing|onboarding|performance|reliability|stability|usability|accessibility|scalability|security|privacy|compliance|documentation|customer support|
  customer service|technical support|battery life|battery drain|data loss|data quality|user experience|learning curve|ease of use|response time|response times|
  load time|load times|loading time|loading times|localization|localisation|customization|customisation|automation|collaboration|user management|access control|
  vendor lock-in|total cost|discoverability|observability|interoperability|data residency|data retention|subscription price|price increase|price increases|
  time to value|change management|user adoption|search quality|mobile experience|in-app purchases|advertising|governance|auditability|extensibility`
    .split('|')
    .map((theme) => theme.trim()),
);
const cue =
  /\b(?:need|needs|want|wants|wish|hope|please|request|asked|asking|would like|improve|improved|better|worse|poor|bad|terrible|slow|expensive|too|lack|lacks|missing|concern|concerned|concerns|worried|complain|complained|frustrat\w{1,6}|disappoint\w{1,6}|issue|issues|problem|problems|struggle|struggling|difficult|confusing|love|great|excellent|important|priority)\b/i;

/** Themes with a request or complaint, or mentioned repeatedly in the document. */
export function themesOf(passages: readonly Scanned[], talk: Talk): Span[][] {
  if (!talk.product) return passages.map(() => []);
  const counts = new Map<string, number>();
  const found = passages.map(({ tokens, sentences, text }) => {
    const spans: { span: Span; theme: string; cued: boolean }[] = [];
    for (const sentence of sentences) {
      const cued = cue.test(text.slice(sentence.start, Math.min(sentence.end, sentence.start + 1_000)));
      for (let i = sentence.from; i < sentence.to; i += 1) {
        for (let length = 3; length >= 1; length -= 1) {
          if (i + length > sentence.to) continue;
          const theme = tokens
            .slice(i, i + length)
            .map((token) => token.lower)
            .join(' ');
          if (!themes.has(theme) || !tokens.slice(i + 1, i + length).every((token) => token.tight)) continue;
          counts.set(theme, (counts.get(theme) ?? 0) + 1);
          spans.push({
            theme,
            cued,
            span: {
              start: tokens[i]!.start,
              end: tokens[i + length - 1]!.end,
              type: 'theme',
              certain: false,
              confidence: cued ? 0.65 : 0.5,
              origin: 'rules',
            },
          });
          i += length - 1;
          break;
        }
      }
    }
    return spans;
  });
  return found.map((spans) => spans.filter(({ theme, cued }) => cued || counts.get(theme)! >= 2).map(({ span }) => span));
}

/** Names of fields whose values must not appear in a ledger, a log or a question. */
const secretName = /(secret|token|passw(or)?d|passphrase|credential|api[_-]?key|authorization|private[_-]?key|cookie)s?$/i;
/** Names that match the pattern but are harmless. */
const harmless = /^(fencing_token|page_token|next_cursor|tokens|max_tokens|token_count|idempotency_key)$/i;
const removed = '[removed]';
const deepest = 16;

/** The value without fields named like secrets: for hashes and for display. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth >= deepest) return removed;
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretName.test(key) && !harmless.test(key) && inner !== null && inner !== '' ? removed : withoutSecrets(inner, depth + 1),
    ]),
  );
}

/** Names of fields whose values must not appear in a ledger, a log or a question. */
const secretName = /(secret|token|passw(or)?d|passphrase|credential|api[_-]?key|authorization|private[_-]?key|cookie)s?$/i;
/** Names that match the pattern but are harmless. */
const harmless =
  /^(fencing_token|page_token|next_cursor|tokens|(max|total|(cache_[a-z]+_)?input|output|cached|reasoning)_tokens|token_count|idempotency_key)$/i;
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

/** Secrets as they stand in texts: keys of well-known services, of Signalbox, tokens of HTTP, PEM blocks, and assignments. */
const secretsInText: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, removed],
  [/\bsb_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g, removed],
  [/\b(?:sk|rk|pk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{20,}/g, removed],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{20,}|xox[abpors]-[A-Za-z0-9-]{10,})/g, removed],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{35}|\bnpm_[A-Za-z0-9]{36}\b|\bwhsec_[A-Za-z0-9+/=]{32,}/g, removed],
  [/\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g, removed],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,}/gi, `$1 ${removed}`],
  [/(:\/\/[^\s/:@]{1,100}):[^\s/@]{1,200}@/g, `$1:${removed}@`],
  [
    /\b([A-Za-z0-9_]*(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|private[_-]?key)["']?\s{0,3}[=:]\s{0,3}["']?)(?!\[removed\])[^\s"',;}]{8,}/gi,
    `$1${removed}`,
  ],
];

/** The text without what looks like a secret: it is what programs print, where nothing names a field. */
export const withoutSecretsIn = (text: string): string =>
  secretsInText.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), text);

/** As `withoutSecrets`, and its texts as `withoutSecretsIn`. */
export function cleanOfSecrets(value: unknown): unknown {
  const clean = (inner: unknown): unknown => {
    if (typeof inner === 'string') return withoutSecretsIn(inner);
    if (inner === null || typeof inner !== 'object') return inner;
    if (Array.isArray(inner)) return inner.map(clean);
    return Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, clean(each)]));
  };
  return clean(withoutSecrets(value));
}

import { nameKey } from '../text/names.ts';
import type { EvidenceInput, Unit } from './types.ts';
import type { Names } from './voices-names.ts';

/** Who posts for the vendor in a public thread. */

const works =
  /(?<![\p{L}'’])(?:i work (?:there|here|for|at|on)|i['’]m (?:from|with|on|part of) the [^.\n]{0,40}(?:team|company)|(?:dev|developer|founder|support|product manager|pm|engineer|ceo|team|staff)(?: \p{L}+)? here(?![\p{L}])|(?:official|staff|vendor|developer) (?:reply|response|answer)|ich arbeite (?:dort|da|hier|bei|für)|trabajo (?:allí|aquí|en|para)|je (?:travaille|bosse) (?:là|ici|chez|pour)|lavoro (?:lì|qui|per))/iu;

/** Names as written: by what they say of themselves, or by the vendor's name in their own ("ann_at_acme", "AcmeSupport"). */
export function staffIn({ passages }: EvidenceInput, units: readonly Unit[], names: Names): ReadonlySet<string> {
  const vendor = names.organisations.find(({ role }) => role === 'vendor');
  const labels = (vendor ? [vendor.name, ...vendor.aliases] : [])
    .map((name) => nameKey(name).replaceAll(' ', ''))
    .filter((name) => name.length >= 4);
  const staff = new Set<string>();
  for (const { speaker, passage, start, end, omitted } of units) {
    if (speaker === null || omitted !== null || staff.has(speaker)) continue;
    const plain = nameKey(speaker).replaceAll(' ', '');
    if (labels.some((label) => plain.includes(label)) || works.test(passages[passage]!.text.slice(start, Math.min(end, start + 400))))
      staff.add(speaker);
  }
  return staff;
}

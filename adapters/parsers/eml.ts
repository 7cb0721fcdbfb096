import PostalMime, { type Address, type Email } from 'postal-mime';
import { BlockList } from './blocks.ts';
import { fragmentBlocks } from './html.ts';
import { refusal, refusalOf } from './refusals.ts';
import type { Parsed, ParseInput } from './types.ts';

/** An e-mail: its text, else its HTML. Attachments are listed, not read. */
export async function read({ bytes }: ParseInput): Promise<Parsed> {
  let mail: Email;
  try {
    mail = await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024 });
  } catch (error) {
    throw refusalOf(error, 'The e-mail');
  }
  const list = new BlockList();
  const text = mail.text?.trim() ?? '';
  if (text !== '') for (const paragraph of text.split(/\n[ \t]*\n/)) list.add('paragraph', paragraph);
  else if (mail.html) fragmentBlocks(mail.html, list);
  const attachments = mail.attachments.map((each) => ({
    name: each.filename ?? '(without name)',
    media_type: each.mimeType,
    bytes: each.content instanceof ArrayBuffer ? each.content.byteLength : each.content.length,
  }));
  if (attachments.length > 0) list.add('list', `Attachments:\n${attachments.map(({ name }) => `- ${name}`).join('\n')}`);
  if (list.blocks.length === 0 && !mail.subject) throw refusal('empty', 'The e-mail has no text.');
  const people = (addresses: Address[] | undefined): string[] | undefined =>
    addresses?.length ? addresses.slice(0, 100).map(addressText) : undefined;
  const metadata = {
    from: mail.from && addressText(mail.from),
    to: people(mail.to),
    cc: people(mail.cc),
    reply_to: people(mail.replyTo),
    date: mail.date,
    sent_day: sentDay(mail),
    auto_submitted: isAutomatic(mail) ? true : undefined,
    message_id: mail.messageId,
    in_reply_to: mail.inReplyTo,
    attachments: attachments.length > 0 ? attachments.slice(0, 100) : undefined,
  };
  // An e-mail with only a subject still has content.
  if (list.blocks.length === 0) list.add('paragraph', mail.subject!);
  return {
    format: 'eml',
    ...(mail.subject ? { title: mail.subject } : {}),
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)),
    blocks: list.blocks,
    tables: list.tables,
  };
}

/** ISO day where the sender is: `date` is in UTC, which may be another day. */
function sentDay({ date, headers }: Email): string | undefined {
  const offset = /([+-])(\d\d)(\d\d)\s*(?:\(.*)?$/.exec(headers.find(({ key }) => key === 'date')?.value ?? '');
  const at = new Date(date ?? '').getTime();
  if (offset === null || Number.isNaN(at)) return undefined;
  const minutes = Number(`${offset[1]!}1`) * (Number(offset[2]) * 60 + Number(offset[3]));
  return new Date(at + minutes * 60_000).toISOString().slice(0, 10);
}

/** RFC 3834, and what programs wrote before it. */
const isAutomatic = ({ headers }: Email): boolean =>
  headers.some(
    ({ key, value }) =>
      (key === 'auto-submitted' && !/^\s*no\b/i.test(value)) ||
      /^x-auto(?:reply|respond)$/.test(key) ||
      (key === 'precedence' && /auto_reply/i.test(value)),
  );

const addressText = (address: Address): string =>
  address.address === undefined || address.address === ''
    ? address.name
    : address.name
      ? `${address.name} <${address.address}>`
      : address.address;

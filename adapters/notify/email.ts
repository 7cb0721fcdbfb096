import type { SentMessageInfo } from 'nodemailer';
import { AppError, type ErrorCode } from '../../contracts/errors.ts';
import type { Outcome } from '../../contracts/outbound/connectors.ts';
import { providerError } from '../connectors/failures.ts';
import { htmlMessage, oneLine, plainMessage } from './render.ts';
import type { ChannelPort, Outgoing } from './types.ts';

export interface MailSettings {
  /** `smtp://user:password@host:587`; null: no e-mail is sent. */
  url: string | null;
  /** `Name <address>` or an address. */
  from: string;
}

const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 8_000 };
/** One mailbox in its plain form, without quoted names and routes. */
const address = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,253}$)([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}$/;

/**
 * Plain text and HTML by SMTP. The Message-ID is the same for retries, so that mailboxes can detect repeats; SMTP
 * cannot be asked about earlier messages.
 */
export function emailChannel({ url, from }: MailSettings): ChannelPort {
  return {
    check(recipient) {
      const wanted = recipient.trim();
      if (address.test(wanted)) return wanted;
      throw new AppError('VALIDATION_ERROR', 'This is not an e-mail address.', {
        hint: 'Give one address such as ann@example.com, without a name.',
        details: { reason: 'recipient' },
      });
    },
    shown: (recipient) => recipient,
    stays: () => false,
    async send(outgoing) {
      if (url === null)
        throw providerError('CONFLICT', 'No mail server is configured.', 'refused', 'not_configured', { hint: 'SMTP_URL names one.' });
      await sendMail(url, from, outgoing);
    },
    find: () => Promise.resolve('unknown'),
  };
}

async function sendMail(url: string, from: string, { id, recipient, message, signal }: Outgoing): Promise<void> {
  let handedOver = false;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    ...timeouts,
    transactionLog: true,
    logger: {
      // After 354 the message is being sent, and a lost connection leaves the outcome unknown.
      debug(entry: { tnx?: string }, line: string) {
        if (entry.tnx === 'server' && line.startsWith('354')) handedOver = true;
      },
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sent: SentMessageInfo = await transport.sendMail({
      from,
      to: { name: '', address: recipient },
      subject: oneLine(message.title),
      text: plainMessage(message),
      html: htmlMessage(message),
      messageId: `<${id}@${from.replace(/>\s*$/, '').split('@').at(-1) ?? 'localhost'}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(signal ? { signal } : {}),
    });
    if ((sent.rejected?.length ?? 0) > 0) throw new Error('the server refused all recipients');
  } catch (error) {
    throw explained(error, handedOver);
  } finally {
    transport.close();
  }
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
}

function explained(error: unknown, handedOver: boolean): AppError {
  const { code = 'failed', responseCode: status } = error as SmtpFailure;
  const failure = (as: ErrorCode, message: string, outcome: Outcome, hint: string): AppError =>
    providerError(as, message, outcome, status === undefined ? code : `smtp_${status}`, {
      hint,
      details: { smtp_error: status ?? code },
      cause: error,
    });
  // 5xx stays so; 4xx is busy or greylisting, and nothing was taken.
  if (status !== undefined && status >= 500) {
    return code === 'EAUTH'
      ? failure('FORBIDDEN', 'The mail server does not accept the configured login.', 'refused', 'Whoever runs this mends SMTP_URL.')
      : failure('VALIDATION_ERROR', `The mail server refuses the message (${status}).`, 'refused', 'Check the address.');
  }
  const later = 'It is tried again by itself.';
  if (status !== undefined && status >= 400)
    return failure('SERVICE_UNAVAILABLE', `The mail server is busy (${status}).`, 'not_sent', later);
  return handedOver
    ? failure(
        'SERVICE_UNAVAILABLE',
        'The mail server did not confirm the message.',
        'unknown',
        'Look into the mailbox before sending it again.',
      )
    : failure('SERVICE_UNAVAILABLE', 'The mail server is not reachable.', 'not_sent', later);
}

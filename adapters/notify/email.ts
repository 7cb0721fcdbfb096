import { createTransport, type SentMessageInfo } from 'nodemailer';
import { AppError } from '../../contracts/errors.ts';
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
    if ((sent.rejected?.length ?? 0) > 0) throw new Error('the server took the message for nobody');
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
  const details = (outcome: string) => ({ outcome, reason: status === undefined ? code : `smtp_${status}`, smtp_error: status ?? code });
  // 5xx is permanent; 4xx means busy or greylisted, and nothing was accepted.
  if (status !== undefined && status >= 500) {
    const login = code === 'EAUTH';
    return new AppError(
      login ? 'FORBIDDEN' : 'VALIDATION_ERROR',
      login ? 'The mail server does not accept the configured login.' : `The mail server refuses the message (${status}).`,
      {
        hint: login ? 'The operator must correct SMTP_URL.' : 'Check the address.',
        details: details('refused'),
        cause: error,
      },
    );
  }
  if (status !== undefined && status >= 400) {
    return new AppError('SERVICE_UNAVAILABLE', `The mail server is busy (${status}).`, {
      hint: 'It is tried again by itself.',
      details: details('not_sent'),
      cause: error,
    });
  }
  return new AppError(
    'SERVICE_UNAVAILABLE',
    handedOver ? 'The mail server did not confirm the message.' : 'The mail server is not reachable.',
    {
      hint: handedOver ? 'Look into the mailbox before sending it again.' : 'It is tried again by itself.',
      details: details(handedOver ? 'unknown' : 'not_sent'),
      cause: error,
    },
  );
}

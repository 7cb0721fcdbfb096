import { AppError } from '../../contracts/errors.ts';
import type { Connector, ProviderCall } from '../connectors/types.ts';
import { slackMessage } from './render.ts';
import type { ChannelPort, Outgoing } from './types.ts';

/** Posts through the connector, with the notification's id, so that a post with a lost answer can be found. */
export function slackChannel(connector: Connector): ChannelPort {
  return {
    check(recipient) {
      const channel = recipient.trim();
      if (/^[A-Z][A-Z0-9_]{1,79}$/.test(channel) || /^#?[\p{L}\p{N}_-]{1,80}$/u.test(channel)) return channel;
      throw new AppError('VALIDATION_ERROR', 'This is not a Slack channel.', {
        hint: "Give the channel's id, e.g. C0123456789.",
        details: { reason: 'recipient' },
      });
    },
    shown: (recipient) => recipient,
    stays: () => false,
    send: (outgoing) => said(async () => void (await connector.send(callOf(outgoing)))),
    find: (outgoing) =>
      said(async () => {
        const found = await connector.find(callOf(outgoing));
        return typeof found === 'string' ? found : 'arrived';
      }),
  };
}

const callOf = ({ id, recipient, message, token, since, signal }: Outgoing): ProviderCall => ({
  token: token!,
  callKey: id,
  request: { channel: recipient, text: slackMessage(message) },
  since,
  ...(signal ? { signal } : {}),
});

/** The connector has Slack's error in `reason`. */
async function said<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { details } = error instanceof AppError ? error : {};
    if (details?.['outcome'] !== undefined) details['slack_error'] = details['reason'];
    throw error;
  }
}

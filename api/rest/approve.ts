import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';
import type { Approval, ApprovalStatus } from '../../contracts/governance/policy.ts';
import { withHidden } from '../../engines/text/hidden.ts';
import type { OpenedLink } from '../../services/outbound/approval-links.ts';
import { pagePolicy } from '../console/static.ts';
import type { ServerParts } from '../parts.ts';
import type { Failures } from '../plugins/auth.ts';
import { understandHttp } from '../plugins/errors.ts';
import { escape, style } from './landing.ts';

/** Characters of arguments that a page shows at most. Whoever cannot see all of them cannot decide here. */
const longest = 200_000;

/**
 * `/approve?token=…`: the page of a link in an alert. It shows what would be approved, and works without scripts. Only
 * sending its form decides, because programs follow links in messages.
 */
export function installApproveLinks(app: FastifyInstance, { services, pipeline }: ServerParts, failures: Failures): void {
  const open = async (request: FastifyRequest, token: unknown): Promise<OpenedLink> => {
    if (!services) throw new AppError('SERVICE_UNAVAILABLE', 'Approvals are not served here.');
    return await failures.counting(request, () => services().approvalLinks.open(typeof token === 'string' ? token : ''));
  };
  void app.register(async (page) => {
    page.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 4_096 }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    page.setErrorHandler(async (caught, request, reply) => {
      const { error, status } = understandHttp(caught, request);
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
      return await send(reply.code(status), refusalPage(error));
    });

    page.get<{ Querystring: { token?: unknown } }>('/approve', async (request, reply) => {
      const { token } = request.query;
      return await send(reply, callPage(await open(request, token), String(token)));
    });

    page.post<{ Body: { token?: unknown; decision?: unknown } | null }>('/approve', async (request, reply) => {
      const { token, decision } = request.body ?? {};
      if (decision !== 'approve' && decision !== 'reject') throw new AppError('VALIDATION_ERROR', 'The page sent no decision.');
      const { approval, decider: caller } = await open(request, token);
      if (approval.status === 'pending') {
        const { approval_id, input_hash } = approval;
        const { error } = await pipeline.call({
          name: `approval.request.${decision}`,
          arguments: decision === 'approve' ? { approval_id, input_hash, wait_seconds: 0 } : { approval_id },
          caller,
          front: 'link',
        });
        // Somebody was faster: the page shows who, and what they decided.
        if (error && error.code !== 'CONFLICT') throw error;
      }
      // A reload shows the outcome, and sends nothing again.
      return await reply
        .code(303)
        .headers(privateHeaders)
        .header('location', `approve?token=${String(token)}`)
        .send();
    });
  });
}

const privateHeaders = { 'cache-control': 'private, no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex, nofollow' };

async function send(reply: FastifyReply, body: { title: string; html: string }): Promise<FastifyReply> {
  const nonce = randomBytes(18).toString('base64');
  return await reply.headers({
    ...privateHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(nonce),
    'cross-origin-opener-policy': 'same-origin',
  }).send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox: ${escape(body.title)}</title><style nonce="${nonce}">${style}${ownStyle}</style></head><body><main>
<h1>${escape(body.title)}</h1>
${body.html}
</main></body></html>
`);
}

const ownStyle = `
th{white-space:normal;width:30%}pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:6px;background:var(--box);unicode-bidi:isolate;direction:ltr}
mark{background:none;border:1px solid currentColor;border-radius:4px;padding:0 .25rem;font:.8em ui-monospace,monospace;color:light-dark(#8a4b00,#f0b35a)}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0}button{font:inherit;min-height:44px;min-width:8rem;padding:.4rem 1.25rem;border-radius:6px;border:1px solid var(--ink);background:var(--page);color:var(--ink);cursor:pointer}
button.approve{background:var(--ink);color:var(--page)}button:focus-visible{outline:3px solid var(--blue);outline-offset:2px}`;

/** Text from outside, on which nothing acts: no markup, and no character that is not seen. */
const outside = (text: string): string =>
  withHidden(text)
    .map((piece, i) => (i % 2 === 1 ? `<mark>${piece}</mark>` : escape(piece)))
    .join('');

const time = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

const headings: Record<ApprovalStatus, string> = {
  pending: 'A call waits for you',
  approved: 'Approved: it runs now',
  started: 'Approved: it runs now',
  completed: 'Approved, and done',
  failed: 'Approved, but it failed',
  ambiguous: 'Approved, but its outcome is not known',
  rejected: 'Rejected: it does not run',
  expired: 'Expired: nobody decided in time',
  cancelled: 'Cancelled: it is no longer wanted',
};

function callPage({ approval, decider, until }: OpenedLink, token: string): { title: string; html: string } {
  const { status, tool, called_as: calledAs, decided_by: by, decided_at: at } = approval;
  const args = JSON.stringify(approval.arguments, null, 2) ?? '';
  const tooLong = args.length > longest;
  const rows: [string, string][] = [
    ['Tool', `<b>${outside(tool)}</b>${calledAs === tool ? '' : `, called as ${outside(calledAs)}`}`],
    ['Who asks', `${outside(approval.requested_by)} (${approval.requester_kind === 'agent' ? 'an agent' : 'a person'})`],
    ['Why you are asked', outside(approval.reason)],
    ['Asked at', time(approval.requested_at)],
    ['Waits until', time(approval.expires_at)],
    ...(status === 'pending' ? [['This link works until', time(until)] as [string, string]] : []),
    ...(by === null ? [] : [['Decided by', `${outside(by)}${at === null ? '' : `, ${time(at)}`}`] as [string, string]]),
    ['Fingerprint', `<code>${escape(approval.input_hash)}</code>`],
  ];
  return {
    title: headings[status],
    html: `<table>${rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`).join('')}</table>
<h2>Arguments</h2>
<pre>${tooLong ? `${args.length} characters: too many for this page.` : outside(args)}</pre>
<p><small>Values of fields that are named like secrets are removed. Characters that cannot be seen are shown as their code.</small></p>
${status !== 'pending' ? '' : tooLong ? '<p>Decide in the console, where all of it can be read.</p>' : decisionForm(approval, token, decider.principal)}`,
  };
}

const decisionForm = ({ tool }: Approval, token: string, as: string): string => `<p>You decide as <b>${outside(as)}</b>, once.</p>
<form method="post" action="approve"><input type="hidden" name="token" value="${escape(token)}">
<button class="approve" name="decision" value="approve" aria-label="Approve ${escape(tool)}">Approve</button>
<button name="decision" value="reject" aria-label="Reject ${escape(tool)}">Reject</button></form>`;

const refusalPage = ({ message, hint, retryable }: AppError): { title: string; html: string } => ({
  title: retryable ? 'Not decided: try again' : 'This link cannot be used',
  html: `<p role="alert">${outside(message)}</p>${hint === undefined ? '' : `<p>${outside(hint)}</p>`}`,
});

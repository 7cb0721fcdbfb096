import type { AppError } from '../../contracts/errors.ts';
import { providerError } from '../connectors/failures.ts';
import { awayOf } from './away.ts';
import { documentOf, wikiOf } from './jira-text.ts';
import { asking, perPage, query } from './requests.ts';
import type { Issue, IssueComment, IssuePage, TrackerPlace, TrackerPort } from './types.ts';

interface User {
  displayName?: string;
  /** Of people who show it. */
  emailAddress?: string;
  /** Cloud. */
  accountId?: string;
  /** Data Center. */
  name?: string;
  /** Cloud: atlassian, app or customer. */
  accountType?: string;
}

interface JiraIssue {
  key: string;
  fields: {
    summary: string | null;
    /** Wiki markup: version 2 of the API gives that in Cloud, too. */
    description: string | null;
    status: { statusCategory: { key: string } };
    labels: string[];
    creator: User | null;
    assignee?: User | null;
    updated: string;
  };
}

interface JiraComment {
  id: string;
  body: string;
  author: User | null;
  created: string;
  updated: string;
  properties?: { key: string; value: unknown }[];
}

interface Transition {
  id: string;
  name: string;
  to: { statusCategory: { key: string } };
}

/** The property of a comment that has its marker: Jira shows HTML comments, and Cloud rewrites what is invisible. */
const property = 'signalbox';
/** In a service desk, comments are for its team unless they say otherwise. */
const internal = { key: 'sd.public.comment', value: { internal: true } };

/** Minutes by which changes are asked for too early: JQL counts minutes back from Jira's own clock, which may differ. */
const slack = 10;

/** In Cloud, a token belongs to an address and is given as `address:token`; in Data Center it stands alone. */
const isCloud = ({ token }: TrackerPlace): boolean => /^[^\s:]+@[^\s:]+:/.test(token);

/** Jira Cloud and Jira Data Center, by their REST API (2, and 3 for what Cloud has there alone). */
export function jira(fetched: typeof fetch): TrackerPort {
  const ask = asking(fetched, 'Jira', (place) =>
    isCloud(place) ? { authorization: `Basic ${Buffer.from(place.token).toString('base64')}` } : {},
  );
  const keyOf = ({ repository }: TrackerPlace, number: number): string => `${repository}-${number}`;
  const issue = (place: TrackerPlace, number: number): string => `/rest/api/2/issue/${keyOf(place, number)}`;

  return {
    check: async (place) => void (await ask(place, { to: `/rest/api/2/project/${place.repository}` })),

    async issues(place, wanted): Promise<IssuePage> {
      const fields = {
        jql: jqlOf(place, wanted),
        fields: 'summary,description,status,labels,creator,updated',
        maxResults: perPage,
        ...(isCloud(place) ? { nextPageToken: wanted.page } : { startAt: wanted.page ?? '0' }),
      };
      const { body } = await ask(place, { to: `/rest/api/2/search${isCloud(place) ? '/jql' : ''}?${query(fields)}` });
      const listed = body as { issues: JiraIssue[]; nextPageToken?: string | null; startAt?: number; total?: number };
      const from = wanted.since === null ? 0 : Date.parse(wanted.since);
      const until = listed.issues.at(-1)?.fields.updated;
      return {
        issues: listed.issues.map((each) => issueOf(place, each)).filter(({ updatedAt }) => Date.parse(updatedAt) >= from),
        next: isCloud(place) ? (listed.nextPageToken ?? null) : following(listed, listed.issues.length),
        etag: null,
        unchanged: false,
        until: until === undefined ? null : isoOf(until),
      };
    },

    away: (place, number, filter) =>
      awayOf(filter, async () => {
        const { body } = await ask(place, { to: `${issue(place, number)}?fields=labels,assignee` });
        const { key, fields } = body as JiraIssue;
        // The key of a moved issue leads to it.
        if (key !== keyOf(place, number)) return 'moved';
        const { assignee } = fields;
        return { labels: fields.labels, assignees: [assignee?.displayName, assignee?.emailAddress, assignee?.accountId, assignee?.name] };
      }),

    async comments(place, number, { since, page }) {
      const fields = query({ startAt: page ?? '0', maxResults: perPage, orderBy: 'created', expand: 'properties' });
      const { body } = await ask(place, { to: `${issue(place, number)}/comment?${fields}` });
      const listed = body as { comments: JiraComment[]; startAt: number; total: number };
      const from = since === null ? 0 : Date.parse(since);
      // They cannot be asked for by time.
      const comments = listed.comments.map(commentOf).filter(({ updatedAt }) => Date.parse(updatedAt) >= from);
      return { comments, next: following(listed, listed.comments.length) };
    },

    async comment(place, number, text, marker) {
      const properties = [{ key: property, value: { marker } }, internal];
      const cloud = isCloud(place);
      const to = cloud ? `/rest/api/3/issue/${keyOf(place, number)}/comment` : `${issue(place, number)}/comment`;
      const answer = await ask(place, { to, method: 'POST', body: { body: cloud ? documentOf(text) : wikiOf(text), properties } });
      return (answer.body as JiraComment).id;
    },

    async close(place, number) {
      const { body: now } = await ask(place, { to: `${issue(place, number)}?fields=status` });
      if (isDone((now as JiraIssue).fields.status)) return;
      const { body } = await ask(place, { to: `${issue(place, number)}/transitions` });
      const ends = (body as { transitions: Transition[] }).transitions.filter(({ to }) => isDone(to));
      // A workflow may end in several ways, of which some mean that nothing was done.
      const end = ends.find(({ name }) => /\b(done|resolve|complete|close|finish)/i.test(name)) ?? ends[0];
      if (!end) throw noEnd(keyOf(place, number));
      await ask(place, { to: `${issue(place, number)}/transitions`, method: 'POST', body: { transition: { id: end.id } } });
    },

    pulls: null,
  };
}

/** A value in JQL. */
const term = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

function jqlOf({ repository }: TrackerPlace, { since, state, labels, assignee }: Parameters<TrackerPort['issues']>[1]): string {
  const conditions = [
    `project = ${term(repository)}`,
    ...(state === 'open' ? ['statusCategory != Done'] : []),
    ...labels.map((label) => `labels = ${term(label)}`),
    ...(assignee === null ? [] : [`assignee = ${term(assignee)}`]),
    // A date would be read in the time zone of the token's owner.
    ...(since === null ? [] : [`updated >= "-${Math.max(0, Math.ceil((Date.now() - Date.parse(since)) / 60_000)) + slack}m"`]),
  ];
  return `${conditions.join(' and ')} order by updated asc, key asc`;
}

const following = ({ startAt = 0, total = 0 }: { startAt?: number; total?: number }, count: number): string | null =>
  count > 0 && startAt + count < total ? String(startAt + count) : null;

const isDone = ({ statusCategory }: { statusCategory: { key: string } }): boolean => statusCategory.key === 'done';

/** Jira's times end in +0000. */
const isoOf = (time: string): string => new Date(time).toISOString();

const issueOf = ({ baseUrl }: TrackerPlace, { key, fields }: JiraIssue): Issue => ({
  number: Number(key.slice(key.lastIndexOf('-') + 1)),
  title: fields.summary ?? '',
  body: fields.description ?? '',
  state: isDone(fields.status) ? 'closed' : 'open',
  url: `${baseUrl}/browse/${key}`,
  labels: fields.labels,
  author: fields.creator?.displayName ?? 'somebody',
  comments: null,
  updatedAt: isoOf(fields.updated),
});

const commentOf = ({ id, body, author, created, updated, properties = [] }: JiraComment): IssueComment => ({
  id,
  author: author?.displayName ?? 'somebody',
  automatic: author?.accountType === 'app',
  body,
  marker: markerOf(properties.find(({ key }) => key === property)?.value),
  createdAt: isoOf(created),
  updatedAt: isoOf(updated),
});

const markerOf = (value: unknown): string | null => {
  const { marker } = (value ?? {}) as { marker?: unknown };
  return typeof marker === 'string' ? marker : null;
};

const noEnd = (key: string): AppError =>
  providerError('VALIDATION_ERROR', `${key} has no transition to a status of the category Done.`, 'refused', 'no_transition', {
    hint: 'Allow the token one in the workflow of the project, or save the tracker with close_done: false.',
  });

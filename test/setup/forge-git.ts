/** The REST APIs of GitHub and GitLab. */
import { found, speak, type Answer, type Dialect, type Forge, type ForgeComment, type ForgeIssue, type ForgePull } from './forge-base.ts';

const openPullOf = (forge: Forge, head: string): ForgePull | undefined =>
  forge.pulls.find((pull) => pull.head === head && pull.state === 'open');

function makePull(forge: Forge, fields: Pick<ForgePull, 'head' | 'base' | 'title' | 'body'>): ForgePull {
  const pull: ForgePull = { ...fields, number: 500 + forge.pulls.length, state: 'open', commit: null };
  forge.pulls.push(pull);
  return pull;
}

const user = (login: string, type = 'User') => ({
  login,
  id: login.length,
  type,
  site_admin: false,
  html_url: `https://github.test/${login}`,
});

const bearer = (token: string): string => `Bearer ${token}`;
const gets = ({ method }: { method: string }): boolean => method === 'GET';

export const github: Dialect = {
  repository: 'acme/shop',
  token: 'forge-token-0123456789',
  path: '/api/v3',
  prefix: (forge) => `/repos/${forge.repository}`,
  authorization: bearer,
  // Its times have seconds.
  now: () => `${new Date().toISOString().slice(0, 19)}Z`,
  reads: gets,

  answer(forge, { method, path, query, body }) {
    const web = `https://github.test/${forge.repository}`;
    const issueOf = (issue: ForgeIssue) => ({
      id: 1_000 + issue.number,
      number: issue.number,
      title: issue.title,
      body: issue.body,
      state: issue.state,
      state_reason: issue.state === 'closed' ? 'completed' : null,
      locked: false,
      html_url: `${web}/${issue.pull ? 'pull' : 'issues'}/${issue.number}`,
      labels: issue.labels.map((name, id) => ({ id, name, color: 'ededed', default: false, description: null })),
      assignee: issue.assignee === null ? null : user(issue.assignee),
      assignees: issue.assignee === null ? [] : [user(issue.assignee)],
      user: user(issue.author),
      comments: forge.comments.filter(({ number }) => number === issue.number).length,
      created_at: issue.updated,
      updated_at: issue.updated,
      ...(issue.pull ? { pull_request: { url: `${forge.url}/repos/${forge.repository}/pulls/${issue.number}`, merged_at: null } } : {}),
    });
    const commentOf = (comment: ForgeComment) => ({
      id: comment.id,
      body: comment.body,
      user: user(comment.author, comment.bot ? 'Bot' : 'User'),
      html_url: `${web}/issues/${comment.number}#issuecomment-${comment.id}`,
      created_at: comment.created,
      updated_at: comment.updated,
    });
    const pullOf = (pull: ForgePull) => ({
      number: pull.number,
      html_url: `${web}/pull/${pull.number}`,
      state: pull.state === 'open' ? 'open' : 'closed',
      title: pull.title,
      body: pull.body,
      draft: false,
      head: { ref: pull.head },
      base: { ref: pull.base },
      merged_at: pull.state === 'merged' ? '2027-03-20T10:00:00Z' : null,
      // While it is open, GitHub tries a merge out.
      merge_commit_sha: pull.commit ?? 'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
    });
    if (path === '') return { status: 200, body: { full_name: forge.repository, private: true, has_issues: true } };
    if (path === '/issues' && method === 'GET') {
      const listed = found(forge, {
        labels: query.get('labels'),
        assignee: query.get('assignee'),
        since: query.get('since'),
        state: query.get('state') ?? 'open',
      });
      return { status: 200, body: listed.map(issueOf), listed: true };
    }
    if (path === '/pulls' && method === 'GET') {
      const head = (query.get('head') ?? '').replace(/^[^:]*:/, '');
      return {
        status: 200,
        body: forge.pulls
          .filter((pull) => pull.head === head)
          .reverse()
          .map(pullOf),
        listed: true,
      };
    }
    if (path === '/pulls') {
      const fields = body as unknown as Pick<ForgePull, 'head' | 'base' | 'title' | 'body'>;
      const refused = (message: string): Answer => ({
        status: 422,
        body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message }] },
      });
      if (openPullOf(forge, fields.head)) return refused(`A pull request already exists for acme:${fields.head}.`);
      if (fields.head.includes('empty')) return refused(`No commits between ${fields.base} and ${fields.head}`);
      return { status: 201, body: pullOf(makePull(forge, fields)) };
    }
    const [, what, id, rest] = /^\/(issues|pulls)\/(\d+)(\/comments)?$/.exec(path) ?? [];
    if (what === 'pulls') {
      const pull = forge.pulls.find(({ number }) => number === Number(id));
      return pull ? { status: 200, body: pullOf(pull) } : null;
    }
    const issue = forge.issues.find(({ number }) => number === Number(id));
    if (what === undefined || !issue) return null;
    if (issue.away === 'deleted') return { status: 410, body: { message: 'This issue was deleted' } };
    if (issue.away === 'moved') {
      const location = `${forge.url}/repositories/8/issues/70`;
      return { status: 301, body: { message: 'Moved Permanently', url: location }, headers: { location } };
    }
    if (rest === undefined && method === 'GET') return { status: 200, body: issueOf(issue) };
    if (rest === undefined && method === 'PATCH') {
      forge.change(issue.number, { state: body['state'] as 'closed' });
      return { status: 200, body: issueOf(issue) };
    }
    if (method === 'POST') return { status: 201, body: commentOf(speak(forge, issue.number, body['body'])), spoke: true };
    const since = query.get('since');
    const listed = forge.comments.filter(
      ({ number, updated }) => number === issue.number && (since === null || Date.parse(updated) >= Date.parse(since)),
    );
    return { status: 200, body: listed.map(commentOf), listed: true };
  },
};

export const gitlab: Dialect = {
  repository: 'acme/web/shop',
  token: 'forge-token-0123456789',
  path: '/api/v4',
  authorization: bearer,
  now: () => new Date().toISOString(),
  reads: gets,
  prefix: (forge) => `/projects/${encodeURIComponent(forge.repository)}`,

  answer(forge, { method, path, query, body }) {
    const web = `https://gitlab.test/${forge.repository}/-`;
    const issueOf = (issue: ForgeIssue) => ({
      id: 1_000 + issue.number,
      iid: issue.number,
      project_id: 7,
      title: issue.title,
      description: issue.body,
      state: issue.state === 'open' ? 'opened' : 'closed',
      web_url: `${web}/issues/${issue.number}`,
      labels: issue.labels,
      author: { id: 1, username: issue.author, state: 'active' },
      assignees: issue.assignee === null ? [] : [{ username: issue.assignee }],
      moved_to_id: issue.away === 'moved' ? 4_711 : null,
      user_notes_count: forge.comments.filter(({ number, bot }) => number === issue.number && !bot).length,
      created_at: issue.updated,
      updated_at: issue.updated,
    });
    const noteOf = (comment: ForgeComment) => ({
      id: comment.id,
      type: null,
      body: comment.body,
      author: { id: 1, username: comment.author, state: 'active' },
      system: comment.bot,
      noteable_type: 'Issue',
      noteable_iid: comment.number,
      created_at: comment.created,
      updated_at: comment.updated,
    });
    const mergeOf = (pull: ForgePull) => ({
      iid: pull.number,
      web_url: `${web}/merge_requests/${pull.number}`,
      state: pull.state === 'open' ? 'opened' : pull.state,
      title: pull.title,
      description: pull.body,
      source_branch: pull.head,
      target_branch: pull.base,
      sha: '5'.repeat(40),
      merge_commit_sha: pull.commit,
      squash_commit_sha: null,
    });
    if (path === '') return { status: 200, body: { id: 7, path_with_namespace: forge.repository, issues_access_level: 'enabled' } };
    if (path === '/issues' && method === 'GET') {
      const listed = found(forge, {
        labels: query.get('labels'),
        assignee: query.get('assignee_username'),
        since: query.get('updated_after'),
        state: query.get('state'),
      });
      return { status: 200, body: listed.map(issueOf), listed: true };
    }
    if (path === '/merge_requests' && method === 'GET') {
      const listed = forge.pulls.filter((pull) => pull.head === query.get('source_branch')).reverse();
      return { status: 200, body: listed.map(mergeOf), listed: true };
    }
    if (path === '/merge_requests') {
      const { source_branch: head, target_branch: base, title, description } = body as Record<string, string>;
      if (openPullOf(forge, head!))
        return { status: 409, body: { message: ['Another open merge request already exists for this source branch: !500'] } };
      return { status: 201, body: mergeOf(makePull(forge, { head: head!, base: base!, title: title!, body: description! })) };
    }
    const [, what, id, rest] = /^\/(issues|merge_requests)\/(\d+)(\/notes)?$/.exec(path) ?? [];
    if (what === 'merge_requests') {
      const pull = forge.pulls.find(({ number }) => number === Number(id));
      return pull ? { status: 200, body: mergeOf(pull) } : null;
    }
    const issue = forge.issues.find(({ number }) => number === Number(id));
    if (what === undefined || !issue || issue.away === 'deleted') return null;
    if (rest === undefined && method === 'GET') return { status: 200, body: issueOf(issue) };
    if (rest === undefined && method === 'PUT') {
      if (body['state_event'] === 'close') forge.change(issue.number, { state: 'closed' });
      return { status: 200, body: issueOf(issue) };
    }
    if (method === 'POST') return { status: 201, body: noteOf(speak(forge, issue.number, body['body'])), spoke: true };
    const listed = forge.comments
      .filter(({ number }) => number === issue.number)
      .sort((one, other) => Date.parse(one.updated) - Date.parse(other.updated) || Number(one.id) - Number(other.id));
    return { status: 200, body: listed.map(noteOf), listed: true };
  },
};

/** The kinds of issue trackers, and what sets them apart. */

export const trackerKinds = ['github', 'gitlab', 'jira', 'linear'] as const;
export type TrackerKind = (typeof trackerKinds)[number];

interface KindOfTracker {
  title: string;
  /** Where it answers, unless the tracker says otherwise; null: the tracker must say it. */
  url: string | null;
  /** Of `repository`, and what it is. */
  pattern: RegExp;
  names: string;
  /** Whether work can go there as pull requests. */
  code: boolean;
}

export const kindsOfTrackers: Record<TrackerKind, KindOfTracker> = {
  github: { title: 'GitHub', url: 'https://api.github.com', pattern: /^[\w.-]+\/[\w.-]+$/, names: 'owner/name', code: true },
  gitlab: { title: 'GitLab', url: 'https://gitlab.com/api/v4', pattern: /^[\w.-]+(\/[\w.-]+)+$/, names: 'group/name', code: true },
  jira: { title: 'Jira', url: null, pattern: /^[A-Z][A-Z0-9_]+$/, names: 'the key of a project, such as SHOP', code: false },
  linear: {
    title: 'Linear',
    url: 'https://api.linear.app',
    pattern: /^[A-Z][A-Z0-9]*$/,
    names: 'the key of a team, such as ENG',
    code: false,
  },
};

/** What people call an issue: #12 in a repository, SHOP-12 in a project. */
export const issueName = ({ kind, repository }: { kind: TrackerKind; repository: string }, number: number): string =>
  kindsOfTrackers[kind].code ? `#${number}` : `${repository}-${number}`;

/** A name with context, for comparison. */
export interface NamedThing {
  /** The name's key (names.ts). */
  key: string;
  type: string;
  /** Keys of its further names; the best pair of names counts. */
  aliases?: readonly string[] | undefined;
  /** Of the name, L2-normalized; null: not computed. */
  embedding?: ArrayLike<number> | null | undefined;
  /** Ids of entities mentioned in the same passages. */
  neighbours?: ReadonlySet<string> | undefined;
}

export interface NameMatch {
  /** Probability that both are the same, 0 to 1. */
  probability: number;
  /** Evidence for and against it, in words, strongest first. */
  evidence: string[];
  /** Level of each feature: stored with reviews, so that decisions train the model. */
  levels: Record<string, number>;
}

/** A model trained on a tenant's names; plain JSON. */
export interface NameModel {
  /** Share of matches among compared pairs. */
  prior: number;
  /** Per feature, per level: how often it occurs among matches (m) and among others (u). */
  features: Record<string, { m: number[]; u: number[] }>;
  /** Number of pairs and of decisions used in training. */
  pairs: number;
  decisions: number;
}

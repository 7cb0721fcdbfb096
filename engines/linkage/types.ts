/** A name with what is known about its bearer, to be compared with another. */
export interface NamedThing {
  /** The name's key (names.ts). */
  key: string;
  type: string;
  /** Keys of its further names; the best pair of names counts. */
  aliases?: readonly string[] | undefined;
  /** Of the name, L2-normalised; null: not made. */
  embedding?: ArrayLike<number> | null | undefined;
  /** Ids of entities mentioned in the same passages. */
  neighbours?: ReadonlySet<string> | undefined;
}

export interface NameMatch {
  /** 0 to 1: that both are the same thing. */
  probability: number;
  /** What speaks for and against it, in words, strongest first. */
  evidence: string[];
  /** Level of each feature, as the model counts them: kept with reviews, so that decisions teach. */
  levels: Record<string, number>;
}

/** What a tenant's names have taught; plain JSON. */
export interface NameModel {
  /** Share of matches among compared pairs. */
  prior: number;
  /** Per feature, per level: how often it occurs among matches (m) and among others (u). */
  features: Record<string, { m: number[]; u: number[] }>;
  /** Pairs it was estimated from, and people's decisions that went in. */
  pairs: number;
  decisions: number;
}

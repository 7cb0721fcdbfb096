/** The contract of vector stores: runs with the same assertions against each of them. */
import { describe, expect, it } from 'vitest';
import type { Near, NearestQuery, VectorPoint } from '../../adapters/vectors/types.ts';

/** A store under test, and how passages get into it. */
export interface Subject {
  put(tenant: string, model: string, points: VectorPoint[]): Promise<void>;
  removeDocuments(tenant: string, model: string, ids: string[]): Promise<void>;
  nearest(wanted: NearestQuery): Promise<Near[]>;
}

export const dimensions = 384;
export const model = 'suite-model';
/** Vectors are kept as halves. */
const precision = 2e-3;

/** A generator of its own, so that each run compares the same vectors. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function unit(random: () => number): number[] {
  const vector = Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** A unit vector whose cosine to `axis` is exactly `cosine`. */
export function at(axis: number[], cosine: number, random: () => number): number[] {
  const other = unit(random);
  const along = other.reduce((sum, value, i) => sum + value * axis[i]!, 0);
  const across = other.map((value, i) => value - along * axis[i]!);
  const length = Math.hypot(...across);
  const sine = Math.sqrt(1 - cosine * cosine);
  return axis.map((value, i) => cosine * value + (sine * across[i]!) / length);
}

let chunks = 0;
export function point(fields: Partial<VectorPoint> & { vector: number[] }): VectorPoint {
  chunks += 1;
  return {
    id: String(chunks),
    scope: 1,
    documentId: `doc_${chunks}`,
    sourceId: 'source_1',
    hasCode: false,
    terms: [],
    length: 0,
    ...fields,
  };
}

let tenants = 0;
/** A tenant that no other test uses. */
export const newTenant = (): string => `tenant-${(tenants += 1)}`;

export function describeStore(name: string, subject: () => Subject): void {
  const nearest = (tenant: string, axis: number[], more: Partial<NearestQuery> = {}) =>
    subject().nearest({
      tenant,
      scopes: [1],
      model,
      vector: Float32Array.from(axis),
      limit: 10,
      hidden: [],
      chunks: 100,
      ...more,
    });
  const ids = (found: Near[]): string[] => found.map(({ id }) => id);
  const random = numbers(7);

  describe(`${name}, as every store`, () => {
    it('finds the nearest first, with their cosines', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      const cosines = [0.95, 0.9, 0.7, 0.5, 0.2, 0, -0.4, -0.9];
      const points = cosines.map((cosine) => point({ vector: at(axis, cosine, random) }));
      await subject().put(tenant, model, [...points].reverse());
      const found = await nearest(tenant, axis);
      expect(ids(found)).toEqual(ids(points as unknown as Near[]));
      for (const [i, { score }] of found.entries()) expect(Math.abs(score - cosines[i]!)).toBeLessThan(precision);
    });

    it('puts equals in the order of their ids, numbers that they are', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      const points = ['900002', '900010', '900001'].map((id) => point({ id, vector: axis }));
      await subject().put(tenant, model, points);
      expect(ids(await nearest(tenant, axis))).toEqual(['900001', '900002', '900010']);
    });

    it('holds scope, source, code and document inside the search: nearer ones that do not match take no place', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      const near = (cosine: number, fields: Partial<VectorPoint>) => point({ vector: at(axis, cosine, random), ...fields });
      const far = near(0.1, { scope: 2, sourceId: 'wanted', hasCode: true, documentId: 'doc_far' });
      const decoys = Array.from({ length: 30 }, (_, i) => near(0.9 - i / 100, { scope: 1, sourceId: 'other' }));
      await subject().put(tenant, model, [...decoys, far]);
      const one = { limit: 1 };
      expect(ids(await nearest(tenant, axis, { ...one, scopes: [2] }))).toEqual([far.id]);
      expect(ids(await nearest(tenant, axis, { ...one, scopes: [1, 2], sources: ['wanted', 'absent'] }))).toEqual([far.id]);
      expect(ids(await nearest(tenant, axis, { ...one, scopes: [1, 2], hasCode: true }))).toEqual([far.id]);
      expect(ids(await nearest(tenant, axis, { ...one, scopes: [1, 2], documents: ['doc_far'] }))).toEqual([far.id]);
      expect(ids(await nearest(tenant, axis, { ...one, scopes: [1, 2], hasCode: false }))).toEqual([decoys[0]!.id]);
      expect(ids(await nearest(tenant, axis, { ...one, scopes: [1, 2] }))).toEqual([decoys[0]!.id]);
    });

    it('finds nothing where nothing is asked for', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      await subject().put(tenant, model, [point({ vector: axis })]);
      expect(await nearest(tenant, axis, { scopes: [] })).toEqual([]);
      expect(await nearest(tenant, axis, { sources: [] })).toEqual([]);
      expect(await nearest(tenant, axis, { documents: [] })).toEqual([]);
      expect(await nearest(tenant, axis, { limit: 0 })).toEqual([]);
      expect(await nearest(newTenant(), axis)).toEqual([]);
    });

    it('does not find hidden documents, and fills their places', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      const hidden = Array.from({ length: 20 }, (_, i) =>
        point({ vector: at(axis, 0.9 - i / 100, random), documentId: `hidden_${i % 4}` }),
      );
      const shown = point({ vector: at(axis, 0.2, random) });
      await subject().put(tenant, model, [...hidden, shown]);
      const found = await nearest(tenant, axis, { limit: 3, hidden: ['hidden_0', 'hidden_1', 'hidden_2', 'hidden_3', 'absent'] });
      expect(ids(found)).toEqual([shown.id]);
    });

    it('gives as many as are wanted, and no more than there are', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      const points = Array.from({ length: 150 }, (_, i) => point({ vector: at(axis, 0.99 - i / 100, random) }));
      await subject().put(tenant, model, points);
      expect(ids(await nearest(tenant, axis, { limit: 100 }))).toEqual(ids(points as unknown as Near[]).slice(0, 100));
      expect(await nearest(tenant, axis, { limit: 1_000 })).toHaveLength(150);
    });

    it('keeps tenants apart under concurrency, though they have the same documents and scopes', async () => {
      const axis = unit(random);
      const everybody = Array.from({ length: 8 }, () => {
        const tenant = newTenant();
        const points = Array.from({ length: 12 }, (_, i) => point({ vector: at(axis, 0.9 - i / 50, random), documentId: `doc_${i}` }));
        return { tenant, points };
      });
      await Promise.all(everybody.map(({ tenant, points }) => subject().put(tenant, model, points)));
      await Promise.all(
        Array.from({ length: 10 }).flatMap(() =>
          everybody.map(async ({ tenant, points }) => {
            expect(ids(await nearest(tenant, axis, { limit: 50 }))).toEqual(ids(points as unknown as Near[]));
          }),
        ),
      );
      // A removal by one does not affect the other.
      const [one, other] = [everybody[0]!, everybody[1]!];
      await subject().removeDocuments(one.tenant, model, ['doc_0']);
      expect(ids(await nearest(one.tenant, axis, { limit: 1 }))).toEqual([one.points[1]!.id]);
      expect(ids(await nearest(other.tenant, axis, { limit: 1 }))).toEqual([other.points[0]!.id]);
    });

    it('compares only vectors of the model', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      const mine = point({ vector: at(axis, 0.3, random) });
      await subject().put(tenant, model, [mine]);
      await subject().put(tenant, 'another-model', [point({ vector: axis })]);
      expect(ids(await nearest(tenant, axis))).toEqual([mine.id]);
      expect(await nearest(tenant, axis, { model: 'a-third-model' })).toEqual([]);
    });

    it('has what was written last, once', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      const before = point({ vector: at(axis, 0.1, random) });
      await subject().put(tenant, model, [before]);
      await subject().put(tenant, model, [{ ...before, vector: at(axis, 0.8, random) }]);
      const found = await nearest(tenant, axis);
      expect(ids(found)).toEqual([before.id]);
      expect(Math.abs(found[0]!.score - 0.8)).toBeLessThan(precision);
    });

    it('loses what is removed, and only that; removing it again changes nothing', async () => {
      const tenant = newTenant();
      const axis = unit(random);
      const points = [0.9, 0.8, 0.7, 0.6].map((cosine, i) => point({ vector: at(axis, cosine, random), documentId: `part_${i % 2}` }));
      await subject().put(tenant, model, points);
      for (let i = 0; i < 2; i += 1) {
        await subject().removeDocuments(tenant, model, ['part_0', 'absent']);
        expect(ids(await nearest(tenant, axis))).toEqual([points[1]!.id, points[3]!.id]);
      }
    });
  });
}

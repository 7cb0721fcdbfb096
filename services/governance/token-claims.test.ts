import { describe, expect, it } from 'vitest';
import { identityOf } from './token-claims.ts';
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

import type { Database } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Entity } from '../../contracts/graph/graph.ts';
import { derivedId, newId } from '../../contracts/ids.ts';
import { followers } from '../kernel/followers.ts';
import { addAlias, keyOf, ownerOf } from './aliases.ts';
import { activeEntities, aliasesOf, entityView } from './entity-view.ts';
import { noteGraphChange } from './fold.ts';
import { noteHistory } from './history.ts';
import { lockGraph } from './lock.ts';
import { byKey, survivors, type FoundEntity } from './lookup-sql.ts';
import type { EntityLookup, WantedName } from './lookup.ts';
import { mergeEntities } from './merge.ts';
import { insertEntities } from './resolve-records.ts';
import { retype } from './retype.ts';
import { teachSame, teachType } from './teach.ts';
import { Service } from '../kernel/service.ts';

type Query = Database['query'];

export interface ExternalLink {
  entity_id: string;
  external_system: string;
  external_id: string;
  url: string | null;
}

interface Given {
  lookup: EntityLookup;
  /** Has documents read again whose names have other meanings now; never fails. */
  read(tenant: string): Promise<void>;
}

/** Statements of people and other systems about entities. Each command takes the graph lock and is idempotent. */
export class EntityCommands extends Service<never, Given> {
  /**
   * Adds a name to an entity.
   * @returns added: false when it was already known
   * @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY, CONFLICT naming the owner (another entity of the type has it)
   */
  async addAlias(
    caller: Caller,
    name: string,
    wanted: WantedName,
    alias: string,
  ): Promise<{ entity: Entity; alias: string; added: boolean }> {
    const { tenant, principal } = caller;
    const { entity } = await this.deps.lookup.resolveName(tenant, name, wanted);
    const done = await this.db.transaction(async (query) => {
      const { id, type } = await standing(query, tenant, entity.id);
      const added = (await addAlias(query, tenant, { entityId: id, type, alias, origin: 'person', by: principal })) === 'added';
      if (added) {
        await teachSame(query, tenant, type, entity.name, [alias.trim()]);
        await changed(query, tenant, id);
        await noteHistory(query, tenant, { entityId: id, event: 'alias_added', data: { alias: alias.trim() }, by: principal });
        await noteGraphChange(query, tenant, id, [id]);
      }
      const row = (await activeEntities(query, tenant, [id])).get(id)!;
      return { entity: entityView(row, (await aliasesOf(query, tenant, [row])).get(id)), alias: alias.trim(), added };
    });
    await this.deps.read(tenant);
    return done;
  }

  /**
   * Says what a name is: a customer, a competitor, a feature, or any other type. If an entity of that type has the name
   * already, both become one. Documents that use the name are read again.
   * @param name of an entity; a new one is made if there is none
   * @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY, VALIDATION_ERROR (not a name)
   */
  async setType(caller: Caller, which: { id: string } | { name: string }, type: string): Promise<TypeAnswer> {
    const { tenant, principal } = caller;
    const done = await this.db.transaction(async (query): Promise<TypeAnswer & { owner: string | null }> => {
      await lockGraph(query, tenant);
      const known = 'id' in which ? await standing(query, tenant, which.id) : await named(query, tenant, which.name, type);
      const entity = known ?? (await made(query, tenant, 'name' in which ? which.name.trim() : '', type, principal));
      const previous = known?.type ?? null;
      const names = await query<{ key: string; alias: string }>(
        'select key, alias from entity_aliases where tenant_id = $1 and entity_id = $2 order by alias',
        [tenant, entity.id],
      );
      const owner = previous === type ? null : await ownerOf(query, tenant, type, keyOf(entity.name));
      await retype(query, tenant, previous === type ? [] : [{ id: entity.id, type }]);
      await teachType(query, tenant, [...new Set([entity.name, ...names.map(({ alias }) => alias)])], type);
      if (previous !== type) {
        await followers.entitiesChanged(query, tenant, [entity.id]);
        const data = { from: previous, to: type };
        await noteHistory(query, tenant, { entityId: entity.id, event: 'type_set', data, by: principal });
        await noteGraphChange(query, tenant, entity.id, [entity.id]);
      }
      const other = owner && owner.id !== entity.id ? owner.id : null;
      return { entity_id: entity.id, name: entity.name, type, previous_type: previous, merged: false, owner: other };
    });
    const { owner, ...answer } = done;
    await this.deps.read(tenant);
    if (owner === null) return answer;
    const changeId = derivedId('job', 'type', tenant, answer.entity_id, owner);
    const { survivor } = await mergeEntities(this.db, tenant, { changeId, a: owner, b: answer.entity_id, by: principal, notes: null });
    return { ...answer, entity_id: survivor, merged: true };
  }

  /**
   * Links the entity to its record in another system.
   * @throws AppError NOT_FOUND, CONFLICT naming the entity that is already linked to it
   */
  async link(
    caller: Caller,
    id: string,
    to: { system: string; externalId: string; url?: string | undefined },
  ): Promise<ExternalLink & { created: boolean }> {
    const { tenant, principal } = caller;
    const system = to.system.trim().toLowerCase();
    const url = to.url ?? null;
    return await this.db.transaction(async (query) => {
      const entity = await standing(query, tenant, id);
      const link = { entity_id: entity.id, external_system: system, external_id: to.externalId };
      const [known] = await query<{ entity_id: string; url: string | null }>(
        'select entity_id, url from entity_links where tenant_id = $1 and external_system = $2 and external_id = $3',
        [tenant, system, to.externalId],
      );
      if (known && known.entity_id !== entity.id) throw await linkedElsewhere(query, tenant, link, known.entity_id);
      if (known && (url === null || known.url === url)) return { ...link, url: known.url, created: false };
      await query(
        `insert into entity_links (tenant_id, entity_id, external_system, external_id, url, created_by) values ($1, $2, $3, $4, $5, $6)
         on conflict (tenant_id, external_system, external_id) do update set url = excluded.url, updated_at = now()`,
        [tenant, entity.id, system, to.externalId, url, principal],
      );
      await changed(query, tenant, entity.id);
      const { entity_id: _, ...data } = { ...link, url };
      await noteHistory(query, tenant, { entityId: entity.id, event: 'linked', data, by: principal });
      await noteGraphChange(query, tenant, entity.id, [entity.id]);
      return { ...link, url, created: !known };
    });
  }

  /**
   * Records the state of an issue or feature, as reported.
   * @throws AppError NOT_FOUND
   */
  async setStatus(caller: Caller, id: string, status: string, source: string): Promise<StatusAnswer> {
    const { tenant, principal } = caller;
    return await this.db.transaction(async (query) => {
      const entity = await standing(query, tenant, id);
      const [before] = await query<{ state: string | null; state_source: string | null }>(
        'select state, state_source from entities where tenant_id = $1 and id = $2',
        [tenant, entity.id],
      );
      const answer = { entity_id: entity.id, name: entity.name, type: entity.type, status, source, previous_status: before?.state ?? null };
      if (before?.state === status && before.state_source === source) return { ...answer, changed: false };
      await query('update entities set state = $3, state_source = $4, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2', [
        tenant,
        entity.id,
        status,
        source,
      ]);
      const data = { from: before?.state ?? null, to: status, source };
      await noteHistory(query, tenant, { entityId: entity.id, event: 'state_set', data, by: principal });
      await noteGraphChange(query, tenant, entity.id, [entity.id]);
      return { ...answer, changed: true };
    });
  }
}

export interface TypeAnswer {
  entity_id: string;
  name: string;
  type: string;
  /** Null: there was no entity of this name. */
  previous_type: string | null;
  /** It is now one with the entity of the type that had the name. */
  merged: boolean;
}

export interface StatusAnswer {
  entity_id: string;
  name: string;
  type: string;
  status: string;
  source: string;
  previous_status: string | null;
  changed: boolean;
}

/**
 * Takes the graph lock and reads the entity in its current state.
 * @throws AppError NOT_FOUND
 */
export async function standing(query: Query, tenant: string, id: string): Promise<FoundEntity> {
  await lockGraph(query, tenant);
  const entity = (await survivors(query, tenant, [id])).get(id);
  if (!entity) throw notFound('entity', id, 'entity.record.list shows the entities of your tenant.');
  return entity;
}

/**
 * The entity with exactly this name; of several, the one that has the type.
 * @throws AppError AMBIGUOUS_ENTITY
 */
async function named(query: Query, tenant: string, name: string, type: string): Promise<FoundEntity | null> {
  const ids = (await byKey(query, tenant, keyOf(name))).map((row) => row.entity_id);
  const found = [...new Map([...(await survivors(query, tenant, ids)).values()].map((each) => [each.id, each])).values()];
  const others = found.filter((each) => each.type !== type);
  if (others.length <= 1) return others[0] ?? found[0] ?? null;
  throw new AppError('AMBIGUOUS_ENTITY', `"${name}" is the name of ${others.length} entities.`, {
    hint: 'Give the entity_id of the one you mean.',
    details: { candidates: others.map((each) => ({ entity_id: each.id, name: each.name, type: each.type })) },
  });
}

async function made(query: Query, tenant: string, name: string, type: string, by: string): Promise<FoundEntity> {
  const entity = { id: newId('ent'), type, name, certain: true, origin: 'person' as const, createdBy: by };
  await insertEntities(query, tenant, [entity]);
  await addAlias(query, tenant, { entityId: entity.id, type, alias: name, origin: 'person', by });
  return { id: entity.id, type, name, signal_count: 0 };
}

const changed = async (query: Query, tenant: string, id: string): Promise<void> => {
  await query('update entities set rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2', [tenant, id]);
};

async function linkedElsewhere(query: Query, tenant: string, link: Omit<ExternalLink, 'url'>, ownerId: string): Promise<AppError> {
  const owner = (await survivors(query, tenant, [ownerId])).get(ownerId);
  const whose = owner ? `${owner.type} "${owner.name}"` : 'another entity';
  return new AppError('CONFLICT', `${link.external_system} ${link.external_id} is linked to ${whose} already.`, {
    hint: 'If both are the same, merge them; else link the right one.',
    details: { owner: { entity_id: owner?.id ?? ownerId, ...(owner ? { name: owner.name, type: owner.type } : {}) } },
  });
}

import type { Database } from '../../adapters/postgres/database.ts';

const seeds = [
  {
    id: 1,
    name: 'Investigate',
    description: 'Understand the problem and plan the work: read, analyse, decide what is to be done.',
    done: ['The problem is stated with its evidence', 'The plan lists tasks with acceptance criteria'],
  },
  {
    id: 2,
    name: 'Implement',
    description: 'Build or fix what the plan says.',
    done: ['Every acceptance criterion of the task is met', 'The change is tested'],
  },
  {
    id: 3,
    name: 'Verify',
    description: 'Test and validate what was built, as its user would.',
    done: ['The result was tried on real input', 'What falls short is filed as a task'],
  },
];

/** The three phases each new tenant starts with. More can be added. */
export async function seedPhases(db: Database, tenant: string): Promise<void> {
  for (const { id, name, description, done } of seeds) {
    await db.query(
      'insert into phases (tenant_id, id, name, description, done_definitions) values ($1, $2, $3, $4, $5) on conflict do nothing',
      [tenant, id, name, description, done],
    );
  }
}

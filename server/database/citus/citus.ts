/**
 * Citus distributes the tables of tenants over several PostgreSQL servers behind one coordinator
 * (docs/design/data/scaling-out.md).
 *
 *     service ──▶ coordinator ──┬──▶ worker: all rows of organizations A, D
 *                 (users, keys, └──▶ worker: all rows of organizations B, C
 *                  webhooks …)
 *
 * - `placement.ts` lists the placement of each table.
 * - `sharding.ts` shards a database and brings it back (`openbenefits distribute`).
 * - `migrate-sharded.ts` applies migrations to a sharded database.
 * - `rewrite-statement.ts` rewrites statements so that Citus can run each of them on one server.
 * - `sharding-state.ts` opens a database as it is found, with this hook if it is sharded.
 */
import type { Distribution } from '../query/distribution.ts'
import { rewriteStatement } from './rewrite-statement.ts'

const settings = [`citus.propagate_set_commands = 'local'`, 'citus.max_adaptive_executor_pool_size = 1']

export const citus: Distribution = {
  // Settings of a transaction are passed on to the other servers. Each server has one session, so that a statement sees
  // what earlier ones wrote.
  session: `\n  ${settings.map((setting) => `set ${setting}`).join('; ')}`,
  session_of_pooler: settings.map((setting) => `set local ${setting}`),
  // Functions and triggers may read and write on their own server.
  transaction: ['set local citus.allow_nested_distributed_execution = on'],
  // Makes the transaction write on the coordinator too. Citus then commits the writes of coordinator and workers in two
  // phases, so that either all or none take effect.
  writing_transaction: ['delete from two_phase_commits where id = 0'],
  rewrite: rewriteStatement,
}

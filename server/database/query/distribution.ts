/** A statement before it is sent: its name, its SQL with `$1` for its parameters, and their names in that order. */
export type CompiledStatement = { name: string; sql: string; parameters: readonly string[] }

/** A statement as a distributed database receives it. */
export type DistributedStatement = {
  text: string
  /** SQL that reads an additional last value by the id of the organization. Absent for most statements. */
  last_value?: string | undefined
}

/**
 * How to use a database that distributes tenants over several servers: all rows of an organization are on one of them.
 * A database on one server has no distribution. `server/database/citus` implements this hook, and `openDatabase`
 * receives it as an option. Other code only checks whether there is a distribution.
 */
export type Distribution = {
  /** SQL that sets up a session of our own when it opens. */
  session: string
  /** SQL statements that do the same in each transaction if a pooler owns the session. */
  session_of_pooler: readonly string[]
  /** SQL statements at the start of each transaction. */
  transaction: readonly string[]
  /** SQL statements at the start of each transaction that may write. */
  writing_transaction: readonly string[]
  /** Rewrites a statement. `of_one`: the caller reaches one organization. */
  rewrite: (statement: CompiledStatement, of_one: boolean) => DistributedStatement
}

/** The text of a statement: its name as a comment, under which PostgreSQL logs it, and its SQL. */
export const withName = (name: string, sql: string): string => `/* ${name} */ ${sql.trim()}`

/** The rows that a credential may access. Every query uses it; no row is loaded by id alone. */
export type Reach = {
  /** Null for every organization: a super caller, the operator, a job of the service itself. */
  organization_ids: string[] | null
  /** Set when bound to one employer. */
  employer_id: string | null
  /** Set when bound to one employee. */
  employee_id: string | null
}

/** SQL: whether an organization is among those that the caller reaches. */
const inReachOfAny = (organization: string): string =>
  `(:reach_organization_ids::text[] is null or ${organization} = any(:reach_organization_ids))`

/**
 * SQL: whether a row is in the caller's reach, which comes from the context. Pass the columns of the row's organization
 * and, if it has them, of its employer and employee. A row without an employee column is out of reach of an employee
 * token.
 */
export function inReach(organization: string, employer: string | null = null, employee: string | null = null): string {
  const bound = (parameter: string, column: string | null) =>
    column ? `(${parameter}::text is null or ${column} = ${parameter})` : `${parameter}::text is null`
  return `(${inReachOfAny(organization)}
    and ${bound(':reach_employer_id', employer)} and ${bound(':reach_employee_id', employee)})`
}

/**
 * SQL: whether a row belongs to the caller's user, in any organization that the key reaches. Pass the column of the
 * row's user. A token bound to an employer or employee has no user.
 */
export const isOfCaller = (user: string): string =>
  `(${user} = :caller_user_id and :reach_employer_id::text is null and :reach_employee_id::text is null)`

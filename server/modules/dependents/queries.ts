import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Day } from '../../kernel/days.ts'
import { offsetOf, type Page } from '../../kernel/pages.ts'
import { pageJson } from '../../platform/database/numbered-pages.ts'
import type { ActiveDependent } from './rules.ts'

/** SQL: a dependent is in reach wherever the person is employed within reach. */
const inReachOfDependent = `exists (
  select from employees as employee
   where employee.member_id = dependent.member_id and employee.organization_id = dependent.organization_id
     and ${inReachByNumber('employee.organization_id', 'employee.employer_id', 'employee.id')})`

/** A dependent, and of whom. */
export type DependentKey = { dependent_id: string; organization_id: string; member_id: string }

/** A dependent within reach, ended or not. */
export const locateDependent = (ctx: Ctx, { dependent_id }: { dependent_id: string }) =>
  ctx.db.row<DependentKey>(
    `select dependent.id as dependent_id, dependent.organization_id, dependent.member_id from dependents as dependent
      where dependent.id = $4 and ${inReachOfDependent}`,
    [...reachOf(ctx.caller), dependent_id],
  )

/** The Dependent of the interface, from a row `dependent`. */
const dependentJson = `
  select row_to_json(shown) as item from (
    select dependent.id, dependent.member_id, dependent.relationship, dependent.first_name, dependent.last_name,
           dependent.suffix, dependent.date_of_birth, dependent.gender, dependent.ended_on is null as active,
           dependent.ended_on,
           dependent_covered_until(dependent.relationship, dependent.date_of_birth, dependent.ended_on) as covered_until,
           iso(dependent.created_at) as created_at, iso(dependent.updated_at) as updated_at) as shown`

const one_dependent = `
  select shown.item::text as json from dependents as dependent cross join lateral (${dependentJson}) as shown
   where dependent.id = $4 and ${inReachOfDependent}`

/** One Dependent as JSON, or undefined when it does not exist within reach. */
export const findDependent = (ctx: Ctx, dependent_id: string) =>
  ctx.db.json(one_dependent, [...reachOf(ctx.caller), dependent_id])

const theirs = 'dependent.member_id = place.member_id and dependent.organization_id = place.organization_id'

const dependents_of_employee = `
  with place as materialized (
    select employee.member_id, employee.organization_id from employees as employee
     where employee.id = $4 and ${inReachByNumber('employee.organization_id', 'employee.employer_id', 'employee.id')})
  ${pageJson(
    `select shown.item, keys.position from place
      cross join lateral (
        select dependent.*, row_number() over (order by dependent.created_at, dependent.id) as position
          from dependents as dependent where ${theirs}
         order by dependent.created_at, dependent.id limit $5 offset $6) as keys
      cross join lateral (select keys.*) as dependent
      cross join lateral (${dependentJson}) as shown`,
    `(select (select count(*) from dependents as dependent where ${theirs}) from place)`,
    '$5',
    '$7',
  )}`

/** A page of the dependents of an employee's person as JSON, oldest first; undefined when the employee is out of reach. */
export const listDependents = (ctx: Ctx, employee_id: string, page: Page) =>
  ctx.db.json(dependents_of_employee, [...reachOf(ctx.caller), employee_id, page.limit, offsetOf(page), page.page])

/** The last day of an employment, null while no end is known; undefined when there is no such employment. */
export const findLastDay = (ctx: Ctx, organization_id: string, employee_id: string) =>
  ctx.db.row<{ terminated_on: Day | null }>(
    'select terminated_on from employees where id = $2 and organization_id = $1',
    [organization_id, employee_id],
  )

/** The dependents of a person who have not ended. */
export const findActiveDependents = (ctx: Ctx, organization_id: string, member_id: string) =>
  ctx.db.rows<ActiveDependent>(
    `select id, relationship, first_name, last_name, suffix, date_of_birth, gender
       from dependents where member_id = $2 and organization_id = $1 and ended_on is null`,
    [organization_id, member_id],
  )

export const insertDependent = (ctx: Ctx, organization_id: string, member_id: string, dependent: ActiveDependent) =>
  ctx.db.rows(
    `insert into dependents (id, organization_id, member_id, relationship, first_name, last_name, suffix, date_of_birth,
                             gender, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      dependent.id,
      organization_id,
      member_id,
      dependent.relationship,
      dependent.first_name,
      dependent.last_name,
      dependent.suffix,
      dependent.date_of_birth,
      dependent.gender,
      ctx.now,
    ],
  )

export const saveDependent = (ctx: Ctx, organization_id: string, dependent: ActiveDependent) =>
  ctx.db.rows(
    `update dependents
        set relationship = $3, first_name = $4, last_name = $5, suffix = $6, date_of_birth = $7, gender = $8, updated_at = $9
      where id = $1 and organization_id = $2`,
    [
      dependent.id,
      organization_id,
      dependent.relationship,
      dependent.first_name,
      dependent.last_name,
      dependent.suffix,
      dependent.date_of_birth,
      dependent.gender,
      ctx.now,
    ],
  )

/** Makes today the last day of a dependent; undefined when ended before. */
export const saveDependentEnd = (ctx: Ctx, organization_id: string, dependent_id: string) =>
  ctx.db.row<{ id: string }>(
    `update dependents set ended_on = $3, updated_at = $4 where id = $1 and organization_id = $2 and ended_on is null returning id`,
    [dependent_id, organization_id, ctx.today, ctx.now],
  )

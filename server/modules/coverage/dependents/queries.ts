import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Page } from '../../../kernel/pages.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { ActiveDependent } from './rules.ts'

/** SQL: a dependent is in reach wherever the person is employed within reach. */
const inReachOfDependent = `exists (
  select from employees as employee
   where employee.member_id = dependent.member_id and employee.organization_id = dependent.organization_id
     and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')})`

const located = read(
  'dependents.locateDependent',
  `select dependent.id as dependent_id, dependent.organization_id, dependent.member_id from dependents as dependent
    where dependent.id = :dependent_id and ${inReachOfDependent}`,
)

/** A dependent, and of whom. */
export type DependentKey = { dependent_id: string; organization_id: string; member_id: string }

/** A dependent within reach, ended or not. */
export const locateDependent = (ctx: ReadCtx, { dependent_id }: { dependent_id: string }) =>
  located.row<DependentKey>(ctx, { dependent_id })

/** SQL: the Dependent of the interface, from a row `dependent`. */
export const dependentJson = `
  select row_to_json(shown) as item from (
    select dependent.id, dependent.member_id, dependent.relationship, dependent.first_name, dependent.last_name,
           dependent.suffix, dependent.date_of_birth, dependent.gender, dependent.ended_on is null as active,
           dependent.ended_on,
           dependent_covered_until(dependent.relationship, dependent.date_of_birth, dependent.ended_on,
                                   dependent.disabled_until) as covered_until,
           coalesce(dependent.disabled_until = 'infinity', false) as disabled, iso(dependent.created_at) as created_at,
           iso(dependent.updated_at) as updated_at) as shown`

const one_dependent = statement(
  'dependents.findDependent',
  `select shown.item::text as json from dependents as dependent cross join lateral (${dependentJson}) as shown
    where dependent.id = :dependent_id and ${inReachOfDependent}`,
)

/** One Dependent as JSON, or undefined when it does not exist within reach. */
export const findDependent = (ctx: Ctx, dependent_id: string) => one_dependent.json(ctx, { dependent_id })

const theirs = 'dependent.member_id = place.member_id and dependent.organization_id = place.organization_id'

const dependents_of_employee = read(
  'dependents.listDependents',
  `with place as materialized (
     select employee.member_id, employee.organization_id from employees as employee
      where employee.id = :employee_id
        and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')})
   ${pageJson(
     `select shown.item, keys.position from place
       cross join lateral (
         select dependent.*, row_number() over (order by dependent.created_at, dependent.id) as position
           from dependents as dependent where ${theirs}
          order by dependent.created_at, dependent.id limit :limit offset :offset) as keys
       cross join lateral (select keys.*) as dependent
       cross join lateral (${dependentJson}) as shown`,
     `(select (select count(*) from dependents as dependent where ${theirs}) from place)`,
   )}`,
)

/** A page of the dependents of an employee's person as JSON, oldest first; undefined out of reach. */
export const listDependents = (ctx: ReadCtx, employee_id: string, page: Page) =>
  dependents_of_employee.json(ctx, { employee_id, ...pageValues(page) })

const last_day = statement(
  'dependents.findLastDay',
  'select terminated_on from employees where id = :employee_id and organization_id = :organization_id',
)

/** The last day of an employment, null while no end is known; undefined when there is no such employment. */
export const findLastDay = (ctx: Ctx, organization_id: string, employee_id: string) =>
  last_day.row<{ terminated_on: Day | null }>(ctx, { organization_id, employee_id })

const active_dependents = statement(
  'dependents.findActiveDependents',
  `select id, relationship, first_name, last_name, suffix, date_of_birth, gender
     from dependents where member_id = :member_id and organization_id = :organization_id and ended_on is null`,
)

/** The dependents of a person who have not ended. */
export const findActiveDependents = (ctx: Ctx, organization_id: string, member_id: string) =>
  active_dependents.rows<ActiveDependent>(ctx, { organization_id, member_id })

const ended_dependent = statement(
  'dependents.findEndedDependent',
  `select id, relationship, first_name, last_name, suffix, date_of_birth, gender, ended_on
     from dependents where id = :dependent_id and organization_id = :organization_id and ended_on is not null`,
)

/** A dependent who has ended; undefined when they have not. */
export const findEndedDependent = (ctx: Ctx, organization_id: string, dependent_id: string) =>
  ended_dependent.row<ActiveDependent & { ended_on: Day }>(ctx, { organization_id, dependent_id })

const inserted = statement(
  'dependents.insertDependents',
  `insert into dependents
     (id, organization_id, member_id, relationship, first_name, last_name, suffix, date_of_birth, gender,
      created_at, updated_at)
   select said.id, :organization_id, said.member_id, said.relationship, said.first_name, said.last_name, said.suffix,
          said.date_of_birth, said.gender, :now, :now
     from jsonb_to_recordset(:dependents::jsonb) as said (
            id text, member_id text, relationship text, first_name text, last_name text, suffix text,
            date_of_birth date, gender text)`,
)

export type PersonsDependent = ActiveDependent & { member_id: string }

/** Adds dependents to people, to many at once. */
export const insertDependents = (ctx: Ctx, organization_id: string, dependents: PersonsDependent[]) =>
  inserted.rows(ctx, { organization_id, dependents: JSON.stringify(dependents) })

const saved = statement(
  'dependents.saveDependent',
  `update dependents
      set relationship = :relationship, first_name = :first_name, last_name = :last_name, suffix = :suffix,
          date_of_birth = :date_of_birth, gender = :gender, updated_at = :now
    where id = :id and organization_id = :organization_id`,
)

export const saveDependent = (ctx: Ctx, organization_id: string, dependent: ActiveDependent) =>
  saved.rows(ctx, { ...dependent, organization_id })

const saved_end = statement(
  'dependents.saveDependentEnd',
  `update dependents set ended_on = :today, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id and ended_on is null
   returning id`,
)

/** Makes today the last day of a dependent; undefined when ended before. */
export const saveDependentEnd = (ctx: Ctx, organization_id: string, dependent_id: string) =>
  saved_end.row<{ id: string }>(ctx, { organization_id, dependent_id })

const deleted_end = statement(
  'dependents.deleteDependentEnd',
  `update dependents set ended_on = null, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id`,
)

/** Makes a dependent one who has not ended. */
export const deleteDependentEnd = (ctx: Ctx, organization_id: string, dependent_id: string) =>
  deleted_end.rows(ctx, { organization_id, dependent_id })

const approved = statement(
  'dependents.saveDisability',
  `update dependents set disabled_until = 'infinity', disabled_reason = :reason, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id
      and disabled_until is distinct from 'infinity'
   returning id`,
)

/** Notes that a dependent is disabled, and why; undefined when that was known. */
export const saveDisability = (ctx: Ctx, { organization_id, dependent_id }: DependentKey, reason: string) =>
  approved.row<{ id: string }>(ctx, { organization_id, dependent_id, reason })

const withdrawn = statement(
  'dependents.saveDisabilityEnd',
  `update dependents set disabled_until = :today, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id and disabled_until = 'infinity'
   returning id`,
)

/** Makes today the last day on which a dependent is disabled; undefined when they are not. */
export const saveDisabilityEnd = (ctx: Ctx, { organization_id, dependent_id }: DependentKey) =>
  withdrawn.row<{ id: string }>(ctx, { organization_id, dependent_id })

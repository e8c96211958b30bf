import { target_employee } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { addressJson, type NewAddress } from '../../../kernel/fields.ts'
import type { ActiveDependent } from './rules.ts'

/** SQL: whether a dependent is in reach, which is the case if any employment of the person is. */
export const inReachOfDependent = `exists (
  select from employees as employee
   where employee.member_id = dependent.member_id and employee.organization_id = dependent.organization_id
     and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')})`

/** Finds a dependent within reach, active or ended. */
export const locateDependent = read(
  'dependents.locateDependent',
  `select dependent.id as dependent_id, dependent.organization_id, dependent.member_id from dependents as dependent
    where dependent.id = :dependent_id and ${inReachOfDependent}`,
).row<DependentKey>

export type DependentKey = { dependent_id: string; organization_id: string; member_id: string }

/** SQL: the `Dependent` of the API, from a row `dependent`. */
export const dependentJson = `
  select row_to_json(shown) as item from (
    select dependent.id, dependent.member_id, dependent.relationship, dependent.first_name, dependent.last_name,
           dependent.suffix, dependent.date_of_birth, dependent.gender, dependent.ended_on is null as active,
           dependent.ended_on,
           dependent_covered_until(dependent.relationship, dependent.date_of_birth, dependent.ended_on,
                                   dependent.disabled_until) as covered_until,
           coalesce(dependent.disabled_until = 'infinity', false) as disabled,
           ${addressJson('dependent')} as address,
           json_build_object('status', dependent.verification,
             'decided_at', iso(dependent.verification_decided_at),
             'reason', dependent.verification_reason) as verification,
           iso(dependent.created_at) as created_at,
           iso(dependent.updated_at) as updated_at) as shown`

/** One `Dependent` as JSON. Undefined if it does not exist within reach. */
export const findDependent = statement(
  'dependents.findDependent',
  `select shown.item::text as json from dependents as dependent cross join lateral (${dependentJson}) as shown
    where dependent.id = :dependent_id and ${inReachOfDependent}`,
).json

/** A page of the dependents of an employee, oldest first. */
export const listDependents = targetList('dependents.listDependents', {
  target: target_employee,
  from: `dependents as dependent
          where dependent.member_id = target.member_id and dependent.organization_id = target.organization_id`,
  row: 'dependent',
  order: 'dependent.created_at, dependent.id',
  item: `(${dependentJson})`,
})

/** The last day of an employment: null if it has no end date, undefined if the employment does not exist. */
export const findLastDay = statement(
  'dependents.findLastDay',
  'select terminated_on from employees where id = :employee_id and organization_id = :organization_id',
).row<{ terminated_on: Day | null }>

/** Lists the active dependents of a person. */
export const findActiveDependents = statement(
  'dependents.findActiveDependents',
  `select id, relationship, first_name, last_name, suffix, date_of_birth, gender,
          ${addressJson('dependents')} as address
     from dependents where member_id = :member_id and organization_id = :organization_id and ended_on is null`,
).rows<ActiveDependent>

/** Finds an ended dependent. Undefined if the dependent is active. */
export const findEndedDependent = statement(
  'dependents.findEndedDependent',
  `select id, relationship, first_name, last_name, suffix, date_of_birth, gender, ended_on,
          ${addressJson('dependents')} as address
     from dependents where id = :dependent_id and organization_id = :organization_id and ended_on is not null`,
).row<ActiveDependent & { ended_on: Day }>

const inserted = statement(
  'dependents.insertDependents',
  `insert into dependents
     (id, organization_id, member_id, relationship, first_name, last_name, suffix, date_of_birth, gender,
      address_line_1, address_line_2, city, state, zipcode, created_at, updated_at)
   select input.id, :organization_id, input.member_id, input.relationship, input.first_name, input.last_name,
          input.suffix, input.date_of_birth, input.gender, input.address ->> 'address_line_1',
          input.address ->> 'address_line_2', input.address ->> 'city', input.address ->> 'state',
          input.address ->> 'zipcode', :now, :now
     from jsonb_to_recordset(:dependents::jsonb) as input (
            id text, member_id text, relationship text, first_name text, last_name text, suffix text,
            date_of_birth date, gender text, address jsonb)`,
)

/** Inserts dependents, of one person or of many. */
export const insertDependents = (
  ctx: Ctx,
  organization_id: string,
  dependents: (ActiveDependent & { member_id: string })[],
) => inserted.rows(ctx, { organization_id, dependents: JSON.stringify(dependents) })

const saved = statement(
  'dependents.saveDependent',
  `update dependents
      set relationship = :relationship, first_name = :first_name, last_name = :last_name, suffix = :suffix,
          date_of_birth = :date_of_birth, gender = :gender, address_line_1 = :address_line_1,
          address_line_2 = :address_line_2, city = :city, state = :state, zipcode = :zipcode, updated_at = :now
    where id = :id and organization_id = :organization_id`,
)

const no_address = { address_line_1: null, address_line_2: null, city: null, state: null, zipcode: null }

export const saveDependent = (ctx: Ctx, { address, ...changed }: ActiveDependent & { organization_id: string }) =>
  saved.rows(ctx, { ...changed, ...((address ?? no_address) as NewAddress) })

/** Makes today the last day of a dependent. Undefined if the dependent had already ended. */
export const saveDependentEnd = statement(
  'dependents.saveDependentEnd',
  `update dependents set ended_on = :today, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id and ended_on is null
   returning id`,
).row<{ id: string }>

/** Makes an ended dependent active again. */
export const deleteDependentEnd = statement(
  'dependents.deleteDependentEnd',
  `update dependents set ended_on = null, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id`,
).rows

/** Saves the approval of a disability with its reason. Undefined if it was already approved. */
export const saveDisability = statement(
  'dependents.saveDisability',
  `update dependents set disabled_until = 'infinity', disabled_reason = :reason, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id
      and disabled_until is distinct from 'infinity'
   returning id`,
).row<{ id: string }>

/** Makes today the last day of a disability. Undefined if none is approved. */
export const saveDisabilityEnd = statement(
  'dependents.saveDisabilityEnd',
  `update dependents set disabled_until = :today, updated_at = :now
    where id = :dependent_id and organization_id = :organization_id and disabled_until = 'infinity'
   returning id`,
).row<{ id: string }>

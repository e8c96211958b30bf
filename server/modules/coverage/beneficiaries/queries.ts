import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'

/** SQL: the fields of a designation, from a row `designation` that may be null. */
const designationFields = `
  'beneficiaries', coalesce(designation.beneficiaries, '[]'), 'designated_at', iso(designation.designated_at),
  'designated_by', designation.actor`

/** SQL: the benefits of a row `employee` that take beneficiaries: elected, or still to be decided. */
const benefits = `
  select distinct product.id, product.name from enrollments as enrollment
    join benefit_products as product on product.id = enrollment.benefit_id
     and product.organization_id = enrollment.organization_id and product.takes_beneficiaries
   where enrollment.employee_id = employee.id and enrollment.organization_id = employee.organization_id
     and coalesce(enrollment.inactive_on > :today::date, true) and enrollment.answer is distinct from 'waived'`

/** SQL: the latest designation of a row `employee` for a row `benefit`. */
const latest = `
  select * from beneficiary_designations
   where employee_id = employee.id and organization_id = employee.organization_id and benefit_id = benefit.id
   order by designated_at desc, id desc limit 1`

/** Locates an employee within reach whose organization has the benefit. */
export const locateEmployeeOfBenefit = read(
  'beneficiaries.locateEmployeeOfBenefit',
  `select employee.id as employee_id, employee.employer_id, employee.organization_id, employee.member_id
     from employees as employee
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}
      and exists (select from benefit_products as product
                   where product.id = :benefit_id and product.organization_id = employee.organization_id)`,
).row<EmployeeKey>

/** The benefits of an employee that take beneficiaries, with the latest ones. Undefined if out of reach. */
export const listBeneficiaries = read(
  'beneficiaries.listBeneficiaries',
  `select (select coalesce(json_agg(json_build_object(
                    'benefit_id', benefit.id, 'benefit_name', benefit.name, ${designationFields})
                    order by benefit.name, benefit.id), '[]')
             from (${benefits}) as benefit left join lateral (${latest}) as designation on true)::text as json
     from employees as employee
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
).json

/** The beneficiaries of one benefit. Undefined if the benefit takes none from this employee. */
export const findBeneficiaries = statement(
  'beneficiaries.findBeneficiaries',
  `select json_build_object('benefit_id', benefit.id, 'benefit_name', benefit.name, ${designationFields})::text as json
     from employees as employee
    cross join lateral (${benefits}) as benefit
     left join lateral (${latest}) as designation on true
    where employee.id = :employee_id and employee.organization_id = :organization_id and benefit.id = :benefit_id`,
).json

/** The last 100 designations of an employee for a benefit, latest first. Undefined if out of reach. */
export const listDesignations = read(
  'beneficiaries.listDesignations',
  `select (select coalesce(json_agg(json_build_object(${designationFields})
                    order by designation.designated_at desc, designation.id desc), '[]')
             from (select * from beneficiary_designations as kept
                    where kept.employee_id = employee.id and kept.organization_id = employee.organization_id
                      and kept.benefit_id = :benefit_id
                    order by kept.designated_at desc, kept.id desc limit 100) as designation)::text as json
     from employees as employee
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}
      and exists (select from benefit_products as product
                   where product.id = :benefit_id and product.organization_id = employee.organization_id)`,
).json

export const insertDesignation = statement(
  'beneficiaries.insertDesignation',
  `insert into beneficiary_designations
     (organization_id, id, employee_id, benefit_id, designated_at, actor, actor_id, beneficiaries)
   values
     (:organization_id, :id, :employee_id, :benefit_id, :now, :caller, :caller_id, :beneficiaries)`,
).rows

import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'

/** SQL: the TaxIdentifier of the API, from rows `person` and `stored`. */
const taxIdentifierJson = `
  json_build_object('person_id', person.id, 'relationship', person.relationship, 'last_four', stored.last_four,
                    'updated_at', iso(stored.updated_at))`

/** SQL: the person of a row `owner` and the current dependents, the person first. */
const family = `
  select owner.member_id as id, 'employee' as relationship, null::timestamptz as created_at
   union all
  (select dependent.id, dependent.relationship, dependent.created_at from dependents as dependent
    where dependent.member_id = owner.member_id and dependent.organization_id = owner.organization_id
      and dependent.ended_on is null)`

const stored_of_person = `
  left join tax_identifiers as stored on stored.person_id = person.id
   and stored.organization_id = owner.organization_id`

/** The tax identifiers of an employee and the current dependents as JSON. Undefined if out of reach. */
export const listTaxIdentifiers = read(
  'taxIdentifiers.list',
  `select json_build_object('data', (
     select json_agg(${taxIdentifierJson} order by person.created_at nulls first, person.id)
       from (${family}) as person ${stored_of_person}))::text as json
     from employees as owner
    where owner.id = :employee_id and ${inReach('owner.organization_id', 'owner.employer_id', 'owner.id')}`,
).json

/** One TaxIdentifier as JSON. `person_id` is the employee's person or a dependent, current or removed. */
export const findTaxIdentifier = statement(
  'taxIdentifiers.find',
  `select ${taxIdentifierJson}::text as json
     from (select :member_id::text collate "C" as member_id, :organization_id::text collate "C" as organization_id)
       as owner
    cross join lateral (
      select :person_id::text collate "C" as id,
             coalesce((select dependent.relationship from dependents as dependent
                        where dependent.id = :person_id and dependent.organization_id = owner.organization_id),
                      'employee') as relationship) as person
     ${stored_of_person}`,
).json

/** The key of a person: `person_id` is the member id of an employee or the id of a dependent. */
export type PersonKey = { organization_id: string; member_id: string; person_id: string }

/** Stores the encrypted tax identifier of a person. */
export const saveTaxIdentifier = statement(
  'taxIdentifiers.save',
  `insert into tax_identifiers (organization_id, person_id, member_id, sealed, last_four, updated_at)
   values (:organization_id, :person_id, :member_id, :sealed, :last_four, :now)
   on conflict (person_id, organization_id) do update
     set sealed = excluded.sealed, last_four = excluded.last_four, updated_at = excluded.updated_at`,
).rows

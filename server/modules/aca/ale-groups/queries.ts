import { targetList } from '../../../database/sql/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'

/** A group and its organization. */
export type AleGroupKey = { organization_id: string; ale_group_id: string }

const this_group = `ale_group.id = :ale_group_id and ${inReach('ale_group.organization_id')}`

/** Locates an aggregated ALE group that the caller may reach. */
export const locateAleGroup = read(
  'ale-groups.locateAleGroup',
  `select ale_group.id as ale_group_id, ale_group.organization_id from ale_groups as ale_group where ${this_group}`,
).row<AleGroupKey>

/** SQL: the AleGroup of the API, from a row `ale_group`. */
const groupJson = `
  (select row_to_json(shown) from (
    select ale_group.id, ale_group.name,
           (select coalesce(json_agg(json_build_object(
                     'employer_id', filer.id, 'legal_name', filer.legal_name,
                     'ein', '**-***' || filer.ein_last_four, 'employers', (
                       select coalesce(json_agg(json_build_object('employer_id', client.id,
                                                                  'employer_name', client.name)
                                                order by client.name, client.id), '[]')
                         from ale_members as other
                         join employers as client on client.id = other.employer_id
                          and client.organization_id = other.organization_id
                        where other.ale_group_id = ale_group.id and other.organization_id = ale_group.organization_id
                          and other.ein_employer_id = filer.id and other.employer_id <> filer.id))
                     order by filer.legal_name, filer.id), '[]')
              from ale_members as member
              join employers as filer on filer.id = member.employer_id
               and filer.organization_id = member.organization_id
             where member.ale_group_id = ale_group.id and member.organization_id = ale_group.organization_id
               and member.ein_employer_id = member.employer_id) as members,
           iso(ale_group.created_at) as created_at, iso(ale_group.updated_at) as updated_at) as shown)`

/** One AleGroup as JSON. Undefined if out of reach. */
export const findAleGroup = read(
  'ale-groups.findAleGroup',
  `select ${groupJson}::text as json from ale_groups as ale_group where ${this_group}`,
).json

/** A page of the groups of an organization, newest first. */
export const listAleGroups = targetList('ale-groups.listAleGroups', {
  target: `select id from organizations as owner where owner.id = :organization_id and ${inReach('owner.id')}`,
  from: 'ale_groups as ale_group where ale_group.organization_id = target.id',
  row: 'ale_group',
  order: 'ale_group.id desc',
  item: groupJson,
})

/** Which of these employers belong to the organization. */
export const listKnownEmployers = statement(
  'ale-groups.listKnownEmployers',
  'select id from employers where id = any(:employer_ids::text[]) and organization_id = :organization_id',
).column

/** Which of these employers belong to another group. */
export const listEmployersElsewhere = statement(
  'ale-groups.listEmployersElsewhere',
  `select employer_id from ale_members
    where employer_id = any(:employer_ids::text[]) and organization_id = :organization_id
      and ale_group_id <> :ale_group_id`,
).column

/** The employers of a group. */
export const listEmployersOfGroup = statement(
  'ale-groups.listEmployers',
  `select employer_id from ale_members
    where ale_group_id = :ale_group_id and organization_id = :organization_id order by employer_id`,
).column

/** Saves a group and replaces its employers. */
export const saveAleGroup = statement(
  'ale-groups.saveAleGroup',
  `with saved as (
     insert into ale_groups as former (id, organization_id, name, created_at, updated_at)
     values (:ale_group_id, :organization_id, :name, :now, :now)
     on conflict (id, organization_id) do update set name = excluded.name, updated_at = excluded.updated_at
   ), removed as (
     delete from ale_members
      where ale_group_id = :ale_group_id and organization_id = :organization_id
        and employer_id <> all(:employer_ids::text[]))
   insert into ale_members as former (organization_id, employer_id, ale_group_id, ein_employer_id)
   select :organization_id, input.employer_id, :ale_group_id, input.ein_employer_id
     from unnest(:employer_ids::text[], :ein_employer_ids::text[]) as input (employer_id, ein_employer_id)
   on conflict (employer_id, organization_id) do update set ein_employer_id = excluded.ein_employer_id`,
).rows

/** Deletes a group. The hours of its employers no longer count together. */
export const removeAleGroup = statement(
  'ale-groups.removeAleGroup',
  `with removed as (
     delete from ale_members where ale_group_id = :ale_group_id and organization_id = :organization_id)
   delete from ale_groups where id = :ale_group_id and organization_id = :organization_id`,
).rows

import { inReach } from '../../platform/caller.ts'
import type { Ctx, ReadCtx } from '../../platform/ctx.ts'
import { keyOf, keysetPageJson, liesAhead, readKeysetPage } from '../../platform/database/pages.ts'
import { readVariants, statement } from '../../platform/database/statement.ts'
import { deeds, type MatterKind } from './rules.ts'
import type { OpenMatterFilter } from './schemas.ts'

const order = { by: 'opened_at', oldest_first: true }

/** SQL: what the names in a path say of a row `matter`. */
const placed = (path: string) =>
  path
    .split(/\{(\w+)\}/)
    .map((part, at) => {
      if (at % 2 === 0) return `'${part}'`
      return ['resource_id', 'organization_id', 'employer_id'].includes(part)
        ? `matter.${part}`
        : `(matter.details ->> '${part}')`
    })
    .join(' || ')

/** SQL: the deed that settles a row `matter`. */
const deedJson = `case matter.kind ${Object.entries(deeds)
  .map(
    ([kind, { operation, method, path }]) =>
      `when '${kind}' then json_build_object('operation', '${operation}', 'method', '${method}',
                                             'path', ${placed(path)})`,
  )
  .join('\n')} end`

const matterJson = `
  select row_to_json(shown) as item from (
    select matter.id, matter.kind, matter.organization_id, matter.employer_id, matter.resource_id, matter.details,
           iso(matter.opened_at) as opened_at, ${deedJson} as deed) as shown`

const listed = readVariants(
  'open-matters.listOpenMatters',
  { kind: [false, true], of_organization: [false, true], of_employer: [false, true] },
  ({ kind, of_organization, of_employer }) => {
    const conditions = [
      'matter.closed_at is null',
      inReach('matter.organization_id', 'matter.employer_id'),
      ...(kind ? ['matter.kind = :kind'] : []),
      ...(of_organization ? ['matter.organization_id = :organization_id'] : []),
      ...(of_employer ? ['matter.employer_id = :employer_id'] : []),
    ].join(' and ')
    const lies_ahead = liesAhead('matter', order)
    return keysetPageJson(
      `select shown.item, keys.position, ${keyOf('keys', order)} as key from (
         select matter.*, row_number() over (order by matter.opened_at, matter.id) as position
           from open_matters as matter where ${conditions} and ${lies_ahead}
          order by matter.opened_at, matter.id limit :limit offset :offset) as keys
        cross join lateral (select keys.*) as matter
        cross join lateral (${matterJson}) as shown`,
      `select count(*) as total, count(*) filter (where ${lies_ahead}) as ahead
         from open_matters as matter where ${conditions}`,
    )
  },
)

/** A page of what is open, oldest first, as the whole answer. */
export function listOpenMatters(ctx: ReadCtx, filter: OpenMatterFilter): Promise<string | undefined> {
  const { kind = null, organization_id = null, employer_id = null } = filter
  const asked = listed({
    kind: kind !== null,
    of_organization: organization_id !== null,
    of_employer: employer_id !== null,
  })
  return readKeysetPage(ctx, asked, filter, { kind, organization_id, employer_id })
}

/** What is known of a matter when it is opened. `details`: ids, days and numbers by name, and nothing of a person. */
export type NewMatter = {
  kind: MatterKind
  organization_id: string
  /** null where it concerns the whole organization */
  employer_id: string | null
  /** of a kind one matter at a time is open about it */
  resource_id: string
  details: Record<string, string | number | boolean | null>
}

const inserted = statement(
  'open-matters.insertMatters',
  `insert into open_matters (id, organization_id, employer_id, kind, resource_id, details, opened_at)
   select new_id('omat'), said.organization_id, said.employer_id, said.kind, said.resource_id, said.details, :now
     from (select distinct on (resource_id, kind, organization_id) *
             from rows from (jsonb_to_recordset(:matters::jsonb) as (
                    organization_id text, employer_id text, kind text, resource_id text, details jsonb))
                  with ordinality as said (organization_id, employer_id, kind, resource_id, details, place)
            order by resource_id, kind, organization_id, place desc) as said
    order by said.place
   on conflict (resource_id, kind, organization_id) where closed_at is null do update
     set details = excluded.details
   where open_matters.details is distinct from excluded.details`,
)

/** Writes matters; of one that is open already only what is known of it changes. */
export const insertMatters = (ctx: Ctx, matters: NewMatter[]) =>
  inserted.rows(ctx, { matters: JSON.stringify(matters) })

const saved_closings = statement(
  'open-matters.saveClosings',
  `update open_matters set closed_at = :now
    where organization_id = :organization_id and kind = :kind and resource_id = any(:resource_ids::text[])
      and closed_at is null`,
)

/** Closes the matters of a kind about resources. */
export const saveClosings = (
  ctx: Ctx,
  { organization_id, kind }: { organization_id: string; kind: MatterKind },
  resource_ids: string[],
) => saved_closings.rows(ctx, { organization_id, kind, resource_ids })

const saved_closings_of = statement(
  'open-matters.saveClosingsOf',
  `update open_matters set closed_at = :now
    where employer_id = :employer_id and organization_id = :organization_id and kind = :kind and closed_at is null`,
)

/** Closes the matters of a kind of an employer. */
export const saveClosingsOf = (ctx: Ctx, of: { organization_id: string; employer_id: string; kind: MatterKind }) =>
  saved_closings_of.rows(ctx, of)

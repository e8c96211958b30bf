import { pageJson, pageValues, targetList } from '../../../database/sql/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Page } from '../../../kernel/pages.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import type { DocumentKey } from './rules.ts'
import type { DocumentFilter, EmployeeDocumentQuery, UnopenedFilter } from './schemas.ts'

/** SQL: whether a row `document` is shown today, if its file can be opened. */
const is_current = `(document.effective_on <= :today::date and document.withdrawn_at is null
  and (document.replaced_on is null or document.replaced_on > :today::date))`

/**
 * SQL: whether the caller reaches a row `document`. An employer reaches its own documents, those of the organization,
 * and those of plans that its plan years offer, if they are not for members only.
 */
const is_reached = `(
  ${inReach('document.organization_id', 'coalesce(document.employer_id, :reach_employer_id)')}
  and (:reach_employer_id::text is null
       or document.audience <> 'members'
          and (document.plan_id is null
               or exists (select from plan_year_rates as rate
                            join benefit_plan_years as year
                              on year.id = rate.plan_year_id and year.organization_id = rate.organization_id
                           where rate.plan_id = document.plan_id and rate.organization_id = document.organization_id
                             and year.employer_id = :reach_employer_id))))`

const status = `case when document.withdrawn_at is not null then 'withdrawn'
                     when document.replaced_on <= :today::date then 'replaced'
                     when document.effective_on > :today::date then 'scheduled' else 'current' end`

const scope = `case when document.plan_id is not null then 'plan'
                    when document.plan_year_id is not null then 'plan_year'
                    when document.employer_id is not null then 'employer' else 'organization' end`

const documentJson = `
  select row_to_json(shown) as item from (
    select document.id, document.organization_id, ${scope} as scope, document.employer_id,
           (select employer.name from employers as employer
             where employer.id = document.employer_id
               and employer.organization_id = document.organization_id) as employer_name,
           document.plan_year_id as benefit_plan_year_id, document.plan_id,
           (select plan.name from plans as plan
             where plan.id = document.plan_id and plan.organization_id = document.organization_id) as plan_name,
           document.series_id, document.version,
           document.kind, document.title, document.language, document.audience, document.is_required_at_election,
           ${status} as status, document.file_name, file.content_type, file.bytes, file.sha256, file.scan,
           document.effective_on, document.replaced_on, iso(document.withdrawn_at) as withdrawn_at,
           case when document.audience = 'public' then :public_url || '/documents/' || document.id end as public_url,
           (select count(*) from document_receipts as receipt
             where receipt.document_id = document.id
               and receipt.organization_id = document.organization_id) as opened_count,
           iso(document.created_at) as created_at, iso(document.updated_at) as updated_at
      from files as file where file.id = document.id and file.organization_id = document.organization_id) as shown`

const filtered = `
  from documents as document
 where document.organization_id = :organization_id and ${is_reached}
   and (:employer_id::text is null or document.employer_id = :employer_id)
   and (:plan_year_id::text is null or document.plan_year_id = :plan_year_id)
   and (:plan_id::text is null or document.plan_id = :plan_id)
   and (:series_id::text is null or document.series_id = :series_id)
   and (:kind::text is null or document.kind = :kind)
   and (:language::text is null or document.language = :language)
   and (:scope::text is null or ${scope} = :scope)
   and (:status::text is null or ${status} = :status)`

const listed = read(
  'documents.listDocuments',
  pageJson(
    `select shown.item, row_number() over (order by document.created_at desc, document.id desc) as position
       from (select document.* ${filtered}
              order by document.created_at desc, document.id desc limit :limit::int offset :offset::bigint) as document
      cross join lateral (${documentJson}) as shown`,
    `(select count(*) ${filtered})`,
  ),
)

/** The address of the service, the beginning of public links. */
const publicUrl = ({ settings }: ReadCtx): string => settings.public_url ?? ''

/** A page of the library of an organization as JSON, newest first. */
export const listDocuments = (ctx: ReadCtx, organization_id: string, filter: DocumentFilter) =>
  listed.json(ctx, {
    organization_id,
    public_url: publicUrl(ctx),
    employer_id: filter.employer_id ?? null,
    plan_year_id: filter.benefit_plan_year_id ?? null,
    plan_id: filter.plan_id ?? null,
    series_id: filter.series_id ?? null,
    kind: filter.kind ?? null,
    language: filter.language ?? null,
    scope: filter.scope ?? null,
    status: filter.status ?? null,
    ...pageValues(filter),
  })

const found = read(
  'documents.findDocument',
  `select shown.item::text as json from documents as document cross join lateral (${documentJson}) as shown
    where document.id = :document_id and ${is_reached}`,
)

export const findDocument = (ctx: ReadCtx, document_id: string) =>
  found.json(ctx, { document_id, public_url: publicUrl(ctx) })

export const locateDocument = read(
  'documents.locateDocument',
  `select document.id as document_id, document.organization_id, document.series_id, document.language,
          document.version, document.title, document.replaced_on is not null as is_replaced,
          document.withdrawn_at is not null as is_withdrawn
     from documents as document where document.id = :document_id and ${is_reached}`,
).row<DocumentKey>

/** Locks a series for changes to its versions: each depends on the days and languages of the others. */
export const lockSeries = statement(
  'documents.lockSeries',
  'select from documents where id = :series_id and organization_id = :organization_id for update',
).rows

/** Whether the file of a document within reach can be opened. Undefined if the document is out of reach. */
export const findAvailability = read(
  'documents.findAvailability',
  `select document.organization_id, file.scan in ('none', 'clean') as is_available from documents as document
     join files as file on file.id = document.id and file.organization_id = document.organization_id
    where document.id = :document_id and ${is_reached}`,
).row<{ organization_id: string; is_available: boolean }>

/** The current version of a public document in the language of any of its versions. */
export const findPublic = read(
  'documents.findPublic',
  `select document.organization_id, document.id from documents as named
     join documents as document
       on document.series_id = named.series_id and document.organization_id = named.organization_id
      and document.language = named.language
    where named.id = :document_id and ${inReach('named.organization_id')} and document.audience = 'public'
      and ${is_current}`,
).row<{ organization_id: string; id: string }>

const scope_found = statement(
  'documents.findScope',
  `select exists (select from employers where id = :employer_id and organization_id = :organization_id) as has_employer,
          (select employer_id from benefit_plan_years
            where id = :plan_year_id and organization_id = :organization_id) as employer_of_year,
          exists (select from plans where id = :plan_id and organization_id = :organization_id) as has_plan`,
)

type ScopeIds = { employer_id: string | null; plan_year_id: string | null; plan_id: string | null }

/** Whether the employer and the plan are of the organization, and the employer of the plan year if that is. */
export const findScope = async (ctx: Ctx, organization_id: string, ids: ScopeIds) =>
  (await scope_found.row<{ has_employer: boolean; employer_of_year: string | null; has_plan: boolean }>(ctx, {
    organization_id,
    ...ids,
  }))!

/** Inserts the first document of a series. The file with its id is stored before. */
export const insertDocument = statement(
  'documents.insertDocument',
  `insert into documents
     (id, organization_id, series_id, version, employer_id, plan_year_id, plan_id, kind, title, language, audience,
      is_required_at_election, file_name, effective_on, created_at, updated_at)
   values
     (:id, :organization_id, :id, 1, :employer_id, :plan_year_id, :plan_id, :kind, :title, :language, :audience,
      :is_required_at_election, :file_name, coalesce(:effective_on::date, :today::date), :now, :now)`,
).rows

/** Adds the next version of a document in a language, or its first version in another language. */
export const insertVersion = statement(
  'documents.insertVersion',
  `insert into documents
     (id, organization_id, series_id, version, employer_id, plan_year_id, plan_id, kind, title, language, audience,
      is_required_at_election, file_name, effective_on, created_at, updated_at)
   select :id, organization_id, series_id,
          (select 1 + coalesce(max(earlier.version), 0) from documents as earlier
            where earlier.series_id = document.series_id and earlier.organization_id = :organization_id
              and earlier.language = :language),
          employer_id, plan_year_id, plan_id, kind, :title, :language, audience, is_required_at_election, :file_name,
          coalesce(:effective_on::date, :today::date), :now, :now
     from documents as document where id = :document_id and organization_id = :organization_id`,
).rows

/** Ends a version on the day on which the next one is shown. Returns whether it was the latest version. */
export const saveReplacement = statement(
  'documents.saveReplacement',
  `update documents set replaced_on = coalesce(:effective_on::date, :today::date), updated_at = :now
    where id = :document_id and organization_id = :organization_id and replaced_on is null and withdrawn_at is null
   returning id`,
).exists

/** Whether a document has a version in a language that is neither replaced nor withdrawn. */
export const hasLanguage = statement(
  'documents.hasLanguage',
  `select id from documents
    where series_id = :series_id and organization_id = :organization_id and language = :language
      and replaced_on is null and withdrawn_at is null`,
).exists

/**
 * Withdraws a version. The version before a scheduled one continues until the one after it. Returns whether the version
 * was not withdrawn yet.
 */
export const saveWithdrawal = statement(
  'documents.saveWithdrawal',
  `with former as (
     update documents as former set replaced_on = document.replaced_on, updated_at = :now
       from documents as document
      where document.id = :document_id and document.organization_id = :organization_id
        and document.effective_on > :today::date and former.series_id = document.series_id
        and former.organization_id = :organization_id and former.language = document.language
        and former.replaced_on = document.effective_on and former.withdrawn_at is null)
   update documents set withdrawn_at = :now, updated_at = :now
    where id = :document_id and organization_id = :organization_id and withdrawn_at is null
   returning id`,
).exists

/** Saves the given fields of a document, and of all its versions and translations except for the title. */
export const saveChange = statement(
  'documents.saveChange',
  `update documents
      set title = case when id = :document_id then coalesce(:title, title) else title end,
          kind = coalesce(:kind, kind), audience = coalesce(:audience, audience),
          is_required_at_election = coalesce(:is_required_at_election, is_required_at_election), updated_at = :now
    where series_id = :series_id and organization_id = :organization_id`,
).rows

/** The audience of a document, and whether it is required reading. */
export const findAudience = statement(
  'documents.findAudience',
  `select audience, is_required_at_election from documents
    where id = :document_id and organization_id = :organization_id`,
).row<{ audience: string; is_required_at_election: boolean }>

/** SQL: whether a row `document` is current and concerns a row `employee`. */
const concerns_employee = `
  document.organization_id = employee.organization_id and document.audience <> 'members' and ${is_current}
  and (document.employer_id is null and document.plan_id is null
       or document.employer_id = employee.employer_id and document.plan_year_id is null
       or document.plan_year_id is not null and document.plan_year_id in (
            select enrollment.plan_year_id from enrollments as enrollment
             where enrollment.employee_id = employee.id and enrollment.organization_id = employee.organization_id
               and (enrollment.inactive_on is null or enrollment.inactive_on > :today::date))
       or document.plan_id is not null and document.plan_id in (
            select rate.plan_id from enrollments as enrollment
              join plan_year_rates as rate
                on rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
               and rate.organization_id = enrollment.organization_id
             where enrollment.employee_id = employee.id and enrollment.organization_id = employee.organization_id
               and (enrollment.inactive_on is null or enrollment.inactive_on > :today::date)))`

/** SQL: when the employee of a row `employee` first opened a current version of the series of a row `document`. */
const opened_at = `
  (select min(receipt.opened_at) from document_receipts as receipt
     join documents as version on version.id = receipt.document_id and version.organization_id = receipt.organization_id
    where receipt.employee_id = employee.id and receipt.organization_id = employee.organization_id
      and version.series_id = document.series_id and version.withdrawn_at is null
      and (version.replaced_on is null or version.replaced_on > :today::date))`

const employeeDocuments = `
  select distinct on (document.series_id) document.*, file.content_type, file.bytes
    from documents as document
    join files as file on file.id = document.id and file.organization_id = document.organization_id
   where ${concerns_employee} and file.scan in ('none', 'clean')
   order by document.series_id, document.language = :language desc, document.language`

const employee_in_reach = `
  employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`

const of_employee = read(
  'documents.listEmployeeDocuments',
  `with target as materialized (
     select employee.id, employee.organization_id, employee.employer_id from employees as employee
      where ${employee_in_reach}
   ), shown as materialized (
     select document.*, ${opened_at} as opened_at
       from target as employee cross join lateral (${employeeDocuments}) as document
   )
   select page.json from target cross join lateral (${pageJson(
     `select row_to_json(item) as item, row_number() over (order by item.title, item.id) as position
        from (select id, kind, title, language, employer_id, plan_year_id as benefit_plan_year_id, plan_id,
                     is_required_at_election, content_type, bytes, effective_on, iso(opened_at) as opened_at
                from shown order by title, id limit :limit::int offset :offset::bigint) as item`,
     '(select count(*) from shown)',
   )}) as page`,
)

/** A page of the documents that concern an employee as JSON, by title. Undefined if the employee is out of reach. */
export const listEmployeeDocuments = (ctx: ReadCtx, employee_id: string, query: EmployeeDocumentQuery) =>
  of_employee.json(ctx, { employee_id, language: query.language, ...pageValues(query) })

export const locateEmployeeDocument = read(
  'documents.locateEmployeeDocument',
  `select employee.id as employee_id, employee.employer_id, employee.organization_id, document.id as document_id
     from employees as employee
     join documents as document on document.id = :document_id and document.organization_id = employee.organization_id
     join files as file on file.id = document.id and file.organization_id = document.organization_id
    where ${employee_in_reach} and ${concerns_employee} and file.scan in ('none', 'clean')`,
).row<Omit<EmployeeKey, 'member_id'> & { document_id: string }>

/** Records that an employee opened a document. Returns whether it was the first time. */
export const insertReceipt = statement(
  'documents.insertReceipt',
  `insert into document_receipts (organization_id, document_id, employee_id, opened_at, reported_by)
   values (:organization_id, :document_id, :employee_id, :now, :reported_by)
   on conflict do nothing
   returning document_id`,
).exists

const receipts = targetList('documents.listReceipts', {
  target: `select document.id, document.organization_id from documents as document
            where document.id = :document_id and ${is_reached}`,
  from: `document_receipts as receipt
          where receipt.document_id = target.id and receipt.organization_id = target.organization_id`,
  row: 'receipt',
  order: 'receipt.opened_at desc, receipt.employee_id desc',
  sources: `
    join employees as employee
      on employee.id = receipt.employee_id and employee.organization_id = target.organization_id
    join members as member on member.id = employee.member_id and member.organization_id = target.organization_id`,
  item: `json_build_object(
    'document_id', receipt.document_id, 'employee_id', receipt.employee_id, 'employer_id', employee.employer_id,
    'member_first_name', member.first_name, 'member_last_name', member.last_name,
    'opened_at', iso(receipt.opened_at), 'reported_by', receipt.reported_by)`,
})

/** A page of the receipts of a document as JSON, newest first. Undefined if it is out of reach. */
export const listReceipts = (ctx: ReadCtx, document_id: string, page: Page) => receipts(ctx, { document_id }, page)

const unopened = targetList('documents.listEmployeesWithout', {
  target: `select document.* from documents as document where document.id = :document_id and ${is_reached}`,
  from: `employees as employee cross join lateral (select target.*) as document
          where employee.organization_id = target.organization_id
            and (:employer_id::text is null or employee.employer_id = :employer_id)
            and (employee.terminated_on is null or employee.terminated_on >= :today::date)
            and ${concerns_employee} and ${opened_at} is null`,
  row: 'employee',
  order: 'employee.id',
  sources: `
    join members as member on member.id = employee.member_id and member.organization_id = target.organization_id
    join employers as employer
      on employer.id = employee.employer_id and employer.organization_id = target.organization_id`,
  item: `json_build_object(
    'employee_id', employee.id, 'employer_id', employee.employer_id, 'employer_name', employer.name,
    'member_first_name', member.first_name, 'member_last_name', member.last_name)`,
})

/** A page of the employees who have not opened a document that concerns them. Undefined if it is out of reach. */
export const listEmployeesWithout = (ctx: ReadCtx, document_id: string, { employer_id, ...page }: UnopenedFilter) =>
  unopened(ctx, { document_id, employer_id: employer_id ?? null }, page)

/**
 * The required documents that an employee has not opened, among those that concern the organization, the employer, the
 * plan years of the enrollments, and the elected plans. Each is named in one language.
 */
export const listUnopened = statement(
  'documents.listUnopened',
  `select document.id, document.title
     from employees as employee cross join lateral (${employeeDocuments}) as document
    where employee.id = :employee_id and employee.organization_id = :organization_id
      and document.is_required_at_election and ${opened_at} is null
      and (document.plan_id is null or document.plan_id = any(:plan_ids::text[]))
      and (document.plan_year_id is null
           or document.plan_year_id in (
                select enrollment.plan_year_id from enrollments as enrollment
                 where enrollment.id = any(:enrollment_ids::text[])
                   and enrollment.organization_id = employee.organization_id))
    order by document.title, document.id`,
).rows<{ id: string; title: string }>

/** The title of a document, which names its download. */
export const findTitle = statement(
  'documents.findTitle',
  'select title from documents where id = :document_id and organization_id = :organization_id',
).row<{ title: string }>

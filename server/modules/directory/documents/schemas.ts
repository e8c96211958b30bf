import { z } from 'zod'
import { ResponseDay, DayText, Id, optional, text, Timestamp, Language } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import type { SentBody } from '../../../http/endpoint.ts'
import { fileContent, FileScan } from '../files/schemas.ts'

export const DocumentKind = z.enum(['sbc', 'spd', 'summary', 'guide', 'notice', 'form']).meta({
  id: 'DocumentKind',
  description:
    'The kind of a document. `sbc`: Summary of Benefits and Coverage. `spd`: summary plan description. `summary`: ' +
    'another summary. `guide`: a benefits guide. `notice`: a legal notice. `form`: a form to fill in.',
})

export const DocumentAudience = z.enum(['members', 'employees', 'public']).meta({
  id: 'DocumentAudience',
  description:
    'The people who see a document. `members`: members of the organization. `employees`: also the employer and the ' +
    'employees whom it concerns. `public`: also everyone who has its `public_url`.',
})

const DocumentStatus = z.enum(['scheduled', 'current', 'replaced', 'withdrawn']).meta({
  id: 'DocumentStatus',
  description:
    'The status of a version today. `scheduled`: before `effective_on`. `replaced`: a later version took its place.',
})

const words = {
  title: 'The title, in the language of the document.',
  required: 'Whether employees must open the document before they elect or waive the benefits that it concerns.',
  effective_on: 'The first day on which the document is shown.',
  employer_id: 'The employer that the document concerns.',
  benefit_plan_year_id: 'The plan year that the document concerns.',
  plan_id: 'The plan that the document concerns, in every plan year that offers it.',
  language: 'The language of the document.',
}

const max_mib = 25

const upload = {
  file_name: text().meta({ description: 'The name to show for the file.', example: 'silver-2027.pdf' }),
  content: fileContent(max_mib),
  effective_on: optional(DayText).meta({ description: `${words.effective_on} The default is today.` }),
}

const scope_ids = ['employer_id', 'benefit_plan_year_id', 'plan_id'] as const

export const NewDocument = z
  .object({
    employer_id: optional(Id('empr')).meta({ description: words.employer_id }),
    benefit_plan_year_id: optional(Id('plyr')).meta({ description: words.benefit_plan_year_id }),
    plan_id: optional(Id('pln')).meta({ description: words.plan_id }),
    kind: DocumentKind,
    title: text().meta({ description: words.title, example: 'Summary of Benefits and Coverage: Silver' }),
    language: Language.default('en').meta({ description: words.language }),
    audience: DocumentAudience.default('employees'),
    is_required_at_election: z.boolean().default(false).meta({ description: words.required }),
    ...upload,
  })
  .superRefine((input, check) => {
    const [, ...more] = scope_ids.filter((name) => input[name] !== undefined)
    for (const name of more)
      check.addIssue({ code: 'custom', path: [name], message: 'must not be sent with another scope' })
    if (input.is_required_at_election && input.audience === 'members')
      check.addIssue({
        code: 'custom',
        path: ['is_required_at_election'],
        message: 'must be false if the audience is `members`',
      })
  })
  .meta({
    id: 'NewDocument',
    description:
      'Send at most one of `employer_id`, `benefit_plan_year_id` and `plan_id`. Without one, the document ' +
      'concerns the whole organization.',
  })
export type NewDocument = z.output<typeof NewDocument>

export const NewDocumentVersion = z
  .object({
    title: optional(text()).meta({ description: `${words.title} The default is the title of the replaced version.` }),
    ...upload,
  })
  .meta({ id: 'NewDocumentVersion' })
export type NewDocumentVersion = z.output<typeof NewDocumentVersion>

export const NewDocumentTranslation = z
  .object({
    language: Language.meta({ description: 'The language of the translation.' }),
    title: text().meta({ description: words.title }),
    ...upload,
  })
  .meta({ id: 'NewDocumentTranslation' })
export type NewDocumentTranslation = z.output<typeof NewDocumentTranslation>

const large = { large: true, body_limit: 36 * 1024 * 1024 } as const

export const sent_document = { body: NewDocument, ...large } as const satisfies SentBody
export const sent_version = { body: NewDocumentVersion, ...large } as const satisfies SentBody
export const sent_translation = { body: NewDocumentTranslation, ...large } as const satisfies SentBody

export const DocumentChange = z
  .object({
    title: optional(text()).meta({ description: words.title }),
    kind: optional(DocumentKind),
    audience: optional(DocumentAudience),
    is_required_at_election: optional(z.boolean()).meta({ description: words.required }),
  })
  .meta({
    id: 'DocumentChange',
    description: 'Only the fields you send change. All but the title also change for the translations and versions.',
  })
export type DocumentChange = z.output<typeof DocumentChange>

const shared_fields = {
  id: Id('doc').meta({ description: 'The document.' }),
  kind: DocumentKind,
  title: z.string().meta({ description: words.title }),
  language: Language.meta({ description: words.language }),
  employer_id: Id('empr')
    .nullable()
    .meta({
      description: `${words.employer_id} Also set for a plan year.`,
      on_null: 'Null for all employers.',
    }),
  benefit_plan_year_id: Id('plyr').nullable().meta({
    description: words.benefit_plan_year_id,
    on_null: 'Null for all plan years.',
  }),
  plan_id: Id('pln').nullable().meta({ description: words.plan_id, on_null: 'Null for all plans.' }),
  is_required_at_election: z.boolean().meta({ description: words.required }),
  content_type: z
    .string()
    .meta({ description: 'The media type, detected from the content.', example: 'application/pdf' }),
  bytes: z.int().meta({ description: 'The size of the file in bytes.' }),
  effective_on: ResponseDay.meta({ description: words.effective_on }),
}

const DocumentScope = z.enum(['organization', 'employer', 'plan_year', 'plan']).meta({
  id: 'DocumentScope',
  description: 'The kind of resource that the document concerns.',
})

export const Document = z
  .object({
    ...shared_fields,
    organization_id: Id('org'),
    scope: DocumentScope,
    employer_name: z.string().nullable().meta({ description: 'The name of the employer. Null for all employers.' }),
    plan_name: z.string().nullable().meta({ description: 'The name of the plan. Null for all plans.' }),
    series_id: Id('doc').meta({ description: 'The first document of all versions and translations.' }),
    version: z.int().meta({ description: 'The number of the version in its language, from 1.' }),
    audience: DocumentAudience,
    status: DocumentStatus,
    file_name: z.string().meta({ description: 'The name of the file, as sent.' }),
    sha256: z.string().meta({ description: 'The SHA-256 of the file in hexadecimal.' }),
    scan: FileScan,
    replaced_on: ResponseDay.nullable().meta({
      description: 'The first day on which a later version is shown in its place. Null without a later version.',
    }),
    withdrawn_at: Timestamp.nullable().meta({ description: 'When it was withdrawn. Null until then.' }),
    public_url: z.url().nullable().meta({
      description: 'The permanent link to the current version. It needs no key. Null unless the audience is `public`.',
    }),
    opened_count: z.int().meta({ description: 'The number of employees who opened this version.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Document', description: 'A version of a document of the library, in one language.' })

export const DocumentPage = pageOf('DocumentPage', Document)

export const DocumentFilter = z.object({
  ...pageQuery,
  employer_id: Id('empr')
    .optional()
    .meta({ description: 'Returns only documents of this employer and its plan years.' }),
  benefit_plan_year_id: Id('plyr').optional().meta({ description: 'Returns only documents of this plan year.' }),
  plan_id: Id('pln').optional().meta({ description: 'Returns only documents of this plan.' }),
  series_id: Id('doc').optional().meta({ description: 'Returns only versions and translations of this document.' }),
  scope: DocumentScope.optional().meta({ description: 'Returns only documents with this scope.' }),
  kind: DocumentKind.optional().meta({ description: 'Returns only documents of this kind.' }),
  language: Language.optional().meta({ description: 'Returns only documents in this language.' }),
  status: DocumentStatus.optional().meta({ description: 'Returns only documents with this status.' }),
})
export type DocumentFilter = z.output<typeof DocumentFilter>

export const EmployeeDocument = z
  .object({
    ...shared_fields,
    opened_at: Timestamp.nullable().meta({
      description: 'When the employee first opened the current version in any language. Null until then.',
    }),
  })
  .meta({ id: 'EmployeeDocument', description: 'A document that concerns an employee, in one language.' })

export const EmployeeDocumentPage = pageOf('EmployeeDocumentPage', EmployeeDocument)

export const EmployeeDocumentQuery = z.object({
  ...pageQuery,
  language: Language.default('en').meta({
    description: 'The preferred language. A document without this translation is returned in another language.',
  }),
})
export type EmployeeDocumentQuery = z.output<typeof EmployeeDocumentQuery>

const DocumentReceipt = z
  .object({
    document_id: Id('doc').meta({ description: 'The version that was opened.' }),
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    member_first_name: z.string().meta({ description: 'The first name of the employee.' }),
    member_last_name: z.string().meta({ description: 'The last name of the employee.' }),
    opened_at: Timestamp.meta({ description: 'When the employee first opened this version.' }),
    reported_by: z.enum(['employee', 'partner']).meta({
      id: 'ReceiptSource',
      description: '`employee`: opened with a token of the employee. `partner`: reported by your own systems.',
    }),
  })
  .meta({ id: 'DocumentReceipt', description: 'The proof that an employee opened a version of a document.' })

export const DocumentReceiptPage = pageOf('DocumentReceiptPage', DocumentReceipt)

export const UnopenedDocumentPage = pageOf(
  'UnopenedDocumentPage',
  z
    .object({
      employee_id: Id('empl'),
      employer_id: Id('empr'),
      employer_name: z.string().meta({ description: 'The name of the employer.' }),
      member_first_name: z.string().meta({ description: 'The first name of the employee.' }),
      member_last_name: z.string().meta({ description: 'The last name of the employee.' }),
    })
    .meta({ id: 'UnopenedDocument', description: 'An employee who has not opened a document.' }),
)

export const UnopenedFilter = z.object({
  ...pageQuery,
  employer_id: Id('empr').optional().meta({ description: 'Returns only employees of this employer.' }),
})
export type UnopenedFilter = z.output<typeof UnopenedFilter>

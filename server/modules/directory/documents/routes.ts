import { Paging } from '../../../kernel/pages.ts'
import {
  alsoForOperators,
  changed,
  data,
  dataOf,
  endpoint,
  for_operators,
  made,
  partner,
} from '../../../http/endpoint.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import type { PageRequest, PageResponse, WebPage } from '../../../http/static/pages.ts'
import { every_organization } from '../../../database/query/rows-of.ts'
import { generic, refuse, Refusal } from '../../../kernel/refusal.ts'
import { isId } from '../../../kernel/ids.ts'
import { actingOrganization, serviceCaller } from '../../../runtime/caller.ts'
import { enrolling, everyone, operating } from '../../../runtime/permissions.ts'
import { contextOf } from '../../../runtime/runtime.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import {
  addDocument,
  changeDocument,
  openDocument,
  replaceDocument,
  translateDocument,
  withdrawDocument,
} from './actions.ts'
import {
  findAvailability,
  findDocument,
  findPublic,
  listDocuments,
  listEmployeeDocuments,
  listEmployeesWithout,
  listReceipts,
  locateDocument,
  locateEmployeeDocument,
} from './queries.ts'
import { refusals } from './rules.ts'
import {
  Document,
  DocumentChange,
  DocumentFilter,
  DocumentPage,
  DocumentReceiptPage,
  EmployeeDocumentPage,
  EmployeeDocumentQuery,
  sent_document,
  sent_translation,
  sent_version,
  UnopenedDocumentPage,
  UnopenedFilter,
} from './schemas.ts'

const tag = 'Documents'

const library = { tag, path: '/v1/documents', organization: 'needed' } as const

const one_document = {
  tag,
  path: '/v1/documents/{document_id}',
  locate: locateDocument,
} as const

const read_by = { allows: [...partner, 'employer_token'], roles: everyone, scopes: ['read'] } as const
const written_by = { allows: partner, roles: operating, scopes: ['write'], locks: 'nothing' } as const

const file_rules =
  'The content must be a PDF, PNG, JPEG, WebP or HEIC file of at most 25 MiB. It is stored encrypted, and cannot be ' +
  'opened before its virus scan, if the installation scans files.'

const example_file = { file_name: 'silver-2027.pdf', content: 'JVBERi0xLjcKJSVFT0YK' }

const linkTo = async (ctx: ReadCtx, organization_id: string, id: string): Promise<string> =>
  JSON.stringify(await downloadLink(ctx, { kind: 'document', organization_id, id }))

/** Redirects to the current version of a public document. An unknown id counts as an invalid secret. */
async function showPublic({ runtime, params, countInvalid }: PageRequest): Promise<PageResponse> {
  const document_id = params.document_id!
  const ctx = contextOf(runtime, serviceCaller(null), runtime.database.reads(every_organization))
  const found = isId('doc', document_id) ? await findPublic(ctx, { document_id }) : undefined
  if (!found) {
    countInvalid()
    throw new Refusal(generic.not_found)
  }
  const { download_url } = await downloadLink(ctx, { kind: 'document', ...found })
  return { see: download_url }
}

export const pages: WebPage[] = [{ method: 'GET', path: '/documents/{document_id}', respond: showPublic }]

export const endpoints = [
  endpoint({
    ...library,
    ...read_by,
    operation: 'documents_list',
    method: 'GET',
    summary: 'List the documents of the library',
    description:
      'Lists all versions in all languages, newest first. With a token bound to an employer, the list has only the ' +
      'documents that concern the employer and are not for members only.',
    query: DocumentFilter,
    returns: { 200: DocumentPage },
    handle: (ctx, { query }) => listDocuments(ctx, actingOrganization(ctx.caller), query),
  }),
  endpoint({
    tag,
    ...for_operators.read,
    operation: 'operator_list_documents',
    path: '/operator/v1/organizations/{organization_id}/documents',
    summary: 'List the documents of an organization',
    description: 'Lists all versions in all languages, newest first.',
    locate: locateOrganization,
    query: DocumentFilter,
    returns: { 200: DocumentPage },
    handle: (ctx, { params, query }) => listDocuments(ctx, params.organization_id, query),
  }),
  endpoint({
    ...library,
    ...written_by,
    operation: 'documents_create',
    method: 'POST',
    summary: 'Add a document to the library',
    description: `Adds a document for the organization, an employer, a plan year or a plan. ${file_rules}`,
    ...sent_document,
    returns: { 201: dataOf(Document) },
    example: { kind: 'guide', title: 'Benefits guide 2027', ...example_file },
    handle: async (ctx, { body }) =>
      made(await addDocument(ctx, actingOrganization(ctx.caller), body), (id) => findDocument(ctx, id)),
  }),
  ...alsoForOperators(
    endpoint({
      ...one_document,
      ...read_by,
      operation: 'documents_get',
      method: 'GET',
      summary: 'Get a document',
      returns: { 200: dataOf(Document) },
      handle: async (ctx, { params }) => data(await findDocument(ctx, params.document_id)),
    }),
    { operation: 'operator_get_document', ...for_operators.read },
  ),
  ...alsoForOperators(
    endpoint({
      ...one_document,
      ...read_by,
      path: '/v1/documents/{document_id}/download',
      operation: 'documents_get_link',
      method: 'GET',
      summary: 'Get a download link to a document',
      description: 'Works for replaced and withdrawn versions too. The link records no receipt.',
      returns: { 200: dataOf(DownloadLink) },
      refuses: [refusals.document_not_available],
      handle: async (ctx, { params: { document_id } }) => {
        const found = await findAvailability(ctx, { document_id })
        if (!found) return undefined
        refuse(found.is_available ? undefined : refusals.document_not_available)
        return data(await linkTo(ctx, found.organization_id, document_id))
      },
    }),
    { operation: 'operator_get_document_link', ...for_operators.read },
  ),
  endpoint({
    ...one_document,
    path: '/v1/documents/{document_id}/receipts',
    operation: 'documents_list_receipts',
    method: 'GET',
    summary: 'List the employees who opened a document',
    description: 'Lists the first time at which each employee opened this version, newest first.',
    allows: partner,
    roles: enrolling,
    scopes: ['read', 'people'],
    query: Paging,
    returns: { 200: DocumentReceiptPage },
    handle: (ctx, { params, query }) => listReceipts(ctx, params.document_id, query),
  }),
  endpoint({
    ...one_document,
    path: '/v1/documents/{document_id}/unopened',
    operation: 'documents_list_unopened',
    method: 'GET',
    summary: 'List the employees who have not opened a document',
    description:
      'Lists the current employees whom the document concerns and who have opened no current version in any ' +
      'language, in the order of their hire. Empty unless the document is current.',
    allows: partner,
    roles: enrolling,
    scopes: ['read', 'people'],
    query: UnopenedFilter,
    returns: { 200: UnopenedDocumentPage },
    handle: (ctx, { params, query }) => listEmployeesWithout(ctx, params.document_id, query),
  }),
  endpoint({
    tag,
    operation: 'employees_list_documents',
    sdk: 'documents.listOfEmployee',
    method: 'GET',
    path: '/v1/employees/{employee_id}/documents',
    summary: 'List the documents that concern an employee',
    description:
      'Lists the current documents of the organization, the employer, the plan years and the plans in which the ' +
      'employee is enrolled or can enroll, each in one language, by title.',
    allows: [...partner, 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    locate: locateEmployee,
    query: EmployeeDocumentQuery,
    returns: { 200: EmployeeDocumentPage },
    handle: (ctx, { params, query }) => listEmployeeDocuments(ctx, params.employee_id, query),
  }),
  endpoint({
    tag,
    operation: 'employees_open_document',
    sdk: 'documents.open',
    method: 'POST',
    path: '/v1/employees/{employee_id}/documents/{document_id}/open',
    summary: 'Open a document as an employee',
    description:
      'Returns a download link and records that the employee opened this version. Call it with your key if your own ' +
      'page shows the document to the employee.',
    allows: [...partner, 'employee_token'],
    roles: enrolling,
    scopes: ['write', 'people'],
    locate: locateEmployeeDocument,
    locks: 'employer',
    repeats: 'rerun',
    returns: { 200: dataOf(DownloadLink) },
    handle: (ctx, { located }) =>
      changed(openDocument(ctx, located), () => linkTo(ctx, located.organization_id, located.document_id)),
  }),
  endpoint({
    ...one_document,
    ...written_by,
    operation: 'documents_update',
    method: 'PATCH',
    summary: 'Change a document',
    description: 'To change the file, upload a new version.',
    body: DocumentChange,
    returns: { 200: dataOf(Document) },
    example: { is_required_at_election: true },
    handle: (ctx, { located, body }) =>
      changed(changeDocument(ctx, located, body), () => findDocument(ctx, located.document_id)),
  }),
  endpoint({
    ...one_document,
    ...written_by,
    path: '/v1/documents/{document_id}/translations',
    operation: 'documents_translate',
    method: 'POST',
    summary: 'Add a document in another language',
    description:
      'The translation has the same scope, kind and audience. Employees get the document in their language, and a ' +
      `receipt in one language counts for all. ${file_rules}`,
    ...sent_translation,
    returns: { 201: dataOf(Document) },
    refuses: [refusals.document_is_withdrawn, refusals.document_is_replaced, refusals.document_language_exists],
    example: { language: 'es', title: 'Guía de beneficios 2027', ...example_file },
    handle: async (ctx, { located, body }) =>
      made(await translateDocument(ctx, located, body), (id) => findDocument(ctx, id)),
  }),
  endpoint({
    ...one_document,
    ...written_by,
    path: '/v1/documents/{document_id}/versions',
    operation: 'documents_replace',
    method: 'POST',
    summary: 'Upload a new version of a document',
    description:
      'The new version is a document of its own. It takes the place of the replaced one on its `effective_on`, with ' +
      'the same scope, kind, language and audience. The replaced version keeps its file and its receipts. A required ' +
      `document must be opened again. ${file_rules}`,
    ...sent_version,
    returns: { 201: dataOf(Document) },
    refuses: [refusals.document_is_withdrawn, refusals.document_is_replaced],
    example: example_file,
    handle: async (ctx, { located, body }) =>
      made(await replaceDocument(ctx, located, body), (id) => findDocument(ctx, id)),
  }),
  endpoint({
    ...one_document,
    ...written_by,
    path: '/v1/documents/{document_id}/withdraw',
    operation: 'documents_withdraw',
    method: 'POST',
    summary: 'Withdraw a document',
    description:
      'Employees no longer see this version. Its file and its receipts are kept. If a scheduled version is ' +
      'withdrawn, the version before it continues.',
    returns: { 200: dataOf(Document) },
    refuses: [refusals.document_is_withdrawn],
    handle: (ctx, { located }) => changed(withdrawDocument(ctx, located), () => findDocument(ctx, located.document_id)),
  }),
]

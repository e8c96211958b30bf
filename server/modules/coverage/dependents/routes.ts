import { Paging } from '../../../kernel/pages.ts'
import { days_to_reinstate } from '../elections/rules.ts'
import {
  alsoForOperators,
  changed,
  data,
  dataOf,
  endpoint,
  made,
  partner,
  for_operators,
} from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { AttachmentList, sent_attachment } from '../../directory/files/schemas.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import {
  addDependent,
  approveDisability,
  changeDependent,
  endDependent,
  reinstateDependent,
  withdrawDisability,
} from './actions.ts'
import { findDependent, locateDependent, listDependents } from './queries.ts'
import { refusals as elections_refusals } from '../elections/rules.ts'
import { refusals } from './rules.ts'
import {
  Dependent,
  DependentChanges,
  DependentPage,
  Disability,
  NewDependent,
  VerificationDecision,
} from './schemas.ts'
import { attachFile, decideVerification, detachFile } from './verification-actions.ts'
import { listAttachments, locateAttachment } from './verification-queries.ts'

const operators = {
  tag: 'Dependents',
  locate: locateDependent,
  path: '/operator/v1/dependents/{dependent_id}/disability',
} as const

const why_not_there = [refusals.too_many_dependents, refusals.spouse_already_exists, refusals.dependent_already_exists]

const of_employee = {
  tag: 'Dependents',
  allows: [...partner, 'employee_token'],
  roles: enrolling,
  locate: locateEmployee,
} as const
const a_dependent = {
  tag: 'Dependents',
  allows: [...partner, 'employee_token'],
  roles: enrolling,
  scopes: ['write', 'people'],
  locate: locateDependent,
} as const

const attachments = {
  ...a_dependent,
  path: '/v1/dependents/{dependent_id}/attachments',
} as const

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      ...of_employee,
      operation: 'dependents_list',
      scopes: ['read', 'people'],
      method: 'GET',
      path: '/v1/employees/{employee_id}/dependents',
      summary: 'List the dependents of an employee',
      description:
        'Lists the dependents of the person in the order in which they were added, including removed ' +
        'ones. The list is the same at each employment of the person.',
      query: Paging,
      returns: { 200: DependentPage },
      handle: (ctx, { params, query }) => listDependents(ctx, params, query),
    }),
    {
      operation: 'operator_list_dependents',
      description: 'Lists the dependents of the person in the order in which they were added, including removed ones.',
      ...for_operators.read,
    },
  ),
  endpoint({
    ...of_employee,
    operation: 'dependents_create',
    scopes: ['write', 'people'],
    method: 'POST',
    path: '/v1/employees/{employee_id}/dependents',
    summary: 'Add a dependent',
    description:
      'Adds a spouse, domestic partner or child to the person. This does not start coverage. Name the dependent ' +
      'when you elect an enrollment.',
    body: NewDependent,
    returns: { 201: dataOf(Dependent) },
    refuses: [elections_refusals.employee_is_not_employed, ...why_not_there, refusals.dependent_too_old],
    example: { relationship: 'child', first_name: 'Anne', last_name: 'Byron', date_of_birth: '2022-09-22' },
    handle: async (ctx, { located, body }) =>
      made(await addDependent(ctx, located, body), (id) => findDependent(ctx, { dependent_id: id })),
  }),
  endpoint({
    ...a_dependent,
    operation: 'dependents_update',
    method: 'PATCH',
    path: '/v1/dependents/{dependent_id}',
    summary: 'Update a dependent',
    description:
      'Changes the data of a dependent, all or nothing. A new date of birth moves the end of coverage that ' +
      'follows the 26th birthday. A new date of birth or relationship withdraws the decision of the verification, ' +
      'which is then `pending` if there are documents, and otherwise `unverified`.',
    body: DependentChanges,
    returns: { 200: dataOf(Dependent) },
    refuses: [
      elections_refusals.employee_is_not_employed,
      refusals.dependent_already_ended,
      refusals.spouse_already_exists,
      refusals.dependent_already_exists,
      refusals.dependent_is_covered,
      refusals.dependent_too_old,
    ],
    example: { first_name: 'Anne Isabella', gender: 'Female' },
    handle: (ctx, { located, body }) => changed(changeDependent(ctx, located, body), () => findDependent(ctx, located)),
  }),
  endpoint({
    ...a_dependent,
    operation: 'dependents_end',
    method: 'DELETE',
    path: '/v1/dependents/{dependent_id}',
    summary: 'Remove a dependent',
    description:
      'Makes today the last day as a dependent. Coverage ends on the last day of this month. The dependent ' +
      'stays readable and can be reinstated if this was a mistake.',
    returns: { 200: dataOf(Dependent) },
    refuses: [elections_refusals.employee_is_not_employed, refusals.dependent_already_ended],
    handle: (ctx, { located }) => changed(endDependent(ctx, located), () => findDependent(ctx, located)),
  }),
  endpoint({
    ...a_dependent,
    operation: 'dependents_reinstate',
    allows: partner,
    method: 'POST',
    path: '/v1/dependents/{dependent_id}/reinstate',
    summary: 'Reinstate a removed dependent',
    description:
      `Reverses the removal of a dependent, up to ${days_to_reinstate} days after it. If a current election names ` +
      'the dependent, coverage continues without a gap and corrections adjust the amounts. Elections made in the ' +
      'meantime stay unchanged. A dependent who was not removed does not change.',
    returns: { 200: dataOf(Dependent) },
    refuses: [refusals.dependent_ended_long_ago, ...why_not_there],
    handle: (ctx, { located }) => changed(reinstateDependent(ctx, located), () => findDependent(ctx, located)),
  }),
  endpoint({
    ...attachments,
    operation: 'dependents_list_attachments',
    allows: [...partner, 'employer_token', 'employee_token'],
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'List the documents of a dependent',
    description:
      'Lists at most 5 documents that prove the relationship, in the order in which they were added, each with a ' +
      'download link.',
    returns: { 200: AttachmentList },
    handle: async (ctx, { params }) => data(await listAttachments(ctx, params.dependent_id)),
  }),
  endpoint({
    ...attachments,
    operation: 'dependents_attach',
    method: 'POST',
    summary: 'Attach a document to a dependent',
    description:
      'Attaches a document that proves the relationship, such as a birth or marriage certificate: a PDF, PNG, JPEG, ' +
      'WebP or HEIC file. The verification is then `pending`, and `dependent.verification_requested` is published.',
    ...sent_attachment,
    repeats: 'briefly',
    returns: { 201: dataOf(Dependent) },
    refuses: [
      elections_refusals.employee_is_not_employed,
      refusals.dependent_already_ended,
      refusals.dependent_already_verified,
    ],
    example: { file_name: 'certificate.pdf', content: 'JVBERi0xLjcKJSVFT0YK' },
    handle: (ctx, { located, body }) => changed(attachFile(ctx, located, body), () => findDependent(ctx, located)),
  }),
  endpoint({
    ...attachments,
    operation: 'dependents_detach',
    path: `${attachments.path}/{dependent_attachment_id}`,
    locate: locateAttachment,
    method: 'DELETE',
    summary: 'Remove a document from a dependent',
    description:
      'Deletes the document with its content. Employee tokens can remove it until the dependent is verified. Without ' +
      'documents, a pending dependent is unverified again.',
    returns: { 200: dataOf(Dependent) },
    refuses: [elections_refusals.employee_is_not_employed, refusals.dependent_already_verified],
    handle: (ctx, { located }) => changed(detachFile(ctx, located), () => findDependent(ctx, located)),
  }),
  endpoint({
    ...a_dependent,
    operation: 'dependents_decide_verification',
    allows: partner,
    method: 'PUT',
    path: '/v1/dependents/{dependent_id}/verification',
    summary: 'Verify or reject a dependent',
    description:
      'Decides whether the documents prove the relationship. A later decision replaces an earlier one. Publishes ' +
      '`dependent.verification_decided`. A rejection does not end coverage: remove the dependent to do so.',
    body: VerificationDecision,
    returns: { 200: dataOf(Dependent) },
    example: { status: 'verified' },
    handle: (ctx, { located, body }) =>
      changed(decideVerification(ctx, located, body), () => findDependent(ctx, located)),
  }),
  endpoint({
    ...operators,
    operation: 'operator_approve_disability',
    ...for_operators.administer,
    method: 'POST',
    summary: 'Approve that a dependent is disabled',
    description:
      'Removes the age limit of a disabled child. If coverage of the child ended because of age, it is restored in ' +
      'each election that still includes the child.',
    body: Disability,
    returns: { 200: dataOf(Dependent) },
    refuses: [refusals.dependent_already_disabled],
    example: { reason: 'Certificate of March 3' },
    handle: (ctx, { located, body }) =>
      changed(approveDisability(ctx, located, body.reason), () => findDependent(ctx, located)),
  }),
  endpoint({
    ...operators,
    operation: 'operator_withdraw_disability',
    ...for_operators.administer,
    method: 'DELETE',
    summary: 'Withdraw the approval of a disability',
    description: 'Restores the age limit as of today. Coverage of a child over the limit ends with this month.',
    returns: { 200: dataOf(Dependent) },
    refuses: [refusals.dependent_not_disabled],
    handle: (ctx, { located }) => changed(withdrawDisability(ctx, located), () => findDependent(ctx, located)),
  }),
]

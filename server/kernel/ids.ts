import { TypeID, typeid } from 'typeid-js'

/** The name of every kind of resource, by the prefix of its ids. */
export const kinds = {
  org: 'Organization',
  usr: 'User',
  key: 'ApiKey',
  opkey: 'OperatorKey',
  sess: 'Session',
  inv: 'Invitation',
  empr: 'Employer',
  eadm: 'EmployerAdmin',
  sub: 'Subscription',
  epol: 'EligibilityPolicy',
  carr: 'Carrier',
  bprd: 'Benefit',
  pln: 'Plan',
  tier: 'TierRate',
  amnd: 'BenefitPlanYearAmendment',
  plyr: 'BenefitPlanYear',
  prop: 'RenewalProposal',
  mbr: 'Member',
  empl: 'Employee',
  csyn: 'CensusSync',
  grp: 'Group',
  grpmbr: 'GroupMember',
  grpmsr: 'GroupMemberSync',
  hris: 'HrisConnection',
  hrun: 'HrisRun',
  enrl: 'Enrollment',
  emsg: 'EnrollmentMessage',
  eagr: 'EnrollmentAgreement',
  conf: 'EnrollmentConfirmation',
  dep: 'Dependent',
  bdes: 'BeneficiaryDesignation',
  doc: 'Document',
  qle: 'LifeEvent',
  att: 'Attachment',
  stmt: 'Statement',
  madj: 'ManualAdjustment',
  wevt: 'WebhookEvent',
  wsub: 'WebhookSubscription',
  wdlv: 'WebhookDelivery',
  aud: 'AuditEntry',
  task: 'Task',
  note: 'Note',
  sexp: 'ScheduledExport',
  sxdl: 'ExportDelivery',
  hrep: 'HoursReport',
  aleg: 'AleGroup',
  asgn: 'Assignment',
} as const

export type Prefix = keyof typeof kinds

export const prefixes = Object.keys(kinds) as Prefix[]

/** A path parameter: an id with a prefix, or a string of 1 to 255 characters, such as an outside system's id. */
export type ParamKind = Prefix | 'text'

/** The kind of each parameter in the paths of operations. */
export const path_params = {
  ale_group_id: 'aleg',
  amendment_id: 'amnd',
  api_key_id: 'key',
  assignment_id: 'asgn',
  attachment_id: 'att',
  benefit_id: 'bprd',
  benefit_plan_year_id: 'plyr',
  census_sync_id: 'csyn',
  dependent_attachment_id: 'att',
  dependent_id: 'dep',
  document_id: 'doc',
  employee_id: 'empl',
  employer_admin_id: 'eadm',
  employer_id: 'empr',
  enrollment_id: 'enrl',
  enrollment_message_id: 'emsg',
  group_id: 'grp',
  hris_connection_id: 'hris',
  hris_run_id: 'hrun',
  invitation_id: 'inv',
  invoice_id: 'text',
  job_id: 'text',
  life_event_id: 'qle',
  member_id: 'mbr',
  note_id: 'note',
  operator_id: 'usr',
  operator_invitation_id: 'inv',
  operator_key_id: 'opkey',
  organization_id: 'org',
  policy_id: 'epol',
  renewal_proposal_id: 'prop',
  request_id: 'grpmsr',
  scheduled_export_id: 'sexp',
  session_id: 'sess',
  statement_id: 'stmt',
  user_id: 'usr',
  webhook_delivery_id: 'wdlv',
  webhook_event_id: 'wevt',
  webhook_subscription_id: 'wsub',
} as const satisfies Record<string, ParamKind>

/** A new id, sortable by creation time: `empr_01jabc…`. */
export const newId = (prefix: Prefix): string => typeid(prefix).toString()

/** The smallest id with this prefix that is created at or after an instant (epoch milliseconds). */
export function firstIdAt(prefix: Prefix, instant: number): string {
  const hex = instant.toString(16).padStart(12, '0')
  return TypeID.fromUUID(prefix, `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`).toString()
}

/** The regular expression of an id with this prefix. */
export const idPattern = (prefix: Prefix): RegExp => new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)

const patterns = new Map(prefixes.map((prefix) => [prefix, idPattern(prefix)]))

/** Whether the string is a well-formed id with this prefix. */
export const isId = (prefix: Prefix, text: string): boolean => patterns.get(prefix)!.test(text)

/** Whether the string is a well-formed path parameter of this kind. */
export const isParam = (kind: ParamKind, text: string): boolean =>
  kind === 'text' ? /^\P{Cc}{1,255}$/u.test(text) : isId(kind, text)

export const invoice_prefix = 'INV-'
export const invoice_digits = 6

/** The id of an organization's invoice by its number: `INV-000042`. */
export const invoiceId = (number: number | string): string =>
  invoice_prefix + String(number).padStart(invoice_digits, '0')

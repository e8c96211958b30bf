import { TypeID, typeid } from 'typeid-js'

/** Every kind of thing that has an id, by the prefix of its id (decisions.md, section 1), and its name. */
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
  mbr: 'Member',
  empl: 'Employee',
  csyn: 'CensusSync',
  grp: 'Group',
  grpmbr: 'GroupMember',
  grpmsr: 'GroupMemberSync',
  hris: 'HrisConnection',
  hrun: 'HrisRun',
  enrl: 'Enrollment',
  dep: 'Dependent',
  qle: 'LifeEvent',
  att: 'LifeEventAttachment',
  stmt: 'Statement',
  madj: 'ManualAdjustment',
  wevt: 'WebhookEvent',
  wsub: 'WebhookSubscription',
  wdlv: 'WebhookDelivery',
  aud: 'AuditEntry',
  task: 'Task',
} as const

export type Prefix = keyof typeof kinds

export const prefixes = Object.keys(kinds) as Prefix[]

/** What a path may name: an id with a prefix, or a text of 1 to 255 characters, such as an outside system's id. */
export type ParamKind = Prefix | 'text'

/** A new id, sortable by the moment it was made: `empr_01jabc…`. */
export const newId = (prefix: Prefix): string => typeid(prefix).toString()

/** The least of the ids with this prefix that are made from an instant (epoch milliseconds) on. */
export function firstIdAt(prefix: Prefix, instant: number): string {
  const hex = instant.toString(16).padStart(12, '0')
  return TypeID.fromUUID(prefix, `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`).toString()
}

/** The regular expression of an id with this prefix. */
export const idPattern = (prefix: Prefix): RegExp => new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)

const patterns = new Map(prefixes.map((prefix) => [prefix, idPattern(prefix)]))

/** Whether the text is a well-formed id with this prefix. */
export const isId = (prefix: Prefix, text: string): boolean => patterns.get(prefix)!.test(text)

/** Whether the text is something that a path may name by this kind. */
export const isParam = (kind: ParamKind, text: string): boolean =>
  kind === 'text' ? /^\P{Cc}{1,255}$/u.test(text) : isId(kind, text)

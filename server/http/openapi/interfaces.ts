import type { Endpoint } from '../endpoint.ts'
import { events } from '../../runtime/event-types.ts'
import { openOperationOf, type Incoming } from '../callbacks.ts'
import { downloadOperation } from '../files/downloads.ts'
import type { About, OpenOperation } from './openapi.ts'
import type { Webhooks } from './openapi-webhooks.ts'

/** An interface of the service as it is documented: where its document is served and its file in the repository. */
export type Interface = {
  /** what the section of its reference is called */
  section: string
  prefix: string
  /** where its reference is */
  pages: string
  /** where requests are tried */
  docs: `/${string}`
  document: string
  file: string
  about: About
  /** what needs no credential, beside what outside systems call */
  open: OpenOperation[]
  /** whether outside systems call it too */
  is_called?: true
  /** what is sent to its users */
  webhooks?: Webhooks
}

/** What there is to document: every operation, and what outside systems call. */
export type Documented = { endpoints: Endpoint[]; incoming: Incoming[] }

export const partner: Interface = {
  section: 'API reference',
  pages: '/docs/api',
  prefix: '/v1/',
  docs: '/docs/reference',
  document: '/v1/openapi.json',
  file: 'openapi.json',
  open: [downloadOperation],
  webhooks: { tag: 'Webhooks', events },
  about: {
    title: 'OpenBenefits partner interface',
    description: [
      'Administer employer benefits over HTTP: employers, their people, eligibility, and a census that keeps ' +
        'them in step.',
      'Send the API key as `Authorization: Bearer …`, from your server only. Browsers get bound access tokens, ' +
        'which reach one employer or one employee and the operations that say so; anything else is a 404 or 403 ' +
        'to them. Unbound are the tokens of sessions, and what a key issues without binding it.',
      'Timestamps are ISO 8601 in UTC, days are `YYYY-MM-DD`, money is integer cents, ids carry a prefix that ' +
        'tells what they name. Today is the calendar day in America/New_York; an employee is at least 18 on it.',
      'Text is trimmed and brought into Unicode form NFC; control characters are refused. Names and references ' +
        'have 1 to 255 characters, e-mail addresses up to 254, compared without regard to case. Unknown fields ' +
        'and parameters are ignored; `ssn` anywhere in a body is a 400.',
      '`null` is the same as absent when creating. On PATCH and PUT it leaves a field as it is, and clears ' +
        '`reference_id`, `phone`, `phone_number`, `gender`, `address_line_2` and `suffix`. A refused field ' +
        'changes nothing.',
      'Parameters that may be sent several times are accepted as repeated keys, as `key[]=` and as a comma ' +
        'list. Bodies have at most 64 KiB (16 MiB for a census and for the members of a group) and 32 levels, in ' +
        'UTF-8, and no name twice in one object.',
      'A request that is wrong in several ways is refused for the first: credentials 401, rate limit 429, ' +
        'organization header 400 or 403, existence 404, permission 403, shape 400, state 409, rule 422.',
      'Every error has one body; its `error.code` is what programs decide by, its `trace_id` finds the request ' +
        'in our log. Each operation declares every status that it may return, with its codes.',
    ].join('\n\n'),
    credential: 'An API key, or an access token that was issued from one.',
    tags: {
      Authentication: 'What a credential is, and short-lived access tokens, issued from an API key.',
      'API keys': 'The keys of your organization: made, rotated and revoked by its ADMINs.',
      Organizations: "The organizations that the key's owner belongs to.",
      Employers: 'The employer book: employers, their settings and what they offer.',
      Catalog: 'The plans that the operator gives an organization.',
      'Plan years': 'What an employer offers for a year, and who took it.',
      Eligibility: 'Who is eligible for benefits, and from when.',
      ICHRA: 'What tells whether an allowance for individual coverage is affordable.',
      Enrollments: 'What employees are granted, elect and waive, and what it costs.',
      Deductions: 'What employees pay each payday, by pay period, and the proof of a year.',
      Invoices: 'What employers are billed each month, to the line, as a PDF, and with its proof.',
      Dependents: 'Spouses and children, who can be covered with an employee.',
      'Life events': 'What opens a window to choose again: a marriage, a birth, a loss of coverage.',
      Employees: 'The people who work for an employer, and what happened to them.',
      Members: 'The people of an organization across its employers, and all that they are enrolled in.',
      Groups: 'People who belong together otherwise than by an employer, and the plan that each of them is in.',
      Census: 'The whole roster of an employer in one request, worked off in the background.',
      Webhooks: 'What happened, and where it is sent, signed.',
      Audit: 'Who read and did what, when and from where.',
      Downloads: 'Files, by signed links that open without a key.',
      HRIS: 'Connections to payroll systems, which keep the rosters of their employers.',
    },
  },
}

const operator: Interface = {
  section: 'Operator reference',
  pages: '/docs/operator',
  prefix: '/operator/v1/',
  docs: '/operator/docs',
  document: '/operator/v1/openapi.json',
  file: 'openapi.operator.json',
  open: [],
  is_called: true,
  about: {
    title: 'OpenBenefits operator interface',
    description:
      'For those who run an installation: users, organizations, memberships and API keys, subscriptions, the ' +
      'catalog, plan years, decisions about life events, corrections of enrollments, HRIS connections, and the ' +
      'clock of a sandbox. Send an operator key as `Authorization: Bearer …`; it opens nothing else, and may do ' +
      'what the role of its operator may, as each operation says.',
    credential: 'The key of an operator, `obop_…`.',
    tags: {
      Operators: 'Who operates the installation, in which role, and with which keys.',
      People: 'Users, and the organizations they belong to.',
      Credentials: 'API keys: shown once when made, revoked within seconds everywhere.',
      Employers: 'Found across organizations, with who looks after them and how they are administered.',
      Employees: 'What is set right of employments further back than partners may, each with its reason.',
      Members: 'People across organizations, found by an id, an address or the beginning of a name.',
      Dependents: 'Children whom a disability keeps covered.',
      Subscriptions: 'Which employers the service is provided for, and since when.',
      Catalog: 'Carriers, benefit products, plans, rates and allowances of an organization.',
      'Plan years': 'What an employer offers for a year: opened, changed before it starts, copied to the next.',
      ICHRA: 'The public figures by which an allowance is affordable.',
      Enrollments: 'Corrections, each with its reason.',
      Deductions: 'Payroll deduction statements out of turn.',
      Invoices: 'Issued, paid, voided, and drafted out of turn.',
      'Billing system': 'Where the invoices of an organization are collected.',
      'Life events': 'Decisions about what employees reported.',
      Census: 'Censuses that are under way or held, to be confirmed or discarded.',
      Groups: 'What became of the members that partners sent.',
      HRIS: 'Connections of employers to their payroll systems, and what each run of them did.',
      Webhooks: 'Subscriptions, how they fare, and what could not be delivered.',
      Jobs: 'What is done beside requests: what waits, runs or was given up, and running it again.',
      Audit: 'Who read and did what, when and from where.',
      Overview: 'What happened since yesterday, and whether all keeps up.',
      Tasks: 'Work that waits for an operator, each with the operation that completes it.',
      Sandbox: 'The test clock of a sandbox organization.',
    },
  },
}

export const interfaces = [partner, operator]

/** What of an interface needs no credential. */
export const openOperations = ({ open, is_called }: Interface, { incoming }: Documented): OpenOperation[] =>
  is_called ? incoming.map(openOperationOf) : open

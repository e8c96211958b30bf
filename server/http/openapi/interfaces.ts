import type { Endpoint } from '../endpoint.ts'
import { openOperationOf, type Incoming } from '../callbacks.ts'
import { downloadOperation } from '../files/downloads.ts'
import type { OpenOperation } from './openapi-schemas.ts'

/** The general information of a document. */
type About = {
  title: string
  description: string
  /** a description of its bearer credential */
  credential: string
  /** a description of each section, in the order of the document */
  tags: Record<string, string>
}

/** A published interface: its paths, its OpenAPI document and its file in the repository. */
export type Interface = {
  prefix: string
  /** the path of its reference page */
  docs: `/${string}`
  document: string
  file: string
  about: About
  /** the operations without authentication, from the webhooks of outside systems */
  open: (incoming: Incoming[]) => OpenOperation[]
  /** whether its document describes the webhooks that we send */
  sends_webhooks: boolean
}

/** Everything that the documents describe: the operations, and the webhooks from outside systems. */
export type Documented = { endpoints: Endpoint[]; incoming: Incoming[] }

export const partner: Interface = {
  prefix: '/v1/',
  docs: '/docs/reference',
  document: '/v1/openapi.json',
  file: 'openapi.json',
  open: () => [downloadOperation],
  sends_webhooks: true,
  about: {
    title: 'OpenBenefits partner interface',
    description: [
      'Administer employer benefits over HTTP: employers, their people, eligibility, and a census that keeps ' +
        'the roster up to date.',
      'Send the API key as `Authorization: Bearer …`, from your server only. Browsers use bound access tokens, ' +
        'which reach one employer or one employee, and only the operations that accept them. Anything else returns ' +
        '404 or 403. Tokens of a browser session, and tokens that a key issues without binding them, are unbound.',
      'Timestamps are ISO 8601 in UTC, days are `YYYY-MM-DD`, and money is in integer cents. The prefix of an id ' +
        'names its type. Today is the calendar day in America/New_York. Employees must be at least 18 that day.',
      'Text is trimmed and normalized to Unicode NFC. Control characters are refused. Names and references have 1 ' +
        'to 255 characters. Email addresses have up to 254 and are compared case-insensitively. Unknown fields and ' +
        'parameters are ignored, except that `ssn` anywhere in a body returns 400.',
      'When you create a resource, `null` means the same as an absent field. PATCH and PUT ignore `null`, except ' +
        'that it clears `reference_id`, `phone`, `phone_number`, `gender`, `address_line_2` and `suffix`. A ' +
        'request with an invalid field changes nothing.',
      'Send a parameter with several values as repeated keys, as `key[]=` or as a comma-separated list. Bodies are ' +
        'UTF-8 and limited to 64 KiB (16 MiB for a census and for group members, 32 MiB for hours of service) and 32 ' +
        'levels. An object cannot contain the same name twice.',
      'A request with several faults gets the first of these errors: credentials 401, rate limit 429, organization ' +
        'header 400 or 403, existence 404, permission 403, shape 400, state 409, rule 422.',
      'All errors have the same body. Handle them by `error.code`. `trace_id` identifies the request in our log. ' +
        'Each operation declares every status that it may return, with its codes.',
    ].join('\n\n'),
    credential: 'An API key, or an access token issued from one.',
    tags: {
      Authentication: 'The current credential, and short-lived access tokens issued from an API key.',
      'API keys': 'Keys of your organization. Its admins create, rotate and revoke them.',
      Organizations: "The organizations that the key's owner belongs to.",
      Employers: 'Employers and their settings.',
      Catalog: 'The plans that the operator makes available to an organization.',
      Documents: 'The library of documents about benefits, and the receipts of employees who opened them.',
      'Plan years': 'The benefits that an employer offers for a year, with their enrollment.',
      Eligibility: 'Whether employees are eligible for benefits, and when their eligibility starts.',
      ICHRA: 'The wages that determine whether an ICHRA allowance is affordable.',
      Enrollments: 'Enrollments of employees: their elections, waivers, coverage and cost.',
      'Enrollment windows': 'The progress of enrollment of an employer, and the people who have not responded.',
      Deductions: 'Payroll deductions of employees by pay period, and their reconciliation for a year.',
      Invoices: 'Monthly invoices of employers with their lines, PDF and reconciliation.',
      Dependents: 'Spouses, domestic partners and children whom employees can cover.',
      Beneficiaries: 'People, estates and trusts that receive a benefit after the death of an employee.',
      'Life events':
        'Qualifying life events such as marriage, birth or loss of coverage, which open a special enrollment period.',
      Employees: 'The people who work for an employer, and their employment history.',
      Members: 'The people of an organization across its employers, with all their enrollments.',
      Groups: 'Groups of people independent of employers, and the plan of each member.',
      Census: 'The whole roster of an employer in one request, processed in the background.',
      'Hours of service':
        'The hours of employees by period, which determine who is a full-time employee under the ACA.',
      'Tax forms':
        'Forms 1094-C and 1095-C of large employers, Forms 1094-B and 1095-B of others, and their tax identifiers.',
      'Employer mandate':
        'Full-time status by hours of service, and whether an employer is an applicable large employer.',
      Notes: 'Notes about employers and employees, with mentions of members.',
      'Scheduled exports': 'Lists that members receive as files by email.',
      Tasks: 'Work that waits for your organization, by due date.',
      Trends: 'Participation and premium by month.',
      Activity: 'The changes of an organization, with names.',
      Webhooks: 'Events, and the signed requests that deliver them to your endpoints.',
      Audit: 'The audit log: actors, actions, times and addresses.',
      Downloads: 'Files behind signed links, which need no key.',
      HRIS: 'Connections to payroll systems, which keep rosters up to date.',
    },
  },
}

const operator: Interface = {
  prefix: '/operator/v1/',
  docs: '/operator/docs',
  document: '/operator/v1/openapi.json',
  file: 'openapi.operator.json',
  open: (incoming) => incoming.map(openOperationOf),
  sends_webhooks: false,
  about: {
    title: 'OpenBenefits operator interface',
    description:
      'For the operators of an installation: users, organizations, memberships and API keys, subscriptions, the ' +
      'catalog, plan years, life event decisions, corrections of enrollments, HRIS connections, and the test clock ' +
      'of a sandbox. Send an operator key as `Authorization: Bearer …`. It works only here and is limited to the ' +
      'role of its operator. Each operation lists the roles that it accepts.',
    credential: 'An operator key, `obop_…`.',
    tags: {
      Operators: 'The operators of the installation, their roles and their keys.',
      People: 'Users, and the organizations they belong to.',
      Credentials: 'API keys. A key is shown once when it is created. A revocation takes effect within seconds.',
      Employers: 'Employers across organizations, their account managers and how they are administered.',
      Employees: 'Corrections of employments that partners can no longer make, each with its reason.',
      Members: 'People across organizations, found by an id, an email address or the beginning of a name.',
      Dependents: 'Children without an age limit because of a disability.',
      Subscriptions: 'Periods in which an employer may use the service.',
      Catalog: 'Carriers, benefit products, plans, rates and allowances of an organization.',
      'Plan years':
        'The benefits that an employer offers for a year. Open a plan year, change it before it starts, and copy it ' +
        'to the next year.',
      ICHRA: 'The public figures that determine whether an ICHRA allowance is affordable.',
      Enrollments: 'Corrections of enrollments, each with its reason.',
      Deductions: 'Payroll deduction statements outside the schedule.',
      Invoices: 'Issue, pay and void invoices, and draft them outside the schedule.',
      'Billing system': 'The connection that collects the invoices of an organization.',
      'Life events': 'Decisions about life events that employees reported.',
      Census: 'The censuses of an employer. Confirm or discard a held one.',
      Groups: 'Member syncs that partners submitted, with their results.',
      HRIS: 'Connections of employers to their payroll systems, and the results of their syncs.',
      Webhooks: 'Subscriptions, their health, and failed deliveries.',
      Documents: 'Plan documents and notices of organizations, with their versions.',
      'Employer mandate': 'The cost of coverage that is affordable for the employees of an employer under the ACA.',
      Jobs: 'Background work: waiting, running and failed jobs, and retries.',
      Audit: 'The audit log: actors, actions, times and addresses.',
      Overview: 'Activity since yesterday, and whether all jobs are on schedule.',
      Notes: 'Notes about employers and employees, with mentions of members.',
      Tasks: 'Tasks that wait for an operator, each with the operation that completes it.',
      Sandbox: 'The test clock of a sandbox organization.',
    },
  },
}

export const interfaces = [partner, operator]

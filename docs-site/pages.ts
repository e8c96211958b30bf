import { posix } from 'node:path'

/** Pages that live outside docs/, by their path in the repository. */
export const outside: Record<string, string> = {
  'sdk/README.md': 'typescript.md',
  'cli/README.md': 'command-line.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
}

/** The folder in which a running build stores the pages that it generates from the contract. */
export const generated_folder = 'docs-site/pages'

/** Markdown files that are not on the site, such as pages for maintainers. */
export const excluded = [
  '{.ci,console,deploy,packages,scripts,server,ui,widgets}/**',
  'docs/design/**',
  'docs-site/{.build,dist}*/**',
  'README.md',
  'CONTRIBUTING.md',
]

/** The path of a page below `/docs/`, as a file: `docs/operating/logs.md` is `operating/logs.md`. */
export const pageOf = (file: string): string =>
  outside[file] ?? file.replace(/^docs(?:-site\/pages)?\//, '').replace(/(^|\/)README\.md$/, '$1index.md')

/**
 * The target of a link in a page, below `/docs/` and with a leading slash. Undefined for links that need no change, and
 * `null` for files of the repository that are not on the site.
 */
export function siteLink(file: string, href: string): string | null | undefined {
  if (/^(?:[a-z]+:|#)/.test(href)) return undefined
  const [path = '', anchor] = href.split('#')
  if (!path.endsWith('.md')) return /\.(?:svg|webp|png)$/.test(path) ? undefined : null
  const named = posix.join(posix.dirname(file.replace(generated_folder, 'docs')), path)
  const is_page = named in outside || /^docs\/(?!design\/)/.test(named)
  return is_page ? `/${pageOf(named)}${anchor === undefined ? '' : `#${anchor}`}` : null
}

/** The anchor of a heading, as GitHub generates it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

type Group = { text: string; items: { text: string; link: string }[] }

const group = (text: string, ...items: [text: string, link: string][]): Group => ({
  text,
  items: items.map(([label, link]) => ({ text: label, link })),
})

/** The contents of the site, in the order in which they are read. */
export const sidebar: Group[] = [
  group('Start', ['Overview', '/'], ['Tour', '/tour'], ['Test data', '/test-data'], ['Going live', '/going-live']),
  group(
    'Quickstarts',
    ['Payroll companies', '/payroll-company'],
    ['Brokers', '/broker'],
    ['Staffing platforms', '/staffing-platform'],
    ['Widgets', '/widgets'],
  ),
  group(
    'Integrate',
    ['From employer to election', '/integrating/first-enrollment'],
    ['A year with an employer', '/integrating/a-year'],
    ['Authentication', '/integrating/authentication'],
    ['Errors', '/integrating/errors'],
    ['Requests and responses', '/integrating/requests'],
    ['Employers and plan years', '/integrating/employers'],
    ['Employees and dependents', '/integrating/people'],
    ['Eligibility and enrollments', '/integrating/enrollments'],
    ['Enrollment windows and reminders', '/integrating/reminders'],
    ['Deductions and invoices', '/integrating/money'],
    ['Rosters', '/integrating/rosters'],
    ['Documents', '/integrating/documents'],
    ['Hours of service', '/integrating/hours'],
    ['Tax forms', '/integrating/tax-forms'],
    ['A year of a staffing firm', '/integrating/staffing-year'],
    ['Webhooks', '/integrating/webhooks'],
    ['TypeScript SDK', '/typescript'],
    ['Command line', '/command-line'],
  ),
  group(
    'Operate',
    ['The first hour', '/operating/first-hour'],
    ['Installing and starting', '/operating/installing'],
    ['Settings', '/operating/settings'],
    ['The database', '/operating/database'],
    ['Operators, sign-in and secrets', '/operating/access'],
    ['Organizations and catalogs', '/operating/organizations'],
    ['Plan years', '/operating/plan-years'],
    ['Daily work', '/operating/daily-work'],
    ['Payroll and billing', '/operating/payroll-and-billing'],
    ['Email', '/operating/email'],
    ['A year of administration', '/operating/a-year'],
    ['Processes and monitoring', '/operating/monitoring'],
    ['Upgrading', '/operating/upgrading'],
    ['Performance', '/performance'],
    ['Scaling', '/scaling'],
  ),
  group(
    'Reference',
    ['Error codes', '/errors'],
    ['Events', '/events'],
    ['Permissions', '/permissions'],
    ['Glossary', '/glossary'],
    ['Security', '/security'],
    ['Changelog', '/changelog'],
  ),
]

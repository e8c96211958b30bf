/** The Markdown files of the site, by their path from the root of the repository. */
export type SourceFile = {
  file: string
  /** what stands before the pages that its chapters are, or, without chapters, the path of the page that it is */
  path: string
  /** its chapters that are pages: all, or those named; none where the file is one page */
  chapters: 'all' | 'none' | string[]
  /** chapters whose page is called otherwise, since another page has the name */
  renamed?: Record<string, string>
}

/** In this order they are read; a chapter that the contents don't list follows the one before it. */
export const sources: SourceFile[] = [
  { file: 'docs/README.md', path: '/docs', chapters: 'none' },
  { file: 'docs/payroll-company.md', path: '/docs/payroll-company', chapters: 'none' },
  { file: 'docs/broker.md', path: '/docs/broker', chapters: 'none' },
  { file: 'docs/staffing-platform.md', path: '/docs/staffing-platform', chapters: 'none' },
  { file: 'docs/widgets.md', path: '/docs/widgets', chapters: 'none' },
  { file: 'docs/test-data.md', path: '/docs/test-data', chapters: 'none' },
  { file: 'docs/going-live.md', path: '/docs/going-live', chapters: 'none' },
  { file: 'README.md', path: '/docs/', chapters: ['The first request', 'A short tour'] },
  {
    file: 'docs/integrating.md',
    path: '/docs/',
    chapters: 'all',
    renamed: { errors: 'handling-errors', pages: 'lists-and-pages' },
  },
  { file: 'sdk/README.md', path: '/docs/typescript', chapters: 'none' },
  { file: 'cli/README.md', path: '/docs/command-line', chapters: 'none' },
  { file: 'docs/permissions.md', path: '/docs/permissions', chapters: 'none' },
  { file: 'docs/glossary.md', path: '/docs/glossary', chapters: 'none' },
  { file: 'CHANGELOG.md', path: '/docs/changelog', chapters: 'none' },
  { file: 'SECURITY.md', path: '/docs/security', chapters: 'none' },
  { file: 'docs/performance.md', path: '/docs/performance', chapters: 'none' },
  { file: 'docs/scaling.md', path: '/docs/scaling', chapters: 'none' },
  { file: 'docs/operations.md', path: '/docs/operations/', chapters: 'all' },
]

/** What pages are called in the contents, where that is shorter than their titles. */
export const labels: Record<string, string> = {
  '/docs': 'Overview',
  '/docs/payroll-company': 'Payroll companies',
  '/docs/broker': 'Brokers',
  '/docs/staffing-platform': 'Staffing platforms',
  '/docs/typescript': 'TypeScript SDK',
  '/docs/command-line': 'Command line',
}

/** The parts of the site, each with its groups of pages. */
export const contents: { title: string; groups: { title: string; paths: string[] }[] }[] = [
  {
    title: 'Guides',
    groups: [
      {
        title: 'Start',
        paths: ['/docs', '/docs/the-first-request', '/docs/a-short-tour', '/docs/test-data', '/docs/going-live'],
      },
      {
        title: 'Quickstarts',
        paths: ['/docs/payroll-company', '/docs/broker', '/docs/staffing-platform', '/docs/widgets'],
      },
      { title: 'The main job', paths: ['/docs/from-employer-to-election', '/docs/a-year-with-an-employer'] },
      {
        title: 'Requests',
        paths: [
          '/docs/typescript',
          '/docs/command-line',
          '/docs/authentication',
          '/docs/handling-errors',
          '/docs/repeating-a-request-safely',
          '/docs/rate-limits',
          '/docs/lists-and-pages',
          '/docs/values-text-days-money-null',
          '/docs/the-clock-of-a-sandbox',
          '/docs/versions',
        ],
      },
      {
        title: 'Employers and their people',
        paths: [
          '/docs/employers',
          '/docs/employees',
          '/docs/dependents',
          '/docs/census',
          '/docs/hris-connections',
          '/docs/groups',
        ],
      },
      {
        title: 'Benefits',
        paths: ['/docs/plans', '/docs/plan-years', '/docs/eligibility-and-enrollments', '/docs/life-events'],
      },
      { title: 'Money', paths: ['/docs/deductions-and-statements', '/docs/invoices'] },
      { title: 'Events', paths: ['/docs/webhooks', '/docs/events', '/docs/assistants', '/docs/who-read-and-did-what'] },
      {
        title: 'Look up',
        paths: ['/docs/errors', '/docs/permissions', '/docs/glossary', '/docs/security', '/docs/changelog'],
      },
    ],
  },
  { title: 'API reference', groups: [{ title: 'Partner interface', paths: ['/docs/api'] }] },
  {
    title: 'Running it',
    groups: [
      { title: 'Set up', paths: ['/docs/operations/the-first-hour', '/docs/operations/settings'] },
      { title: 'Organizations', paths: ['/docs/operations/handing-out-credentials'] },
      { title: 'Day by day', paths: ['/docs/operations/what-needs-somebody-today'] },
      { title: 'Money', paths: ['/docs/operations/running-a-statement-day'] },
      { title: 'Roster', paths: ['/docs/operations/connecting-payroll-systems'] },
      { title: 'The machine', paths: ['/docs/operations/api-and-worker', '/docs/performance', '/docs/scaling'] },
    ],
  },
  { title: 'Operator reference', groups: [{ title: 'Operator interface', paths: ['/docs/operator'] }] },
]

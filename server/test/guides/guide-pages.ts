const pagesOf = (folder: string, names: string): string[] => names.split(' ').map((name) => `docs/${folder}/${name}.md`)

/** Pages for integrators, in the order in which one shell runs their commands. */
export const integrating = pagesOf(
  'integrating',
  'first-enrollment authentication errors requests employers people enrollments money rosters webhooks',
)

/** Pages for operators, in the same way. */
export const operating = pagesOf(
  'operating',
  'settings database access organizations plan-years daily-work payroll-and-billing monitoring installing',
)

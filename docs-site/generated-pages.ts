import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { generated_folder } from './pages.ts'

/** A code of an error, as the server declares it; `refusals.json` lists them all. */
type Refusal = { code: string; status: number; message: string; remedy: string; retry: string; operations: string[] }

type Webhooks = Record<string, { post: { summary: string } }>

/** Writes the pages that come from the contract: error codes and events. */
export function writeGeneratedPages(root: string): void {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const folder = join(root, generated_folder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'errors.md'), errorsPage(read('docs-site/refusals.json')))
  writeFileSync(join(folder, 'events.md'), eventsPage(read('openapi.json').webhooks))
}

function errorsPage(refusals: Refusal[]): string {
  const groups = [...Map.groupBy(refusals, ({ status }) => status)].toSorted(([a], [b]) => a - b)
  const sections = groups.map(([status, those]) => {
    const codes = those.map(({ code, message, remedy, retry, operations }) =>
      [
        `### ${code}`,
        message,
        `**Remedy.** ${remedy}`,
        `**Retry.** ${retry}`,
        `**Returned by** ${operations.map((name) => `\`${name}\``).join(', ') || 'many operations'}.`,
      ].join('\n\n'),
    )
    return [`## ${status} ${STATUS_CODES[status]}`, ...codes].join('\n\n')
  })
  return [
    '# Error codes',
    'Every code that the service returns, by status. The `error.doc_url` of an error response leads here. [Errors]' +
      '(integrating/errors.md) explains the response body and which requests to repeat.',
    ...sections,
    '',
  ].join('\n\n')
}

function eventsPage(webhooks: Webhooks): string {
  const groups = Map.groupBy(Object.entries(webhooks), ([name]) => name.split('.')[0]!.replaceAll('_', ' '))
  const sections = [...groups].map(([subject, those]) => {
    const rows = those.map(([name, { post }]) => `| \`${name}\` | ${post.summary} |`)
    const title = subject[0]!.toUpperCase() + subject.slice(1)
    return `## ${title}\n\n| Event | Published when |\n|---|---|\n${rows.join('\n')}`
  })
  return [
    '# Events',
    'Every event that the service publishes. An event names the resource and contains no personal data: read the ' +
      'resource to learn its current state. [Webhooks](integrating/webhooks.md) explains the body, signatures and retries.',
    ...sections,
    '',
  ].join('\n\n')
}

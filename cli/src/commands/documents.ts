import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import type { Document, DocumentsListQuery, NewDocument } from 'openbenefits'
import { clientOf, connected, connectionOf, type ConnectionOptions, examples } from '../connection.ts'
import { type Column, type Io, print, printJson, printList } from '../output.ts'

const columns: Column<Document>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'title', of: ({ title }) => title },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'language', of: ({ language }) => language },
  { title: 'scope', of: ({ scope }) => scope },
  { title: 'status', of: ({ status }) => status },
  { title: 'opened', of: ({ opened_count }) => opened_count },
]

const kinds = ['sbc', 'spd', 'summary', 'guide', 'notice', 'form']

const max_rows = 1000

/** The timeout for uploading a large file, in milliseconds. */
const timeout = 180_000

type Scope = { employer?: string; planYear?: string; plan?: string }

const scopeOf = ({ employer, planYear, plan }: Scope) => ({
  ...(employer !== undefined && { employer_id: employer }),
  ...(planYear !== undefined && { benefit_plan_year_id: planYear }),
  ...(plan !== undefined && { plan_id: plan }),
})

const scoped = (command: Command): Command =>
  connected(command)
    .option('--employer <employer_id>', 'a document of this employer only')
    .option('--plan-year <benefit_plan_year_id>', 'a document of this plan year only')
    .option('--plan <plan_id>', 'a document of this plan only')

/** `documents`: the library of documents of an organization. */
export function addDocuments(program: Command, io: Io): void {
  const documents = program.command('documents').description('Manage the library of documents.')
  const libraryOf = (options: ConnectionOptions) => clientOf(connectionOf(options, io.env)).documents
  scoped(documents.command('list', { isDefault: true }))
    .description('List versions and translations, newest first.')
    .option('--status <status>', 'scheduled, current, replaced or withdrawn')
    .addHelpText('after', examples('documents', 'documents --status current --json'))
    .action(({ status, ...options }: ConnectionOptions & Scope & { status?: string }) => {
      const query = { limit: 100, ...scopeOf(options), ...(status !== undefined && { status }) } as DocumentsListQuery
      return printList(io, libraryOf(options).list(query), columns, { ...options, limit: max_rows })
    })
  scoped(documents.command('add'))
    .description('Add a PDF or an image.')
    .argument('<file>', 'the file, at most 25 MiB')
    .requiredOption('--title <title>', 'the title that people see')
    .addOption(new Option('--kind <kind>', 'the kind of document').choices(kinds).default('guide'))
    .option('--language <language>', 'en or es', 'en')
    .option('--audience <audience>', 'members, employees or public', 'employees')
    .option('--required', 'employees must open it before they enroll')
    .addHelpText('after', examples('documents add guide.pdf --title "Benefits guide 2027" --kind guide'))
    .action(async (file: string, options: ConnectionOptions & Scope & Record<string, string>) => {
      const { title, kind, language, audience, required } = options
      const document = {
        ...scopeOf(options),
        title,
        kind,
        language,
        audience,
        is_required_at_election: required !== undefined,
        file_name: basename(file),
        content: (await readFile(file)).toString('base64'),
      } as NewDocument
      const added = await libraryOf(options).create(document, { timeout })
      if (options.json) return printJson(io, added)
      print(io, `Added ${added.id}.`)
    })
}

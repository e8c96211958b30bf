import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Document, NewDocument } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatDay, toSentence } from '../../format.ts'
import { type Field, Form, type Values } from '../../parts/form/form.tsx'
import { AddLink } from '../../parts/page/links.tsx'
import { AddSection, Empty, Loaded, Page, Section } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, numberColumn, Table } from '../../parts/table/table.tsx'
import { planYearsQuery } from '../../queries.ts'
import { isRoleAllowed } from '../../session.ts'
import {
  describeScope,
  dayField,
  DocumentStatus,
  fileField,
  kinds,
  languageField,
  languages,
  sharedFields,
  titleField,
  upload_options,
  uploadRequest,
} from './document-fields.tsx'
import { type DocumentFilter, documentsList, plansQuery } from './queries.ts'
import { settingsTabs } from '../organization/settings-tabs.ts'

const columns: Column<Document>[] = [
  linkColumn('Document', ({ id, title }) => [title, { to: '/documents/$document_id', params: { document_id: id } }], {
    width: 30,
    phone: 56,
  }),
  { name: 'Kind', only: 'wide', width: 15, cell: ({ kind }) => kinds[kind] },
  { name: 'Concerns', only: 'middle', width: 17, cell: describeScope },
  { name: 'Language', only: 'middle', cell: ({ language }) => languages[language] },
  { name: 'Status', phone: 44, cell: (row) => <DocumentStatus of={row} /> },
  numberColumn('Opened', 'opened_count', { only: 'middle', width: 9 }),
  dateColumn('Shown from', 'effective_on', { only: 'wide', width: 13 }),
]

const exported: ExportColumn<Document>[] = [
  { name: 'Document', of: ({ title }) => title },
  { name: 'Kind', of: ({ kind }) => kinds[kind] },
  { name: 'Concerns', of: describeScope },
  { name: 'Language', of: ({ language }) => languages[language] },
  { name: 'Status', of: ({ status }) => toSentence(status) },
  { name: 'Opened', of: ({ opened_count }) => opened_count },
  { name: 'Shown from', kind: 'day', of: ({ effective_on }) => effective_on },
]

const ExportDocuments = ({ of: filter }: { of: DocumentFilter }) => (
  <Export name="documents" list={documentsList(filter)} columns={exported} />
)

/** The resources that a new document can concern, by the value of its option: `employer_id empr_…`. */
type ScopeOption = [value: string, label: string][]

type LibraryProps = {
  filter: DocumentFilter
  concerned: ScopeOption | undefined
  is_adding: boolean
  done: () => Promise<void>
}

/** The current and scheduled documents of a filter, and a form to add one. */
function DocumentLibrary({ filter, concerned, is_adding, done }: LibraryProps) {
  const list = documentsList(filter)
  const rows = useRows(list)
  return (
    <>
      {is_adding && concerned && (
        <AddSection title="New document">
          <NewDocumentForm
            concerned={concerned}
            saved={async () => {
              await refetch(['documents'])
              await done()
            }}
          />
        </AddSection>
      )}
      <Table
        label="Documents"
        columns={columns}
        rows={rows}
        empty={
          <Empty title="No documents yet.">
            Employees read Summaries of Benefits and Coverage, plan descriptions, guides and notices here.
          </Empty>
        }
      />
    </>
  )
}

function NewDocumentForm({ concerned, saved }: { concerned: ScopeOption; saved: () => Promise<void> }) {
  const [file, choose] = useState<File>()
  const fields: Field[] = [
    titleField,
    { name: 'concerns', label: 'Concerns', options: concerned },
    ...sharedFields,
    languageField(),
    fileField(choose),
    dayField,
  ]
  const submit = async (values: Values) => {
    const { title = '', concerns = '', kind, audience, language, required } = values
    const [scope, id] = concerns.split(' ')
    const about = { title, kind, audience, language, is_required_at_election: required === 'yes' }
    const upload = await uploadRequest(file, values)
    await ob.documents.create({ ...about, ...(id && { [scope!]: id }), ...upload } as NewDocument, upload_options)
    await saved()
  }
  const initial = { concerns: concerned[0]![0], kind: 'sbc', audience: 'employees', language: 'en' }
  return <Form fields={fields} initial={initial} submit={submit} button="Add document" />
}

const of_organization = getRouteApi('/settings/documents')

/** The documents of all employers of the organization, and of its plans. */
export function OrganizationDocuments() {
  const { add } = of_organization.useSearch()
  const navigate = of_organization.useNavigate()
  const known = useQuery({ ...plansQuery(), enabled: add !== undefined })
  const concerned: ScopeOption | undefined = known.data && [
    ['', 'The whole organization'],
    ...known.data.map(({ id, name }): ScopeOption[number] => [`plan_id ${id}`, `The plan ${name}`]),
  ]
  return (
    <Page
      title="Settings"
      tabs={settingsTabs()}
      actions={
        <>
          <ExportDocuments of={{}} />
          {isRoleAllowed('settings') && !add && <AddLink>Add document</AddLink>}
        </>
      }
    >
      <DocumentLibrary
        filter={{}}
        concerned={concerned}
        is_adding={add !== undefined}
        done={() => navigate({ search: {} })}
      />
    </Page>
  )
}

const of_employer = getRouteApi('/employers/$employer_id/documents')

/** The documents of an employer and its plan years. */
export function EmployerDocuments() {
  const { employer_id } = of_employer.useParams()
  const { add } = of_employer.useSearch()
  const navigate = of_employer.useNavigate()
  const years = useQuery({ ...planYearsQuery(employer_id), enabled: add !== undefined })
  const concerned: ScopeOption | undefined = years.data && [
    [`employer_id ${employer_id}`, 'The employer'],
    ...years.data.map(({ id, coverage_start, coverage_end }): ScopeOption[number] => [
      `benefit_plan_year_id ${id}`,
      `The plan year ${formatDay(coverage_start)} – ${formatDay(coverage_end)}`,
    ]),
  ]
  const filter = { employer_id: employer_id as NonNullable<DocumentFilter['employer_id']> }
  return (
    <Section
      title="Documents"
      actions={
        <>
          <ExportDocuments of={filter} />
          {isRoleAllowed('settings') && !add && <AddLink>Add document</AddLink>}
        </>
      }
    >
      {add && !concerned ? (
        <Loaded query={years}>{() => null}</Loaded>
      ) : (
        <DocumentLibrary
          filter={filter}
          concerned={concerned}
          is_adding={add !== undefined}
          done={() => navigate({ search: {} })}
        />
      )}
      <p className="quiet">
        Employees also see the <Link to="/settings/documents">documents of the organization and its plans</Link>.
      </p>
    </Section>
  )
}

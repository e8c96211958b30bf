import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Document, DocumentChange, DocumentReceipt, UnopenedDocument } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatDay, toSentence } from '../../format.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import { Timestamp, Empty, type Fact, Facts, Loaded, Page, Section, ErrorMessage } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, numberColumn, Table, timeColumn } from '../../parts/table/table.tsx'
import { planYearQuery } from '../../queries.ts'
import { isRoleAllowed } from '../../session.ts'
import {
  audiences,
  describeScope,
  dayField,
  DocumentStatus,
  fileField,
  kinds,
  languageField,
  languages,
  sharedFields,
  formatSize,
  titleField,
  upload_options,
  uploadRequest,
} from './document-fields.tsx'
import { documentQuery, documentsList, downloadDocument, receiptsList, unopenedList } from './queries.ts'

const route = getRouteApi('/documents/$document_id')

const document_breadcrumbs = [{ label: 'Documents', link: { to: '/settings/documents' } } as const]

/** A version of a document: what it is, its versions and translations, and the employees who opened it. */
export function DocumentPage() {
  const { document_id } = route.useParams()
  const found = useQuery(documentQuery(document_id))
  const saving = useAction({ mutationFn: () => downloadDocument({ id: document_id as Document['id'] }) })
  return (
    <Page
      title={found.data?.title ?? (found.error ? 'A document' : '\u00a0')}
      breadcrumbs={document_breadcrumbs}
      badge={found.data && <DocumentStatus of={found.data} />}
      actions={
        found.data && (
          <button type="button" className="button main" disabled={saving.isPending} onClick={() => saving.mutate()}>
            Download
          </button>
        )
      }
    >
      {saving.error && <ErrorMessage error={saving.error} />}
      <Loaded query={found}>
        {(document) => (
          <>
            <Section title="Details">
              <DocumentDetails of={document} />
            </Section>
            {isRoleAllowed('settings') && document.status !== 'withdrawn' && (
              <DocumentActions key={document.id} of={document} />
            )}
            <DocumentVersions of={document} />
            {isRoleAllowed('people') && document.status === 'current' && document.is_required_at_election && (
              <UnopenedList of={document} />
            )}
            {isRoleAllowed('people') && <DocumentReceipts of={document} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function DocumentDetails({ of }: { of: Document }) {
  return (
    <Facts
      of={[
        ['Kind', kinds[of.kind]],
        ['Concerns', <DocumentScope of={of} />],
        ['Language', languages[of.language]],
        ['Seen by', audiences[of.audience]],
        ['Required reading', of.is_required_at_election ? 'Before employees enroll' : 'No'],
        ['Shown from', formatDay(of.effective_on)],
        ...(of.replaced_on ? [['Replaced on', formatDay(of.replaced_on)] as const] : []),
        ...(of.withdrawn_at ? [['Withdrawn', <Timestamp of={of.withdrawn_at} />] as const] : []),
        ['File', `${of.file_name}, ${formatSize(of.bytes)}`],
        ['SHA-256', <code>{of.sha256}</code>],
        ...(of.public_url ? [['Public link', <a href={of.public_url}>{of.public_url}</a>] as const] : []),
      ].map(([name, value]) => [name, value] as Fact)}
    />
  )
}

/** The employer, plan year or plan that a document concerns, by name. */
function DocumentScope({ of }: { of: Document }) {
  const { employer_id, benefit_plan_year_id: year_id } = of
  const year = useQuery({ ...planYearQuery(employer_id ?? '', year_id ?? ''), enabled: year_id !== null })
  if (!employer_id) return describeScope(of)
  return (
    <>
      <Link to="/employers/$employer_id/documents" params={{ employer_id }}>
        {of.employer_name}
      </Link>
      {year.data && `, plan year ${formatDay(year.data.coverage_start)} – ${formatDay(year.data.coverage_end)}`}
    </>
  )
}

type OpenForm = 'version' | 'translation' | 'change' | 'withdraw' | undefined

/** The changes of a document. Each opens a form in place. */
function DocumentActions({ of }: { of: Document }) {
  const [open, setOpen] = useState<OpenForm>()
  const navigate = route.useNavigate()
  const show = async ({ id }: Document) => {
    await refetch(['documents'])
    setOpen(undefined)
    await navigate({ to: '/documents/$document_id', params: { document_id: id } })
  }
  const button = (name: Exclude<OpenForm, undefined>, label: string) => (
    <button
      type="button"
      className="button"
      aria-expanded={open === name}
      onClick={() => setOpen(open === name ? undefined : name)}
    >
      {label}
    </button>
  )
  return (
    <Section
      title="Changes"
      actions={
        <>
          {of.replaced_on === null && button('version', 'New version')}
          {of.replaced_on === null && button('translation', 'Add translation')}
          {button('change', 'Change')}
          {button('withdraw', 'Withdraw')}
        </>
      }
    >
      {open === 'withdraw' && (
        <Confirm
          action="Withdraw"
          act={async () => show(await ob.documents.withdraw(of.id))}
          back={() => setOpen(undefined)}
        >
          Employees no longer see this version. The file and its receipts are kept.
        </Confirm>
      )}
      {open && open !== 'withdraw' && <ChangeForm key={open} of={of} open={open} show={show} />}
    </Section>
  )
}

type ChangeFormProps = {
  of: Document
  open: Exclude<OpenForm, 'withdraw' | undefined>
  show: (document: Document) => Promise<void>
}

/** The form of a change. It shows the changed or the new document. */
function ChangeForm({ of, open, show }: ChangeFormProps) {
  const [file, choose] = useState<File>()
  const { title, kind, audience } = of
  const replace = async (values: Values) => {
    const upload = await uploadRequest(file, values)
    await show(await ob.documents.replace(of.id, { title: values.title, ...upload } as never, upload_options))
  }
  const translate = async (values: Values) => {
    const { language, title: translated } = values
    const upload = await uploadRequest(file, values)
    await show(await ob.documents.translate(of.id, { language, title: translated, ...upload } as never, upload_options))
  }
  const change = async ({ required, ...changed }: Values) =>
    show(
      await ob.documents.update(of.id, { ...changed, is_required_at_election: required === 'yes' } as DocumentChange),
    )
  const upload_fields = [titleField, fileField(choose), dayField]
  if (open === 'version')
    return <Form fields={upload_fields} initial={{ title }} submit={replace} button="Upload version" />
  if (open === 'translation')
    return (
      <Form
        fields={[languageField(of.language), ...upload_fields]}
        initial={{ language: of.language === 'en' ? 'es' : 'en' }}
        submit={translate}
        button="Add translation"
      />
    )
  const initial = { title, kind, audience, required: of.is_required_at_election ? 'yes' : '' }
  return <Form fields={[titleField, ...sharedFields]} initial={initial} submit={change} button="Save changes" />
}

const version_columns: Column<Document>[] = [
  linkColumn(
    'Version',
    ({ id, version, title }) => [
      `${version}: ${title}`,
      { to: '/documents/$document_id', params: { document_id: id } },
    ],
    {
      width: 40,
      phone: 56,
    },
  ),
  { name: 'Language', only: 'middle', cell: ({ language }) => languages[language] },
  { name: 'Status', phone: 44, cell: (row) => <DocumentStatus of={row} /> },
  numberColumn('Opened', 'opened_count', { only: 'middle', width: 10 }),
  dateColumn('Shown from', 'effective_on', { only: 'middle', width: 14 }),
]

const exported_versions: ExportColumn<Document>[] = [
  { name: 'Version', of: ({ version }) => version },
  { name: 'Title', of: ({ title }) => title },
  { name: 'Language', of: ({ language }) => languages[language] },
  { name: 'Status', of: ({ status }) => toSentence(status) },
  { name: 'Opened', of: ({ opened_count }) => opened_count },
  { name: 'Shown from', kind: 'day', of: ({ effective_on }) => effective_on },
]

function DocumentVersions({ of }: { of: Document }) {
  const list = documentsList({ series_id: of.series_id })
  const rows = useRows(list)
  return (
    <Section
      title="Versions and translations"
      actions={<Export name="document-versions" list={list} columns={exported_versions} />}
    >
      <Table label="Versions" columns={version_columns} rows={rows} isChosen={({ id }) => id === of.id} empty={null} />
    </Section>
  )
}

const unopened_columns: Column<UnopenedDocument>[] = [
  linkColumn(
    'Employee',
    ({ employee_id, member_first_name, member_last_name }) => [
      `${member_first_name} ${member_last_name}`,
      { to: '/people/$employee_id', params: { employee_id } },
    ],
    { width: 40, phone: 50 },
  ),
  { name: 'Employer', only: 'middle', cell: ({ employer_name }) => employer_name },
  {
    name: 'Action',
    align: 'end',
    cell: ({ employer_id }) => (
      <Link to="/employers/$employer_id/enrollment" params={{ employer_id }}>
        See enrollment
      </Link>
    ),
  },
]

const exported_unopened: ExportColumn<UnopenedDocument>[] = [
  { name: 'First name', of: ({ member_first_name }) => member_first_name },
  { name: 'Last name', of: ({ member_last_name }) => member_last_name },
  { name: 'Employer', of: ({ employer_name }) => employer_name },
]

/** The employees who have not opened a required document, each with the page that sends reminders. */
function UnopenedList({ of: { id } }: { of: Document }) {
  const list = unopenedList(id)
  const rows = useRows(list)
  return (
    <Section title="Not opened yet" actions={<Export name="not-opened" list={list} columns={exported_unopened} />}>
      <Table
        label="Not opened yet"
        columns={unopened_columns}
        rows={rows}
        empty={<Empty title="Every employee has opened it." />}
      />
    </Section>
  )
}

const reporterLabel = ({ reported_by }: DocumentReceipt) =>
  reported_by === 'employee' ? 'The employee' : 'Your systems'

const receipt_columns: Column<DocumentReceipt>[] = [
  linkColumn(
    'Employee',
    ({ employee_id, member_first_name, member_last_name }) => [
      `${member_first_name} ${member_last_name}`,
      { to: '/people/$employee_id', params: { employee_id } },
    ],
    { width: 40, phone: 50 },
  ),
  { name: 'Reported by', only: 'middle', cell: reporterLabel },
  timeColumn('Opened', 'opened_at'),
]

const exported_receipts: ExportColumn<DocumentReceipt>[] = [
  { name: 'First name', of: ({ member_first_name }) => member_first_name },
  { name: 'Last name', of: ({ member_last_name }) => member_last_name },
  { name: 'Reported by', of: reporterLabel },
  { name: 'Opened', of: ({ opened_at }) => opened_at },
]

function DocumentReceipts({ of: { id, opened_count } }: { of: Document }) {
  const list = receiptsList(id)
  const rows = useRows(list)
  return (
    <Section
      title={opened_count > 0 ? `Opened by: ${opened_count}` : 'Opened by'}
      actions={<Export name="receipts" list={list} columns={exported_receipts} />}
    >
      <Table
        label="Receipts"
        columns={receipt_columns}
        rows={rows}
        empty={<Empty title="No employee has opened this version yet." />}
      />
    </Section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Form1094c, FormAcknowledgement, FormFiling, FormTransmission, NewFormTransmission } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatCount, formatDay, formatNumber, formatInstant, toSentence, type Tone } from '../../format.ts'
import { Form, FieldError } from '../../parts/form/form.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import { downloadLink } from '../../parts/page/download.ts'
import { type Fact, Facts, Loaded, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { acaKey, formSettingsQuery, transmittalQuery } from './queries.ts'
import type { Timeliness } from './timeliness.ts'

/** The state of the forms of a tax year. */
export type FilingState = {
  filing: FormFiling
  transmissions: FormTransmission[]
}

/** The last day of a step by jurisdiction, the IRS first: `IRS March 2, 2026`. */
export const StepDeadlines = ({ of: { deadlines }, step }: { of: FormFiling; step: 'furnish' | 'file' }) => (
  <p className="quiet">
    Due{' '}
    {deadlines
      .filter((one) => one.step === step)
      .map(({ jurisdiction, due_on }) => `${formatDay(due_on)} (${jurisdiction})`)
      .join(', ')}
  </p>
)

/** Whether a step was done by the deadline of the IRS. */
export const TimelinessStatus = ({ of }: { of: Timeliness | undefined }) =>
  of && (
    <p>
      <Status of={of.word} tone={of.tone} /> <span className="quiet">{of.text}</span>
    </p>
  )

const types = { O: 'Original', R: 'Replacement', C: 'Corrections' } as const

const toneOfAcknowledgement = (status: NonNullable<FormTransmission['status']>): Tone =>
  ({ accepted: 'good', accepted_with_errors: 'wait', rejected: 'bad' })[status] as Tone

const address_fields = [
  { name: 'transmitter.address_line_1', label: 'Street address' },
  { name: 'transmitter.city', label: 'City' },
  { name: 'transmitter.state', label: 'State' },
  { name: 'transmitter.zipcode', label: 'ZIP code' },
]

const fields = [
  {
    name: 'purpose',
    label: 'Purpose',
    options: [
      ['test', 'IRS test (AATS)'],
      ['live', 'File with the IRS'],
    ] as const,
  },
  { name: 'contact.first_name', label: 'First name of the contact' },
  { name: 'contact.last_name', label: 'Last name of the contact' },
  { name: 'contact.phone_number', label: 'Phone number of the contact' },
  { name: 'transmitter.name', label: 'Legal name of the transmitter' },
  { name: 'transmitter.ein', label: 'EIN of the transmitter', hint: 'For example 12-3456789.' },
  { name: 'transmitter.tcc', label: 'Transmitter control code (TCC)' },
  { name: 'transmitter.software_id', label: 'Software ID' },
  ...address_fields,
]

const transmittalFacts = (form: NonNullable<Form1094c['form']>): Fact[] => [
  ['Authoritative transmittal', form.is_authoritative.value ? 'Yes' : 'No'],
  ['In an aggregated ALE group', form.is_in_group.value ? 'Yes' : 'No'],
  ['Qualifying Offer Method', form.has_qualifying_offer.value ? 'Yes' : 'No'],
]

const exported: ExportColumn<FormTransmission>[] = [
  { name: 'Transmission', of: ({ unique_transmission_id }) => unique_transmission_id },
  { name: 'Type', of: ({ type }) => types[type] },
  { name: 'Test', of: ({ is_test }) => (is_test ? 'yes' : 'no') },
  { name: 'Forms', of: ({ form_count }) => form_count },
  { name: 'Made', of: ({ made_at }) => made_at },
  { name: 'Status', of: ({ status }) => (status ? toSentence(status) : 'No acknowledgement') },
  { name: 'Receipt', of: ({ receipt_id }) => receipt_id },
  { name: 'Acknowledged', of: ({ acknowledged_at }) => acknowledged_at },
  { name: 'Errors', of: ({ errors }) => errors.length },
]

/** Form 1094-C or 1094-B, and the files for the IRS. */
export function TransmitStep({ filed, is_blocked }: { filed: FilingState; is_blocked: boolean }) {
  const { filing, transmissions } = filed
  const { employer_id, tax_year } = filing
  const transmittal_form = filing.form_type === '1095-B' ? '1094-B' : '1094-C'
  const transmittal = useQuery(transmittalQuery(employer_id, tax_year))
  const pdf = useAction({
    mutationFn: async () => downloadLink((await ob.employers.getForm1094cPdf(employer_id, { tax_year })).download_url),
  })
  return (
    <>
      <StepDeadlines of={filing} step="file" />
      <Loaded query={transmittal} lines={3}>
        {({ form }) =>
          form && (
            <>
              <Facts
                of={[
                  [`Forms on Form ${transmittal_form}`, formatNumber(form.form_count.value)],
                  ...(filing.form_type === '1095-B' ? [] : transmittalFacts(form)),
                ]}
              />
              <p>
                <button type="button" className="button" disabled={pdf.isPending} onClick={() => pdf.mutate()}>
                  Form {transmittal_form} (PDF)
                </button>
              </p>
            </>
          )
        }
      </Loaded>
      {pdf.error && <ErrorMessage error={pdf.error} />}
      {transmissions.length > 0 && (
        <>
          <ul className="filing-list">
            {transmissions.map((sent) => (
              <SentTransmission key={sent.unique_transmission_id} of={sent} />
            ))}
          </ul>
          <Export name={`transmissions-${tax_year}`} list={transmissions} columns={exported} />
        </>
      )}
      {!is_blocked && (
        <details>
          <summary>Make files for the IRS</summary>
          <p className="quiet">
            Files are not validated against the schemas of the IRS, which are not public. Upload a test to AATS first.
          </p>
          <FilesForm employer_id={employer_id} tax_year={tax_year} />
        </details>
      )}
    </>
  )
}

/** Makes files for the IRS. The contact of the form settings is filled in. */
function FilesForm({ employer_id, tax_year }: { employer_id: string; tax_year: number }) {
  const settings = useQuery(formSettingsQuery(employer_id, tax_year))
  const transmit = async (values: Record<string, string>) => {
    const under = (group: string) =>
      Object.fromEntries(
        Object.entries(values)
          .filter(([name]) => name.startsWith(`${group}.`))
          .map(([name, value]) => [name.slice(group.length + 1), value.trim()]),
      )
    const body = {
      tax_year,
      is_test: values['purpose'] === 'test',
      contact: under('contact'),
      transmitter: under('transmitter'),
    }
    await ob.employers.transmitForms(employer_id, body as unknown as NewFormTransmission)
    await refetch(acaKey(employer_id))
  }
  return (
    <Loaded query={settings} lines={4}>
      {({ contact }) => (
        <Form
          fields={fields}
          initial={{
            purpose: 'test',
            ...Object.fromEntries(Object.entries(contact ?? {}).map(([name, text]) => [`contact.${name}`, text])),
          }}
          is_secondary
          button="Make files"
          success=""
          submit={transmit}
        />
      )}
    </Loaded>
  )
}

/** A transmission with its files. The files of a rejected one and of a test end with the acknowledgement. */
const SentTransmission = ({
  of: { type, is_test, form_count, made_at, status, receipt_id, request, manifest },
}: {
  of: FormTransmission
}) => (
  <li>
    {types[type]}
    {is_test && ', test'}: {formatCount(form_count, 'form')}, made {formatInstant(made_at)}{' '}
    <Status of={status ?? 'No acknowledgement'} tone={status ? toneOfAcknowledgement(status) : 'wait'} />
    {receipt_id && <span className="quiet"> Receipt {receipt_id}</span>}
    {status !== 'rejected' && !(is_test && status) && (
      <>
        {' '}
        <a href={request.download_url}>Forms (XML)</a> <a href={manifest.download_url}>Manifest (XML)</a>
      </>
    )}
  </li>
)

/** Parses one error per line: `AIRTN500; TIN Validation Failed; 1095C-26-00001234|1|2`. The record is optional. */
const parseErrors = (text: string): FormAcknowledgement['errors'] =>
  text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [code, message, record] = line.split(';').map((part) => part.trim())
      if (!code || !message) throw new FieldError('errors_xml', `This line has no code and message: ${line}`)
      return { code, message, unique_record_id: record || null }
    })

/** The errors of the last acknowledgement, and the form that records the next one. */
export function AcknowledgeStep({ filed: { filing, transmissions } }: { filed: FilingState }) {
  const { employer_id } = filing
  const [last] = transmissions
  if (!last) return null
  const acknowledge = async (values: Record<string, string>) => {
    const { receipt_id = '', status = '', errors_xml = '' } = values
    await ob.employers.acknowledgeForms(employer_id, {
      unique_transmission_id: last.unique_transmission_id,
      receipt_id: receipt_id.trim(),
      status: status as FormAcknowledgement['status'],
      ...(errors_xml.trimStart().startsWith('<') ? { errors_xml } : { errors: parseErrors(errors_xml) }),
    })
    await refetch(acaKey(employer_id))
  }
  if (last.status === null)
    return (
      <Form
        fields={[
          { name: 'receipt_id', label: 'Receipt ID', hint: 'For example 1095C-26-00001234.' },
          {
            name: 'status',
            label: 'Status',
            options: (['accepted', 'accepted_with_errors', 'rejected'] as const).map((one) => [one, toSentence(one)]),
          },
          {
            name: 'errors_xml',
            label: 'Errors',
            kind: 'long',
            required: false,
            hint:
              'The error file of the IRS (XML), or one error per line: code; message; record. ' +
              'Without a record, the error concerns the transmission.',
          },
        ]}
        initial={{ status: 'accepted' }}
        is_secondary
        button="Record acknowledgement"
        success=""
        submit={acknowledge}
      />
    )
  return (
    <>
      <p>
        <Status of={last.status} tone={toneOfAcknowledgement(last.status)} /> {formatInstant(last.acknowledged_at!)}
        {last.is_test && ', a test'}
      </p>
      {last.status !== 'accepted' && !last.is_test && (
        <p>
          Correct the data of these people, derive and release the forms again, and transmit the{' '}
          {last.status === 'rejected' ? 'replacement' : 'corrections'}.
        </p>
      )}
      <ul className="filing-list">
        {last.errors.map(({ code, message, employee_id }, at) => (
          <li key={at}>
            {code}: {message}{' '}
            {employee_id && (
              <Link to="/people/$employee_id" params={{ employee_id }}>
                Show person
              </Link>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

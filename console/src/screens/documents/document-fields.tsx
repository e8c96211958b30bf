import type { Document } from 'openbenefits'
import { type Field, type Values, FieldError } from '../../parts/form/form.tsx'
import { Status } from '../../parts/page/page.tsx'

export const kinds: Record<Document['kind'], string> = {
  sbc: 'Summary of Benefits and Coverage',
  spd: 'Summary plan description',
  summary: 'Summary',
  guide: 'Guide',
  notice: 'Notice',
  form: 'Form',
}

export const languages: Record<Document['language'], string> = { en: 'English', es: 'Spanish' }

export const audiences: Record<Document['audience'], string> = {
  employees: 'Employees and employers it concerns',
  members: 'Members of your organization only',
  public: 'Everyone with the link',
}

/** The employer or plan that a document concerns, or the whole organization. */
export const describeScope = ({ scope, employer_name, plan_name }: Document): string =>
  scope === 'plan'
    ? `The plan ${plan_name}`
    : scope === 'plan_year'
      ? `${employer_name}, one plan year`
      : (employer_name ?? 'The whole organization')

const tones = { current: 'good', scheduled: 'wait', replaced: 'over', withdrawn: 'over' } as const

/** Why employees do not see a document, or that they do. */
export const DocumentStatus = ({ of: { status, scan } }: { of: Document }) =>
  scan === 'refused' ? (
    <Status of="Refused by the virus scan" tone="bad" />
  ) : scan === 'waiting' ? (
    <Status of="Being scanned" tone="wait" />
  ) : (
    <Status of={status} tone={tones[status]} />
  )

export const titleField: Field = { name: 'title', label: 'Title' }

export const languageField = (without?: Document['language']): Field => ({
  name: 'language',
  label: 'Language',
  options: Object.entries(languages).filter(([language]) => language !== without),
})

/** The fields that a document shares with its translations. */
export const sharedFields: Field[] = [
  { name: 'kind', label: 'Kind', options: Object.entries(kinds) },
  { name: 'audience', label: 'Seen by', options: Object.entries(audiences) },
  {
    name: 'required',
    label: 'Required reading',
    kind: 'several',
    options: [['yes', 'Employees must open it before they enroll']],
  },
]

export const dayField: Field = {
  name: 'effective_on',
  label: 'Shown from',
  kind: 'date',
  required: false,
  hint: 'Leave empty to show it today.',
}

/** A field to choose a file. `choose` gets the file. */
export const fileField = (choose: (file: File | undefined) => void): Field => ({
  name: 'content',
  label: 'File',
  hint: 'A PDF or an image, at most 25 MiB.',
  render: ({ value: _, onChange, ...input }) => (
    <input
      {...input}
      type="file"
      accept=".pdf,.png,.jpg,.jpeg,.webp,.heic"
      onChange={({ target }) => {
        const file = target.files?.[0]
        choose(file)
        onChange({ target: { value: file?.name ?? '' } })
      }}
    />
  ),
})

const max_bytes = 25 * 1024 * 1024
const max_title_length = 255

/** Milliseconds in which a large file is uploaded. */
export const upload_options = { timeout: 180_000 }

/** The fields of an upload, with the file as base64. */
export async function uploadRequest(file: File | undefined, { effective_on }: Values) {
  if (!file) throw new FieldError('content', 'is required')
  if (file.size > max_bytes) throw new FieldError('content', 'must be at most 25 MiB')
  const content = new Uint8Array(await file.arrayBuffer()).toBase64()
  return {
    file_name: file.name.slice(-max_title_length),
    content,
    ...(effective_on && { effective_on }),
  }
}

const unitFormat = (unit: string) => new Intl.NumberFormat('en-US', { style: 'unit', unit, maximumFractionDigits: 1 })

/** The size of a file: `1.2 MB`. */
export const formatSize = (bytes: number): string =>
  bytes < 1_000_000
    ? unitFormat('kilobyte').format(Math.max(1, bytes / 1000))
    : unitFormat('megabyte').format(bytes / 1_000_000)

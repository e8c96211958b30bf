import { declareRefusals, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'

export const refusals = declareRefusals({
  document_is_withdrawn: [
    409,
    'The document was withdrawn.',
    'Upload a new document, or use another language of the same document.',
  ],
  document_is_replaced: [
    409,
    'A later version of the document exists.',
    'List the versions by `series_id`, and use the latest one.',
  ],
  document_language_exists: [
    409,
    'The document already exists in this language.',
    'Upload a new version of the document in that language.',
  ],
  document_not_available: [
    409,
    'The file cannot be opened: its virus scan has not finished, or it was refused.',
    'Read `scan` of the document, and upload another file if it was refused.',
  ],
  required_document_not_opened: [
    409,
    'The employee has not opened a required document.',
    'Let the employee open the documents in `details`, and send the request again.',
  ],
})

/** A version of a document, with the facts that decide what can be done with it. */
export type DocumentKey = {
  document_id: string
  organization_id: string
  series_id: string
  language: 'en' | 'es'
  version: number
  title: string
  is_replaced: boolean
  is_withdrawn: boolean
}

/** Returns why a version can't be replaced or translated: it is withdrawn, or no longer the latest one. */
export function whyNotChange({ is_withdrawn, is_replaced }: DocumentKey): RefusalKind | undefined {
  if (is_withdrawn) return refusals.document_is_withdrawn
  return is_replaced ? refusals.document_is_replaced : undefined
}

/** The refusal that names the required documents that an employee has not opened. Undefined without any. */
export const requiredReading = (unopened: { id: string; title: string }[]): Refusal | undefined =>
  unopened.length === 0
    ? undefined
    : new Refusal(
        refusals.required_document_not_opened,
        unopened.map(({ id, title }) => ({ field: 'documents', message: `${title} (${id}) must be opened first` })),
      )

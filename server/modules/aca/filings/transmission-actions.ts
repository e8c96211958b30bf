import { createHash, randomUUID } from 'node:crypto'
import { downloadLink, type Download } from '../../../http/files/downloads.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { refuse, Refusal } from '../../../kernel/refusal.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { reEncryptionOf } from '../../../security/re-encryption.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { filerOf } from '../forms/actions.ts'
import type { FormYearKey } from '../forms/derived-queries.ts'
import { purposeOf } from '../tax-identifiers/rules.ts'
import { formXml } from './air-form-rules.ts'
import { manifestXml, requestFileName, requestXml, type Transmission } from './air-rules.ts'
import { reportedErrors } from './acknowledgement-rules.ts'
import { openForm } from './actions.ts'
import { findFiling } from './queries.ts'
import { changedCountOf, refusals, whyNotTransmit } from './rules.ts'
import type { FormAcknowledgement, NewTransmission } from './schemas.ts'
import { findTransmittal } from './transmittal-actions.ts'
import {
  claimForms,
  findBlockingException,
  findTransmission,
  insertTransmission,
  listIdentifiers,
  listTransmissions,
  listTransmitted,
  releaseClaim,
  saveAcknowledgement,
  type TransmittedRow,
} from './transmission-queries.ts'

/** The `FormTransmission`s of an employer and a tax year as JSON. Undefined if the employer is out of reach. */
export async function readTransmissions(ctx: ReadCtx, employer_id: string, tax_year: number) {
  const found = await listTransmissions(ctx, { employer_id, tax_year })
  if (!found) return undefined
  const { organization_id, transmissions } = found
  const linked = transmissions.map(async (sent) => ({
    ...sent,
    request: await downloadLink(ctx, { kind: 'air_request', organization_id, id: sent.unique_transmission_id }),
    manifest: await downloadLink(ctx, { kind: 'air_manifest', organization_id, id: sent.unique_transmission_id }),
  }))
  return JSON.stringify(await Promise.all(linked))
}

/**
 * Assigns released forms to a new transmission: those of people without a filed form, or else corrections of filed
 * forms. After a rejection, it replaces the rejected transmission. Tests and live transmissions ignore each other.
 */
export async function transmitForms(ctx: Ctx, { organization_id, employer_id }: EmployerKey, input: NewTransmission) {
  const { tax_year, is_test, contact, transmitter } = input
  const filing = (await findFiling(ctx, { employer_id, tax_year }))!
  const key = { organization_id, employer_id: filing.ein_employer_id, tax_year }
  const { transmissions } = (await listTransmissions(ctx, { employer_id, tax_year }))!
  const employer = filerOf(ctx, filing)
  const state = {
    is_released: filing.released_at !== null && changedCountOf(filing, employer) === 0,
    exception: await findBlockingException(ctx, key),
    last: transmissions[0],
  }
  refuse(whyNotTransmit(state))
  const id = `${randomUUID()}:SYS12:${transmitter.tcc}::T`
  const new_count: number = await claimForms(ctx, { ...key, id, are_filed: false })
  const form_count: number = new_count > 0 ? new_count : await claimForms(ctx, { ...key, id, are_filed: true })
  refuse(form_count === 0 ? refusals.nothing_to_transmit : undefined)
  const [last] = transmissions.filter((sent) => sent.is_test === is_test)
  const replaced = last?.status === 'rejected' ? last : undefined
  const is_first = new_count > 0 && transmissions.every((sent) => sent.is_test || sent.status === 'rejected')
  const found = is_first ? (await findTransmittal(ctx, employer_id, tax_year))! : undefined
  const header: Transmission = {
    contact,
    transmitter,
    form_type: filing.form_type,
    tax_year,
    is_test,
    form_count,
    type: replaced ? 'R' : new_count > 0 ? 'O' : 'C',
    unique_transmission_id: id,
    made_at: ctx.now,
    replaced_receipt_id: replaced?.receipt_id ?? null,
    employer: {
      legal_name: employer.legal_name,
      ein: employer.ein,
      phone_number: employer.phone_number,
      address_line_1: employer.address_line_1,
      address_line_2: employer.address_line_2,
      city: employer.city,
      state: employer.state,
      zipcode: employer.zipcode,
    },
    transmittal: found?.transmittal ?? null,
    other_members: (found?.others ?? []).map(({ legal_name, ein_sealed }) => ({
      name: legal_name,
      ein: ctx.secrets.decrypt(ein_sealed),
    })),
  }
  const header_sealed = ctx.secrets.encrypt(JSON.stringify(header))
  const number = transmissions.length + 1
  await insertTransmission(ctx, { ...key, id, number, type: header.type, is_test, form_count, header_sealed })
}

/**
 * Records the acknowledgement of the latest transmission. The forms of a rejected one and of a test can be transmitted
 * again.
 */
export async function acknowledge(ctx: Ctx, { organization_id, employer_id }: EmployerKey, input: FormAcknowledgement) {
  const { unique_transmission_id: id, status, receipt_id } = input
  const found = await findTransmission(ctx, { id, organization_id })
  const filing = found && (await findFiling(ctx, { employer_id, tax_year: found.tax_year }))
  if (!found || filing?.ein_employer_id !== found.employer_id) throw new Refusal(refusals.unknown_transmission)
  refuse(found.is_latest ? undefined : refusals.transmission_not_latest)
  const reported = input.errors_xml === undefined ? input.errors : reportedErrors(input.errors_xml)!
  const errors = reported.map(({ unique_record_id, ...error }, at) => ({
    ...error,
    at,
    unique_record_id: unique_record_id ?? null,
    record_id: Number(/\|1\|(\d{1,9})$/.exec(unique_record_id ?? '')?.[1] ?? 0),
  }))
  await saveAcknowledgement(ctx, { id, organization_id, status, receipt_id, errors: JSON.stringify(errors) })
  const { employer_id: filer_id, tax_year } = found
  if (status === 'rejected' || found.is_test)
    await releaseClaim(ctx, { organization_id, employer_id: filer_id, tax_year, id })
  return tax_year
}

/** The tax identifiers of people in nine digits. They are decrypted only while a file is written. */
async function identifiersOf(ctx: Ctx, organization_id: string, person_ids: string[]) {
  const found = await listIdentifiers(ctx, { organization_id, person_ids })
  return new Map(
    found.map(({ person_id, sealed }) => [person_id, ctx.secrets.decryptFor(purposeOf(person_id), sealed)]),
  )
}

/** Forms that are written between two reads. */
const forms_per_read = 100

/** The file with the forms of a transmission, in pieces. */
async function* requestPieces(ctx: Ctx, key: FormYearKey, header: Transmission): AsyncGenerator<string> {
  const { before, after } = requestXml(header)
  const { unique_transmission_id: id } = header
  yield before
  let rows: TransmittedRow[] = []
  do {
    const after_number = rows.at(-1)?.record_number ?? 0
    rows = await listTransmitted(ctx, { ...key, id, after: after_number, most: forms_per_read })
    const forms = rows.map((row) => ({
      record_id: row.record_number,
      copy: openForm(ctx, row.document_sealed).copy,
      corrects: row.former_sealed && {
        unique_record_id: `${row.receipt_id}|1|${row.former_number}`,
        person: openForm(ctx, row.former_sealed).copy.employee,
      },
    }))
    const people = forms.flatMap(({ copy }) => [copy.employee, ...copy.covered_people])
    const person_ids = [...new Set(people.map(({ person_id }) => person_id))]
    const identifiers = await identifiersOf(ctx, key.organization_id, person_ids)
    const records = await runInSlices(mapInSteps(forms, (form) => formXml(form, header, identifiers)))
    yield records.join('')
  } while (rows.length === forms_per_read)
  yield after
}

/** Finds a transmission for a download. Undefined if its forms are available to another transmission. */
async function openTransmission(ctx: Ctx, organization_id: string, id: string) {
  const found = await findTransmission(ctx, { id, organization_id })
  if (!found?.has_forms) return undefined
  const { employer_id, tax_year, header_sealed } = found
  const header: Transmission = JSON.parse(ctx.secrets.decrypt(header_sealed))
  return { header, pieces: requestPieces(ctx, { organization_id, employer_id, tax_year }, header) }
}

const content_type = 'application/xml'

const openRequest: Download = async (ctx, { organization_id, id }) => {
  const found = await openTransmission(ctx, organization_id, id)
  return found && { file_name: requestFileName(found.header, 'Request'), content_type, body: found.pieces }
}

/** Writes the whole file with the forms without keeping it, because the manifest contains its checksum and size. */
const openManifest: Download = async (ctx, { organization_id, id }) => {
  const found = await openTransmission(ctx, organization_id, id)
  if (!found) return undefined
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of found.pieces) {
    hash.update(piece)
    bytes += Buffer.byteLength(piece)
  }
  const body = Buffer.from(manifestXml(found.header, { checksum: hash.digest('hex'), bytes }))
  return { file_name: requestFileName(found.header, 'Manifest'), content_type, bytes: body.length, body }
}

/** Re-encrypts the transmissions of an organization with the current key. */
export const reEncryptTransmissions = reEncryptionOf({
  table: 'form_transmissions',
  key: ['id'],
  sealed: ['header_sealed'],
})

export const transmission_downloads = { air_request: openRequest, air_manifest: openManifest }

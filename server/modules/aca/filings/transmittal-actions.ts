import type { Form1094Document } from '../../../documents/tax-forms/form-1094.ts'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import { downloadLink, type Download } from '../../../http/files/downloads.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { filerOf } from '../forms/actions.ts'
import { employerPartyOf, formatPhone } from '../forms/document-rules.ts'
import { findFormEmployer } from '../forms/queries.ts'
import { listTransmittalFacts, type TransmittalFacts } from './queries.ts'
import { listedMembers, transmittalOf, type Transmittal } from './transmittal-rules.ts'

/** Form 1094-C of the EIN of an employer. `transmittal` is undefined before the forms are derived. */
type FoundTransmittal = { own: TransmittalFacts; others: TransmittalFacts[]; transmittal: Transmittal | undefined }

export async function findTransmittal(
  ctx: ReadCtx,
  employer_id: string,
  tax_year: number,
): Promise<FoundTransmittal | undefined> {
  const rows = await listTransmittalFacts(ctx, { employer_id, tax_year })
  const own = rows.find(({ is_own }) => is_own)
  if (!own) return undefined
  const others = listedMembers(rows.filter(({ is_own }) => !is_own))
  const { counts, form_type, uses_98_percent_method } = own
  const about = { form_type, uses_98_percent_method, other_member_count: rows.length - 1 }
  return { own, others, transmittal: counts ? transmittalOf(counts, about) : undefined }
}

const partyOf = ({ legal_name, ein_last_four }: TransmittalFacts) => ({ legal_name, ein: `**-***${ein_last_four}` })

/** The `Form1094c` of an employer as JSON. Undefined if the employer is out of reach. */
export async function readTransmittal(
  ctx: ReadCtx,
  employer_id: string,
  tax_year: number,
): Promise<string | undefined> {
  const found = await findTransmittal(ctx, employer_id, tax_year)
  if (!found) return undefined
  const { own, others, transmittal } = found
  return JSON.stringify({
    employer_id,
    tax_year,
    form_type: own.form_type,
    derived_at: own.derived_at,
    employer: partyOf(own),
    form: transmittal ?? null,
    other_members: own.form_type === '1095-C' ? others.map(partyOf) : [],
  })
}

const countOf = (value: number | null): string => (value === null ? '' : String(value))

/** Renders Form 1094-C or 1094-B. The id names the employer and the tax year. */
const openTransmittal: Download = async (ctx, { organization_id, id }) => {
  const [employer_id = '', year] = id.split('.')
  const tax_year = Number(year)
  const found = await findTransmittal(ctx, employer_id, tax_year)
  const employer = await findFormEmployer(ctx, { employer_id })
  if (!found?.transmittal || !employer) return undefined
  const { transmittal, others } = found
  const { contact } = found.own
  const document: Form1094Document = {
    form_type: found.own.form_type,
    tax_year,
    made_on: withClock(ctx, await findClock(ctx.db, organization_id)).today,
    employer: employerPartyOf(filerOf(ctx, employer)),
    contact: {
      name: contact ? `${contact.first_name} ${contact.last_name}` : '',
      phone: formatPhone(contact?.phone_number ?? employer.phone_number),
    },
    form_count: String(transmittal.form_count.value),
    is_in_group: transmittal.is_in_group.value,
    has_qualifying_offer: transmittal.has_qualifying_offer.value,
    uses_98_percent_method: transmittal.uses_98_percent_method.value,
    months: transmittal.months.map((month) => ({
      minimum_essential_coverage: month.minimum_essential_coverage.value,
      full_time_count: countOf(month.full_time_count.value),
      total_count: countOf(month.total_count.value),
    })),
    other_members: others.map(({ legal_name, ein_sealed }) => ({
      name: legal_name,
      number: ctx.secrets.decrypt(ein_sealed),
    })),
  }
  const body = await renderForOrganization(organization_id, 'form_1094', JSON.stringify(document))
  const file_name = `form-${document.form_type === '1095-B' ? '1094b' : '1094c'}-${tax_year}.pdf`
  return { file_name, content_type: 'application/pdf', bytes: body.length, body }
}

/** A link to the PDF of the transmittal as JSON. Undefined before the forms are derived. */
export async function linkTransmittal(ctx: ReadCtx, employer_id: string, tax_year: number) {
  const found = await findTransmittal(ctx, employer_id, tax_year)
  if (!found?.transmittal) return undefined
  const { organization_id } = found.own
  return JSON.stringify(
    await downloadLink(ctx, { kind: 'form_1094c', organization_id, id: `${employer_id}.${tax_year}` }),
  )
}

export const transmittal_downloads = { form_1094c: openTransmittal }

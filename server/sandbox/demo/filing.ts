import type { EmployerKey } from '../../modules/access/auth/queries.ts'
import { recordMailing, releaseForms } from '../../modules/aca/filings/actions.ts'
import { FormAcknowledgement, NewTransmission } from '../../modules/aca/filings/schemas.ts'
import { acknowledge, transmitForms } from '../../modules/aca/filings/transmission-actions.ts'
import { listTransmissions } from '../../modules/aca/filings/transmission-queries.ts'
import { setFormSettings } from '../../modules/aca/forms/actions.ts'
import { requestForms } from '../../modules/aca/forms/derive-actions.ts'
import { FormSettingsInput } from '../../modules/aca/forms/schemas.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import type { Employer } from '../employer.ts'
import type { Timeline } from '../timeline.ts'

/** The person whom the IRS may call about the forms of the firm. */
const contact = { first_name: 'Marlene', last_name: 'Voss', phone_number: '3165550142' }

/** The company that transmits the forms. Its transmitter control code and software id are invented. */
const transmitter = {
  name: 'Cedar Filing Services LLC',
  ein: '48-0000017',
  tcc: 'BBCDF',
  software_id: '25A0000017',
  address_line_1: '200 Main St',
  city: 'Wichita',
  state: 'KS',
  zipcode: '67202',
}

const default_settings = { has_conditional_spouse_offer: false, uses_98_percent_method: false }

/** Makes a transmission of the released forms. */
const transmit = (ctx: Ctx, key: EmployerKey, tax_year: number) =>
  transmitForms(ctx, key, NewTransmission.parse({ tax_year, is_test: false, contact, transmitter }))

/** Records that the IRS accepted the transmission. */
async function accept(ctx: Ctx, key: EmployerKey, tax_year: number): Promise<void> {
  const { transmissions } = (await listTransmissions(ctx, { employer_id: key.employer_id, tax_year }))!
  const { unique_transmission_id } = transmissions[0]!
  const receipt_id = `1095C-${String(tax_year + 1).slice(2)}-00301842`
  await acknowledge(ctx, key, FormAcknowledgement.parse({ unique_transmission_id, receipt_id, status: 'accepted' }))
}

/** An employer files the forms of a tax year in the next one, in time: with the IRS, and on paper to its people. */
export function fileForms(timeline: Timeline, employer: Employer, tax_year: number): void {
  const onDayOf = (day: string, action: (ctx: Ctx, key: EmployerKey) => Promise<unknown>) => {
    const then = `${tax_year + 1}-${day}`
    if (then < timeline.today) timeline.on(then, (ctx) => action(ctx, employer.key()))
  }
  onDayOf('01-20', async (ctx, key) => {
    await setFormSettings(ctx, key, FormSettingsInput.parse({ tax_year, contact, ...default_settings }))
    await requestForms(ctx, { ...key, tax_year })
    await timeline.jobs.run(ctx, { with_forms: true })
  })
  onDayOf('02-10', (ctx, key) => releaseForms(ctx, key, tax_year))
  onDayOf('02-10', (ctx, key) => transmit(ctx, key, tax_year))
  onDayOf('02-12', (ctx, key) => accept(ctx, key, tax_year))
  onDayOf('02-17', (ctx, key) => recordMailing(ctx, key, { tax_year, mailed_on: ctx.today, is_mailed: true }))
}

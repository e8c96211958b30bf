import type { Day, FormFiling, FormTransmission } from 'openbenefits'
import { addDays, formatDay, type Tone } from '../../format.ts'
import { easternDayOf } from '../../zoned-days.ts'

/** Whether the forms of a tax year were furnished or filed by the deadline of the IRS. */
export type Timeliness = { word: string; tone: Tone; text: string }

const late = (text: string): Timeliness => ({ word: 'Late', tone: 'bad', text })
const onTime = (text: string): Timeliness => ({ word: 'On time', tone: 'good', text })
const overdue: Timeliness = { word: 'Overdue', tone: 'bad', text: '' }

const dueOn = ({ deadlines }: FormFiling, step: 'furnish' | 'file'): Day =>
  deadlines.find((one) => one.jurisdiction === 'IRS' && one.step === step)!.due_on

/** Whether a person needs a form that was never released, such as one whose facts changed after the release. */
const lacksRelease = ({ unreleased_count }: FormFiling): boolean => unreleased_count > 0

/** When the last person got a first form. Undefined until then, unless the deadline has passed. */
export function furnishingTimeliness(filing: FormFiling, today: Day): Timeliness | undefined {
  const { furnished_on, form_count, released_count } = filing
  const due_on = dueOn(filing, 'furnish')
  if (furnished_on === null || lacksRelease(filing))
    return today > due_on && form_count + released_count > 0 ? overdue : undefined
  const text = `The last person got a form on ${formatDay(furnished_on)}.`
  return furnished_on > due_on ? late(text) : onTime(text)
}

/** A replacement within 60 days after a rejection is on time (IRS Publication 5165). */
const days_to_replace = 60

/**
 * When the forms were filed, by the last accepted transmission that is not a correction. The service does not know the
 * day of the upload, which is between the making of the files and their acknowledgement. `transmissions`: latest first.
 */
export function filingTimeliness(filing: FormFiling, transmissions: readonly FormTransmission[], today: Day) {
  const first_forms = transmissions.filter(({ is_test, type }) => !is_test && type !== 'C')
  const sent = first_forms.find(({ status }) => status !== 'rejected' && status !== null)
  const later = sent ? first_forms.slice(first_forms.indexOf(sent) + 1) : first_forms
  const rejected = !sent || sent.type === 'R' ? later.find(({ status }) => status === 'rejected') : undefined
  const usual = dueOn(filing, 'file')
  const extended = rejected ? addDays(easternDayOf(rejected.acknowledged_at!), days_to_replace) : usual
  const due_on = extended > usual ? extended : usual
  if (!sent || lacksRelease(filing)) return today > due_on && filing.form_count > 0 ? overdue : undefined
  const acknowledged_on = easternDayOf(sent.acknowledged_at!)
  if (acknowledged_on <= due_on) return onTime(`The IRS accepted the forms by ${formatDay(acknowledged_on)}.`)
  const made_on = easternDayOf(sent.made_at)
  if (made_on > due_on) return late(`The files were made on ${formatDay(made_on)}.`)
  const text = `The acknowledgement was recorded on ${formatDay(acknowledged_on)}.`
  return {
    word: 'Check',
    tone: 'wait',
    text: `${text} The forms are on time if the files were uploaded by ${formatDay(due_on)}.`,
  } satisfies Timeliness
}

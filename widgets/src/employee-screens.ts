import type { TemplateResult } from 'lit'
import type { EmployeeView } from '../types/elements.d.ts'
import { beneficiaries } from './employee/beneficiaries.ts'
import { coverage } from './employee/coverage.ts'
import { documents } from './employee/documents.ts'
import { enroll } from './employee/election/enroll.ts'
import { confirmation } from './employee/election/review.ts'
import { family } from './employee/family/family.ts'
import type { EmployeeHost } from './employee/host.ts'
import { lifeEvents } from './employee/life-events.ts'
import { me } from './employee/me.ts'
import { more } from './employee/more.ts'
import { paychecks } from './employee/paychecks.ts'
import { taxForms } from './employee/tax-forms/tax-forms.ts'
import { why } from './employee/why.ts'

/** All views except the first one, which loads without them. */
export const screens: Record<Exclude<EmployeeView, 'home'>, (host: EmployeeHost) => TemplateResult> = {
  enroll,
  confirmation,
  coverage,
  more,
  documents,
  family,
  beneficiaries,
  'life-events': lifeEvents,
  paychecks,
  'tax-forms': taxForms,
  why,
  me,
}

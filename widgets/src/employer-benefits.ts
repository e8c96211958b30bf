import { html, type TemplateResult } from 'lit'
import type { BenefitsView, EmployerBenefitsElement } from '../types/elements.d.ts'
import { enrollment } from './benefits/enrollment.ts'
import { BenefitsHost } from './benefits/host.ts'
import { notes } from './benefits/notes.ts'
import { overview } from './benefits/overview.ts'
import { payroll } from './benefits/payroll.ts'
import { people } from './benefits/people.ts'
import { person } from './benefits/person.ts'
import { planYear, planYears } from './benefits/plan-years.ts'
import { en } from './benefits/words-en.ts'
import { es } from './benefits/words-es.ts'
import { menu } from './core/parts.ts'

const views: Record<BenefitsView, (host: BenefitsHost) => TemplateResult> = {
  overview,
  enrollment,
  people,
  person,
  'plan-years': planYears,
  'plan-year': planYear,
  payroll,
  notes,
}

/** The menu entry to mark for views that have none of their own. */
const part_of: Partial<Record<BenefitsView, BenefitsView>> = { person: 'people', 'plan-year': 'plan-years' }

/**
 * `<ob-employer-benefits>`: an employer's enrollment progress, people to remind, plan costs, payroll connection and
 * shared notes, embedded in a partner's page. Dispatches `ob-ready`, `ob-error` and `ob-navigate`.
 */
export class EmployerBenefits extends BenefitsHost implements EmployerBenefitsElement {
  protected readonly words = { en, es }
  protected readonly first_view = 'overview'

  protected draw(): TemplateResult {
    const known = this.view in views ? this.view : 'overview'
    const view = known === 'person' && !this.employee ? 'people' : known
    return html`${menu<BenefitsView>(this, this.w.menu, this.w.views, part_of[view] ?? view)}
      <section class="stack wide" part="view">${views[view](this)}</section>`
  }
}

if (!customElements.get('ob-employer-benefits')) customElements.define('ob-employer-benefits', EmployerBenefits)

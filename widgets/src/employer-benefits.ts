import { html, type TemplateResult } from 'lit'
import type { BenefitsView, EmployerBenefitsElement } from '../types/elements.d.ts'
import { BenefitsHost } from './benefits/host.ts'
import { notes } from './benefits/notes.ts'
import { overview } from './benefits/overview.ts'
import { payroll } from './benefits/payroll.ts'
import { people } from './benefits/people.ts'
import { person } from './benefits/person.ts'
import { planYear, planYears } from './benefits/plan-years.ts'
import { en } from './benefits/words-en.ts'
import { es } from './benefits/words-es.ts'
import { loadPart } from './core/lazy-part.ts'
import { loadingPlaceholder, menu } from './core/parts.ts'

/** The hash of the file with the views that load when opened. The build defines it. Empty in the npm package. */
declare const SCREENS_INTEGRITY: string

const loadScreens = () =>
  loadPart('employer-benefits-screens.js', SCREENS_INTEGRITY, () => import('./benefits-screens.ts'))

type Screens = Awaited<ReturnType<typeof loadScreens>>['screens']
const screens: Record<keyof Screens, true> = { aca: true, enrollment: true, remind: true }
const isScreen = (view: BenefitsView): view is keyof Screens => view in screens

/** The views of the first file. */
const views: Record<Exclude<BenefitsView, keyof Screens>, (host: BenefitsHost) => TemplateResult> = {
  overview,
  people,
  person,
  'plan-years': planYears,
  'plan-year': planYear,
  payroll,
  notes,
}

/** The menu entry to mark for views that have none of their own. */
const part_of: Partial<Record<BenefitsView, BenefitsView>> = {
  person: 'people',
  'plan-year': 'plan-years',
  remind: 'enrollment',
}

/**
 * `<ob-employer-benefits>`: an employer's enrollment progress, reminders, plan costs, payroll connection,
 * shared notes and full-time status by hours, embedded in a partner's page. Dispatches `ob-ready`, `ob-error` and
 * `ob-navigate`.
 */
export class EmployerBenefits extends BenefitsHost implements EmployerBenefitsElement {
  protected readonly words = { en, es }
  protected readonly first_view = 'overview'

  protected draw(): TemplateResult {
    const known = this.view in views || this.view in screens ? this.view : 'overview'
    const view = known === 'person' && !this.employee ? 'people' : known
    const shown = isScreen(view)
      ? (this.use('screens', loadScreens)?.screens[view](this) ?? loadingPlaceholder(this.w.loading))
      : views[view](this)
    return html`${menu<BenefitsView>(this, this.w.menu, this.w.views, part_of[view] ?? view)}
      <section class="stack wide" part="view">${shown}</section>`
  }
}

if (!customElements.get('ob-employer-benefits')) customElements.define('ob-employer-benefits', EmployerBenefits)

import { html, type TemplateResult } from 'lit'
import type { EmployeeDashboardElement, EmployeeView } from '../types/elements.d.ts'
import { loadPart } from './core/lazy-part.ts'
import { loadingPlaceholder, menu } from './core/parts.ts'
import { home } from './employee/home.ts'
import { EmployeeHost } from './employee/host.ts'
import { en } from './employee/words-en.ts'
import { es } from './employee/words-es.ts'

/** The hash of the file with all other views. The build defines it. Empty in the npm package. */
declare const SCREENS_INTEGRITY: string

const loadScreens = () =>
  loadPart('employee-dashboard-screens.js', SCREENS_INTEGRITY, () => import('./employee-screens.ts'))

/** Runs a task when the page has nothing else to do. Safari has no idle callbacks. */
const whenIdle = (task: () => void) => (globalThis.requestIdleCallback ?? setTimeout)(task)

/** The menu entry to mark for views that have none of their own. */
const part_of: Partial<Record<EmployeeView, EmployeeView>> = {
  confirmation: 'enroll',
  documents: 'more',
  family: 'more',
  beneficiaries: 'more',
  'life-events': 'more',
  paychecks: 'more',
  'tax-forms': 'more',
  why: 'more',
  me: 'more',
}

/**
 * `<ob-employee-dashboard>`: an employee's coverage, elections, dependents, life events and paychecks, embedded in a
 * partner's page. Dispatches `ob-ready`, `ob-elected`, `ob-waived`, `ob-error` and `ob-navigate`.
 */
export class EmployeeDashboard extends EmployeeHost implements EmployeeDashboardElement {
  protected readonly words = { en, es }
  protected readonly first_view = 'home'

  protected draw(): TemplateResult {
    const view = this.view in this.w.views || this.view in part_of ? this.view : 'home'
    return html`${menu(this, this.w.menu, this.w.views, part_of[view] ?? view)}
      <section class="stack wide column" part="view">
        ${view === 'home' ? this.#home() : (this.#screens?.[view](this) ?? loadingPlaceholder(this.w.loading))}
      </section>`
  }

  get #screens() {
    return this.use('screens', loadScreens)?.screens
  }

  /** The first view. The other views load after it, so that they also open offline. */
  #home(): TemplateResult {
    if (this.enrollments && this.paychecks) whenIdle(() => void this.#screens)
    return home(this)
  }
}

if (!customElements.get('ob-employee-dashboard')) customElements.define('ob-employee-dashboard', EmployeeDashboard)

import { html, type TemplateResult } from 'lit'
import type { EmployeeDashboardElement, EmployeeView } from '../types/elements.d.ts'
import { menu } from './core/parts.ts'
import { coverage } from './employee/coverage.ts'
import { enroll } from './employee/election/enroll.ts'
import { confirmation } from './employee/election/review.ts'
import { documents } from './employee/documents.ts'
import { family } from './employee/family.ts'
import { home } from './employee/home.ts'
import { EmployeeHost } from './employee/host.ts'
import { lifeEvents } from './employee/life-events.ts'
import { me } from './employee/me.ts'
import { paychecks } from './employee/paychecks.ts'
import { more } from './employee/more.ts'
import { why } from './employee/why.ts'
import { en } from './employee/words-en.ts'
import { es } from './employee/words-es.ts'

const views: Record<EmployeeView, (host: EmployeeHost) => TemplateResult> = {
  home,
  enroll,
  confirmation,
  coverage,
  more,
  documents,
  family,
  'life-events': lifeEvents,
  paychecks,
  why,
  me,
}

/** The menu entry to mark for views that have none of their own. */
const part_of: Partial<Record<EmployeeView, EmployeeView>> = {
  confirmation: 'enroll',
  documents: 'more',
  family: 'more',
  'life-events': 'more',
  paychecks: 'more',
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
    const view = this.view in views ? this.view : 'home'
    return html`${menu(this, this.w.menu, this.w.views, part_of[view] ?? view)}
      <section class="stack wide" part="view">${views[view](this)}</section>`
  }
}

if (!customElements.get('ob-employee-dashboard')) customElements.define('ob-employee-dashboard', EmployeeDashboard)

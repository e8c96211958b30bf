import type { PropertyDeclarations } from 'lit'
import type {
  BenefitPlanYearId,
  BenefitPlanYearRow,
  Day,
  EmployeeId,
  EmployerId,
  OpenBenefits,
  PlanYearEnrollmentRow,
} from 'openbenefits'
import { save } from '../core/csv.ts'
import { EmployerWidget } from '../core/employer-widget.ts'
import { all } from '../core/lists.ts'
import type { BenefitsView } from '../../types/elements.d.ts'
import type { BenefitsWords } from './words-en.ts'

export type StatusFilter = '' | 'pending' | 'enrolled' | 'waived' | 'expired'
export type EnrollmentOrder = 'window_end' | 'name' | 'coverage_start' | 'coverage_end' | 'newest'

/** Rows that are asked for at a time, and how many of those that need somebody are shown at first. */
const rows_of_page = 50
const rows_of_overview = 5

/** Milliseconds without another letter after which a search is asked. */
const searched_after = 300

/** The plan year that matters today: the one that people choose for, else the present, the next, or the last. */
const presentYear = (years: BenefitPlanYearRow[]): BenefitPlanYearRow | undefined =>
  years.find(({ status }) => status === 'open_enrollment') ??
  years.find(({ is_current }) => is_current) ??
  years.findLast(({ status }) => status !== 'inactive') ??
  years[0]

/** Whether coverage ends today or later, of what begins before that. */
const endsAhead = (today: Day, { coverage_start: from, coverage_end: to }: PlanYearEnrollmentRow): boolean =>
  to !== null && to >= today && to >= from

/** What the views of Employer Benefits draw from. */
export abstract class BenefitsHost extends EmployerWidget<BenefitsWords, BenefitsView> {
  static override properties: PropertyDeclarations = {
    planYear: { attribute: 'plan-year', reflect: true },
    employee: { reflect: true },
  }

  /** Which plan year is shown, and which person: for deep links. */
  declare planYear: string
  declare employee: string
  status: StatusFilter = ''
  sort: EnrollmentOrder = 'window_end'
  search = ''
  /** How many pages of the list are shown. */
  pages = 1
  #timer: ReturnType<typeof setTimeout> | undefined
  #found: { rows: PlanYearEnrollmentRow[]; total: number } | undefined

  override forget(): void {
    this.status = ''
    this.sort = 'window_end'
    this.search = ''
    this.pages = 1
    this.#found = undefined
  }

  get plan_years(): BenefitPlanYearRow[] | undefined {
    const { employer_id: id } = this
    return id ? this.use('plan-years', (ob) => ob.planYears.list(id)) : undefined
  }

  /** The plan year that is looked at; null: the employer has none. */
  get year(): BenefitPlanYearRow | null | undefined {
    const years = this.plan_years
    return years && (years.find(({ id }) => id === this.planYear) ?? presentYear(years) ?? null)
  }

  /** That plan year, and whose, as addresses name it. */
  get #path(): [EmployerId, BenefitPlanYearId] | undefined {
    const { employer_id, year } = this
    return employer_id && year ? [employer_id, year.id] : undefined
  }

  get year_in_full() {
    const path = this.#path
    return path && this.use(`plan-year ${path[1]}`, (ob) => ob.planYears.get(...path))
  }

  get summary() {
    const path = this.#path
    return path && this.use(`summary ${path[1]}`, (ob) => ob.planYears.summarizeEnrollments(...path))
  }

  /** Whose window ends first. */
  get to_remind() {
    const path = this.#path
    const asked = { sort: 'window_end', limit: rows_of_overview } as const
    const pending = { ...asked, election_status: ['pending' as const] }
    return path && this.use(`pending ${path[1]}`, async (ob) => ob.planYears.listEnrollments(...path, pending))
  }

  /** Whose coverage ends next. */
  get ending(): PlanYearEnrollmentRow[] | undefined {
    const path = this.#path
    const asked = { sort: 'coverage_end', limit: rows_of_overview } as const
    const page = path && this.use(`ending ${path[1]}`, async (ob) => ob.planYears.listEnrollments(...path, asked))
    const { today } = this
    return today && page?.data.filter((row) => endsAhead(today, row))
  }

  /** What the filters find, as far as it was asked for; what was found before them stays until that is there. */
  get found() {
    const path = this.#path
    if (!path) return undefined
    const { status, sort, search } = this
    const asked = { sort, limit: rows_of_page, ...(status && { election_status: [status] }), ...(search && { search }) }
    const pages = Array.from({ length: this.pages }, (_, at) =>
      this.use(`found ${path[1]} ${JSON.stringify(asked)} ${at}`, async (ob) =>
        ob.planYears.listEnrollments(...path, { ...asked, page: at + 1 }),
      ),
    )
    const here = pages.filter((page) => page !== undefined)
    if (here.length === pages.length)
      this.#found = { rows: here.flatMap(({ data }) => data), total: here.at(-1)!.pagination.total }
    return this.#found && { ...this.#found, is_busy: here.length < pages.length }
  }

  /** All whose coverage ends from today on, the next first; undefined: they could not be read. */
  async readEnding(today: Day): Promise<PlanYearEnrollmentRow[] | undefined> {
    const path = this.#path
    if (!path) return undefined
    const ends = async (ob: OpenBenefits) => {
      const found: PlanYearEnrollmentRow[] = []
      for await (const row of ob.planYears.listEnrollments(...path, { sort: 'coverage_end' })) {
        if (!endsAhead(today, row)) break
        found.push(row)
      }
      return found
    }
    return this.act(ends).catch(() => undefined)
  }

  get hris() {
    const { employer_id: id } = this
    return id ? this.use('hris', (ob) => ob.hris.get(id)) : undefined
  }

  get #employee_id(): EmployeeId | undefined {
    return (this.employee || undefined) as EmployeeId | undefined
  }

  get person() {
    const id = this.#employee_id
    return id ? this.use(`person ${id}`, (ob) => ob.employees.get(id)) : undefined
  }

  get enrollments() {
    const id = this.#employee_id
    return id ? this.use(`enrollments ${id}`, (ob) => all(ob.enrollments.list(id))) : undefined
  }

  get explanation() {
    const id = this.#employee_id
    return id ? this.use(`eligibility ${id}`, (ob) => ob.employees.explainEligibility(id)) : undefined
  }

  show(employee: string): void {
    this.employee = employee
    this.go('person')
  }

  showYear(plan_year: string): void {
    this.planYear = plan_year
    this.go('plan-year')
  }

  /** Changes what the list is narrowed to, or sorted by, from its first page on. */
  narrow(changes: { status?: StatusFilter; sort?: EnrollmentOrder; search?: string; planYear?: string }): void {
    Object.assign(this, changes, { pages: 1 })
    this.requestUpdate()
  }

  /** Searches once nobody types any more. */
  type(search: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.narrow({ search: search.trim() }), searched_after)
  }

  /** Saves the whole list as CSV, by a link that is made now. */
  async saveAll(): Promise<void> {
    const path = this.#path
    if (!path) return
    const summary = await this.act((ob) => ob.planYears.summarizeEnrollments(...path)).catch(() => undefined)
    if (summary) save(summary.csv_url)
  }
}

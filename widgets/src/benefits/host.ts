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
import type { BenefitsView } from '../../types/elements.d.ts'
import { save } from '../core/csv.ts'
import { EmployerWidget } from '../core/widget.ts'
import type { BenefitsWords } from './words-en.ts'

export type StatusFilter = '' | 'pending' | 'enrolled' | 'waived' | 'expired'
export type ProgressFilter = '' | 'not_started' | 'in_progress' | 'enrolled' | 'waived'
export type EnrollmentOrder = 'window_end' | 'name' | 'coverage_start' | 'coverage_end' | 'newest'

/** The page size of the list, and the number of people to remind that the overview shows. */
const rows_of_page = 50
const rows_of_overview = 5

/** Milliseconds without another keystroke before a search is sent. */
const searched_after = 300

/** The plan year shown first: the one in open enrollment, else the current, the next or the last one. */
const presentYear = (years: BenefitPlanYearRow[]): BenefitPlanYearRow | undefined =>
  years.find(({ status }) => status === 'open_enrollment') ??
  years.find(({ is_current }) => is_current) ??
  years.findLast(({ status }) => status !== 'inactive') ??
  years[0]

/** Whether an enrollment has coverage that ends today or later. */
const endsAhead = (today: Day, { coverage_start: from, coverage_end: to }: PlanYearEnrollmentRow): boolean =>
  to !== null && to >= today && to >= from

/** Data and state behind the views of Employer Benefits. */
export abstract class BenefitsHost extends EmployerWidget<BenefitsWords, BenefitsView> {
  static override properties: PropertyDeclarations = {
    planYear: { attribute: 'plan-year', reflect: true },
    employee: { reflect: true },
  }

  /** The plan year and the person shown, for deep links. */
  declare planYear: string
  declare employee: string
  status: StatusFilter = ''
  sort: EnrollmentOrder = 'window_end'
  search = ''
  /** The progress by which the people of an enrollment window are filtered. */
  progress: ProgressFilter = ''
  /** The people selected for a reminder. If none are, everyone who can answer is reminded. */
  chosen: EmployeeId[] = []
  /** The number of pages of messages shown. */
  message_pages = 1
  /** The result of the last action, and the part of the enrollment center that shows it. */
  result: { at: 'people' | 'remind' | 'schedule'; text: string } | undefined
  /** The number of pages shown. */
  pages = 1
  #timer: ReturnType<typeof setTimeout> | undefined
  #found: { rows: PlanYearEnrollmentRow[]; total: number } | undefined

  override forget(): void {
    this.status = ''
    this.sort = 'window_end'
    this.search = ''
    this.progress = ''
    this.chosen = []
    this.message_pages = 1
    this.result = undefined
    this.pages = 1
    this.#found = undefined
  }

  get plan_years(): BenefitPlanYearRow[] | undefined {
    const { employer_id: id } = this
    return id ? this.use('plan-years', (ob) => ob.planYears.list(id)) : undefined
  }

  /** The selected plan year. Null if the employer has none. */
  get year(): BenefitPlanYearRow | null | undefined {
    const years = this.plan_years
    return years && (years.find(({ id }) => id === this.planYear) ?? presentYear(years) ?? null)
  }

  /** The path parameters of the selected plan year: employer id and plan year id. */
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

  /** The first people who can be reminded, by name. */
  get to_remind() {
    const path = this.#path
    const query = { can_answer: true, limit: rows_of_overview }
    return path && this.use(`window ${path[1]}`, async (ob) => ob.enrollmentWindows.listPeople(...path, query))
  }

  /** Enrollments by the end of their coverage. */
  get ending(): PlanYearEnrollmentRow[] | undefined {
    const path = this.#path
    const query = { sort: 'coverage_end', limit: rows_of_overview } as const
    const page = path && this.use(`ending ${path[1]}`, async (ob) => ob.planYears.listEnrollments(...path, query))
    const { today } = this
    return today && page?.data.filter((row) => endsAhead(today, row))
  }

  /** The pages that match the filters. Until they arrive, the previous result stays visible. */
  get found() {
    const path = this.#path
    if (!path) return undefined
    const { status, sort, search } = this
    const query = { sort, limit: rows_of_page, ...(status && { election_status: [status] }), ...(search && { search }) }
    const pages = Array.from({ length: this.pages }, (_, at) =>
      this.use(`found ${path[1]} ${JSON.stringify(query)} ${at}`, async (ob) =>
        ob.planYears.listEnrollments(...path, { ...query, page: at + 1 }),
      ),
    )
    const here = pages.filter((page) => page !== undefined)
    if (here.length === pages.length)
      this.#found = { rows: here.flatMap(({ data }) => data), total: here.at(-1)!.pagination.total }
    return this.#found && { ...this.#found, is_busy: here.length < pages.length }
  }

  /**
   * All enrollments with coverage that ends today or later, the next end first. Undefined if they could not be read.
   */
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

  /** The plan years in which employees can still respond. */
  get windows() {
    const { employer_id: id } = this
    return id ? this.use('windows', (ob) => ob.enrollmentWindows.list(id)) : undefined
  }

  /** The selected window, or the first one. */
  get enrollment_window() {
    const windows = this.windows ?? []
    return windows.find(({ benefit_plan_year_id: id }) => id === this.planYear) ?? windows[0]
  }

  /** The people of the selected window by name, up to the pages shown. */
  get window_people() {
    const { employer_id, enrollment_window: shown, progress } = this
    if (!employer_id || !shown) return undefined
    const { benefit_plan_year_id: id } = shown
    const query = { limit: rows_of_page, ...(progress && { status: [progress] }) }
    const pages = Array.from({ length: this.pages }, (_, at) =>
      this.use(`window ${id} ${JSON.stringify(query)} ${at}`, async (ob) =>
        ob.enrollmentWindows.listPeople(employer_id, id, { ...query, page: at + 1 }),
      ),
    )
    const here = pages.filter((page) => page !== undefined)
    return here.length === pages.length
      ? { rows: here.flatMap(({ data }) => data), total: here[0]!.pagination.total }
      : undefined
  }

  /** The latest notes that were shared with the employer. */
  get shared_notes() {
    const { employer_id: id } = this
    return id
      ? this.use('notes', async (ob) => (await ob.notes.listOfEmployer(id, { limit: rows_of_page })).data)
      : undefined
  }

  get aca_overview() {
    const { employer_id: id } = this
    return id ? this.use('aca-overview', (ob) => ob.employers.getAcaOverview(id)) : undefined
  }

  get offer_test() {
    const { employer_id: id } = this
    return id ? this.use('offer-test', (ob) => ob.employers.getOfferTest(id)) : undefined
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
    return id ? this.use(`enrollments ${id}`, (ob) => Array.fromAsync(ob.enrollments.list(id))) : undefined
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

  /** Shows the recipients of a reminder about the selected plan year before it is sent. */
  startReminder(chosen: EmployeeId[]): void {
    this.chosen = chosen
    this.result = undefined
    this.go('remind')
  }

  /** Changes filters or order and returns to the first page, unless `pages` stay shown. */
  narrow(
    changes: Partial<Pick<BenefitsHost, 'status' | 'sort' | 'search' | 'progress' | 'chosen' | 'planYear'>>,
    pages = 1,
  ): void {
    Object.assign(this, changes, { pages })
    this.requestUpdate()
  }

  /** Shows another page of a list. */
  showMore(): void {
    this.pages++
    this.requestUpdate()
  }

  /** Searches once the user stops typing. */
  type(search: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.narrow({ search: search.trim() }), searched_after)
  }

  /** Downloads the whole list as CSV through a new download link. */
  async saveAll(): Promise<void> {
    const path = this.#path
    if (!path) return
    const summary = await this.act((ob) => ob.planYears.summarizeEnrollments(...path)).catch(() => undefined)
    if (summary) save(summary.csv_url)
  }
}

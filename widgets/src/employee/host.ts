import {
  ApiError,
  type AnswerQuote,
  type EmployeeId,
  type LifeEventAttachment,
  type LifeEventId,
  type OpenBenefits,
} from 'openbenefits'
import { all } from '../core/lists.ts'
import { faultsOf, Widget } from '../core/widget.ts'
import { answersOf, faultsByEnrollment, presentChoice, type Choice } from './choices.ts'
import type { EmployeeView } from '../../types/elements.d.ts'
import type { EmployeeWords } from './words-en.ts'

type AttachmentId = LifeEventAttachment['id']

/** Of one document, in bytes; of its name, in characters; and milliseconds that it may take to be sent from a phone. */
const most_bytes = 10 * 1024 * 1024
const most_characters = 255
const patience = 180_000

/** A file as text that JSON can hold. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })

/** Milliseconds without another click after which choices are priced. */
const priced_after = 200

/** What the views of the Employee Dashboard draw from: what was read, and what is being chosen and typed. */
export abstract class EmployeeHost extends Widget<EmployeeWords, EmployeeView> {
  /** What was touched and is not submitted yet, by enrollment. */
  readonly choices = new Map<string, Choice>()
  /** The dependents who are ticked while no plan is chosen, by enrollment. */
  readonly #ticked = new Map<string, string[]>()
  quote: AnswerQuote | undefined
  /** Why the choices can't be made so, by enrollment; the empty one: of all of them. */
  refused: ReadonlyMap<string, string> = new Map()
  is_pricing = false
  is_submitting = false
  is_downloading = false
  /** What was submitted last. */
  confirmed: AnswerQuote | undefined
  /** What is said once after something was done. */
  said = ''
  faults: Record<string, string> = {}
  /** Whom somebody is about to remove. */
  removing: string | undefined
  /** To which life event a document is being sent, or could not be, and why. */
  attaching: { id: string; why?: string } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0

  override forget(): void {
    this.choices.clear()
    this.#ticked.clear()
    this.quote = this.confirmed = undefined
    this.refused = new Map()
    this.faults = {}
    this.said = ''
  }

  get employee_id(): EmployeeId | undefined {
    return (this.for || this.self?.bound_entity?.id || undefined) as EmployeeId | undefined
  }

  get employee() {
    const { employee_id: id } = this
    return id ? this.use('employee', (ob) => ob.employees.get(id)) : undefined
  }

  get enrollments() {
    const { employee_id: id } = this
    return id ? this.use('enrollments', (ob) => all(ob.enrollments.list(id))) : undefined
  }

  get dependents() {
    const { employee_id: id } = this
    return id ? this.use('dependents', (ob) => all(ob.dependents.list(id))) : undefined
  }

  get life_events() {
    const { employee_id: id } = this
    return id ? this.use('life-events', (ob) => all(ob.lifeEvents.list(id))) : undefined
  }

  get explanation() {
    const { employee_id: id } = this
    return id ? this.use('eligibility', (ob) => ob.employees.explainEligibility(id)) : undefined
  }

  get paychecks() {
    const { employee_id: id } = this
    return id ? this.use('paychecks', (ob) => ob.deductions.listPaychecks(id)) : undefined
  }

  get proof() {
    const { employee_id: id } = this
    return id ? this.use('proof', (ob) => ob.deductions.prove(id)) : undefined
  }

  enrollment(enrollment_id: string) {
    return this.use(`enrollment ${enrollment_id}`, (ob) => ob.enrollments.get(enrollment_id as `enrl_${string}`))
  }

  /**
   * What a plan would take from a paycheck with these people, worked out as if it were elected; null where it can't be.
   * While somebody is still ticking, nothing more is asked.
   */
  perPaycheck(enrollment_id: string, plan_id: string, dependent_ids: string[]): number | null | undefined {
    const { employee_id: id, dependents } = this
    const key = `price ${enrollment_id} ${plan_id} ${dependent_ids.toSorted().join()}`
    if (!id || !dependents || (this.is_pricing && !this.holds(key))) return undefined
    const answers = answersOf(
      new Map([[enrollment_id, { waive: false, plan_id, dependent_ids }]]),
      dependents,
      this.w.waive_reasons,
    )
    return this.use(key, async (ob) => {
      try {
        return (await ob.enrollments.answer(id, { answers, dry_run: true })).per_paycheck_in_cents
      } catch (error) {
        if (error instanceof ApiError && error.status < 500 && error.status !== 401) return null
        throw error
      }
    })
  }

  /** What is wanted of a benefit: what was touched, or else what is answered already. */
  choiceOf(enrollment_id: string): Choice | undefined {
    const enrollment = this.enrollments?.find(({ id }) => id === enrollment_id)
    return this.choices.get(enrollment_id) ?? (enrollment && presentChoice(enrollment))
  }

  /** The dependents to cover with the employee, by the chosen plan or one still to be chosen. */
  dependentsOf(enrollment_id: string): string[] {
    const choice = this.choiceOf(enrollment_id)
    return choice && !choice.waive ? choice.dependent_ids : (this.#ticked.get(enrollment_id) ?? [])
  }

  /** Changes who is to be covered. Without a chosen plan, it only changes what the plans would cost. */
  cover(enrollment_id: string, dependent_ids: string[]): void {
    const choice = this.choiceOf(enrollment_id)
    if (choice && !choice.waive) return this.choose(enrollment_id, { ...choice, dependent_ids })
    this.#ticked.set(enrollment_id, dependent_ids)
    this.#priceSoon()
  }

  /** Goes to a view; what was said and refused in the one before is over. */
  override go(view: EmployeeView): void {
    this.said = ''
    this.faults = {}
    this.removing = this.attaching = undefined
    super.go(view)
  }

  choose(enrollment_id: string, choice: Choice): void {
    this.choices.set(enrollment_id, choice)
    this.#priceSoon()
  }

  #priceSoon(): void {
    this.is_pricing = true
    this.requestUpdate()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.price(), priced_after)
  }

  /** Asks what the choices come to. Of several questions under way the last one's answer counts. */
  async price(): Promise<void> {
    const asked = ++this.#asked
    const answered = await this.#send(true)
    if (asked !== this.#asked) return
    this.is_pricing = false
    this.quote = answered ?? undefined
    this.requestUpdate()
  }

  /** Submits all choices at once. */
  async submit(): Promise<void> {
    if (this.is_submitting) return
    this.is_submitting = true
    this.requestUpdate()
    const done = await this.#send(false)
    this.is_submitting = false
    this.requestUpdate()
    if (!done) return
    this.confirmed = done
    for (const { enrollment_id, answer } of done.answers)
      this.emit(answer === 'enrolled' ? 'ob-elected' : 'ob-waived', { enrollment_id })
    this.choices.clear()
    this.#ticked.clear()
    this.quote = undefined
    this.go('confirmation')
    await this.refresh('enrollment', 'paychecks', 'proof')
  }

  async #send(dry_run: boolean): Promise<AnswerQuote | undefined> {
    const { employee_id: id } = this
    const ids = [...this.choices.keys()]
    if (!id || ids.length === 0) return undefined
    const answers = answersOf(this.choices, this.dependents ?? [], this.w.waive_reasons)
    this.refused = new Map()
    try {
      return await this.act((ob) => ob.enrollments.answer(id, { answers, dry_run }))
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 401)
        this.refused = faultsByEnrollment(faultsOf(error, this.w), ids)
      return undefined
    }
  }

  /** Saves what was chosen as a PDF. */
  async downloadConfirmation(): Promise<void> {
    const { employee_id: id, language } = this
    if (!id || this.is_downloading) return
    this.is_downloading = true
    this.requestUpdate()
    try {
      const { download_url } = await this.act((ob) => ob.enrollments.getConfirmation(id, { language }))
      Object.assign(document.createElement('a'), { href: download_url, download: '' }).click()
    } catch {
      // It is said above what stands in between.
    } finally {
      this.is_downloading = false
      this.requestUpdate()
    }
  }

  /** Attaches the document that proves a life event. */
  async attach(id: LifeEventId, file: File): Promise<void> {
    if (file.size > most_bytes) return this.#tellOf({ id, why: this.w.too_large })
    await this.#document(id, async (ob) => {
      const content = await base64Of(file)
      return ob.lifeEvents.attach(id, { file_name: file.name.slice(-most_characters), content }, { timeout: patience })
    })
  }

  /** Takes a document off a life event. */
  detach = (id: LifeEventId, attachment_id: AttachmentId): Promise<void> =>
    this.#document(id, (ob) => ob.lifeEvents.detach(id, attachment_id))

  #tellOf(attaching: typeof this.attaching): void {
    this.attaching = attaching
    this.requestUpdate()
  }

  async #document(id: LifeEventId, action: (ob: OpenBenefits) => Promise<unknown>): Promise<void> {
    if (this.attaching && !this.attaching.why) return
    this.#tellOf({ id })
    try {
      await this.act(action)
      this.#tellOf(undefined)
      await this.refresh('life-events')
    } catch (error) {
      this.#tellOf({
        id,
        why: error instanceof ApiError ? Object.values(faultsOf(error, this.w))[0]! : this.w.not_sent,
      })
    }
  }

  /** Sends a form: what is refused stands beside its field, and what was typed stays. */
  async send(form: HTMLFormElement, said: string, action: () => Promise<unknown>, stale: string[]): Promise<void> {
    this.said = ''
    this.faults = {}
    for (const field of form.elements)
      if (field instanceof HTMLInputElement && field.required && !field.value) this.faults[field.name] = this.w.required
    if (Object.keys(this.faults).length === 0) {
      try {
        await action()
        form.reset()
        this.said = said
        await this.refresh(...stale)
      } catch (error) {
        if (error instanceof ApiError && error.status < 500 && error.status !== 401)
          this.faults = faultsOf(error, this.w)
      }
    }
    this.requestUpdate()
    await this.updateComplete
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
}

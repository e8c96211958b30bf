import {
  ApiError,
  type EmployeeId,
  type EnrollmentQuote,
  type LifeEventAttachment,
  type LifeEventId,
  type OpenBenefits,
} from 'openbenefits'
import type { EmployeeView } from '../../types/elements.d.ts'
import { faultsOf, isRefusal, Widget } from '../core/widget.ts'
import { answersOf, type Choice, faultsByEnrollment, presentChoice } from './choices.ts'
import type { EmployeeWords } from './words-en.ts'

type AttachmentId = LifeEventAttachment['id']

/** Limits of one document: bytes, characters of its name, and milliseconds of its upload from a phone. */
const most_bytes = 10 * 1024 * 1024
const most_characters = 255
const upload_timeout_ms = 180_000

/** Encodes a file as base64 for JSON. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })

/** Milliseconds without another click before choices are priced. */
const priced_after = 200

/** Data and state behind the views of the Employee Dashboard, including unsubmitted choices. */
export abstract class EmployeeHost extends Widget<EmployeeWords, EmployeeView> {
  /** Changed and not yet submitted choices, by enrollment. */
  readonly choices = new Map<string, Choice>()
  /** The dependents selected while no plan is chosen, by enrollment. */
  readonly #ticked = new Map<string, string[]>()
  quote: EnrollmentQuote | undefined
  /** Refusal messages of the choices by enrollment. The empty key holds the message about all of them. */
  refused: ReadonlyMap<string, string> = new Map()
  is_pricing = false
  is_submitting = false
  is_downloading = false
  /** The last submitted choices. */
  confirmed: EnrollmentQuote | undefined
  /** The confirmation message of the last action. */
  message = ''
  faults: Record<string, string> = {}
  /** The dependent whose removal awaits confirmation. */
  removing: string | undefined
  /** The life event that a document is being uploaded to, and the reason if the upload failed. */
  attaching: { id: string; why?: string } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #request_number = 0

  override forget(): void {
    this.choices.clear()
    this.#ticked.clear()
    this.quote = this.confirmed = undefined
    this.refused = new Map()
    this.faults = {}
    this.message = ''
  }

  get employee_id(): EmployeeId | undefined {
    return this.bound_id as EmployeeId | undefined
  }

  /** Data about the employee. Undefined until it is loaded. */
  #about<T>(key: string, load: (ob: OpenBenefits, id: EmployeeId) => Promise<T>): T | undefined {
    const { employee_id: id } = this
    return id ? this.use(key, (ob) => load(ob, id)) : undefined
  }

  get employee() {
    return this.#about('employee', (ob, id) => ob.employees.get(id))
  }

  get enrollments() {
    return this.#about('enrollments', (ob, id) => Array.fromAsync(ob.enrollments.list(id)))
  }

  get dependents() {
    return this.#about('dependents', (ob, id) => Array.fromAsync(ob.dependents.list(id)))
  }

  get life_events() {
    return this.#about('life-events', (ob, id) => Array.fromAsync(ob.lifeEvents.list(id)))
  }

  get explanation() {
    return this.#about('eligibility', (ob, id) => ob.employees.explainEligibility(id))
  }

  get paychecks() {
    return this.#about('paychecks', (ob, id) => ob.deductions.listPaychecks(id))
  }

  get proof() {
    return this.#about('proof', (ob, id) => ob.deductions.prove(id))
  }

  enrollment(enrollment_id: string) {
    return this.use(`enrollment ${enrollment_id}`, (ob) => ob.enrollments.get(enrollment_id as `enrl_${string}`))
  }

  /**
   * The deduction per paycheck if this plan were elected for these dependents. Null if it cannot be elected. Waits
   * until the employee stops clicking before it requests prices.
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
        if (isRefusal(error)) return null
        throw error
      }
    })
  }

  /** The choice for a benefit: the unsubmitted one, or else the submitted one. */
  choiceOf(enrollment_id: string): Choice | undefined {
    const enrollment = this.enrollments?.find(({ id }) => id === enrollment_id)
    return this.choices.get(enrollment_id) ?? (enrollment && presentChoice(enrollment))
  }

  /** The dependents to cover, whether or not a plan is chosen yet. */
  dependentsOf(enrollment_id: string): string[] {
    const choice = this.choiceOf(enrollment_id)
    return choice && !choice.waive ? choice.dependent_ids : (this.#ticked.get(enrollment_id) ?? [])
  }

  /** Changes the dependents to cover. Without a chosen plan, only the shown prices change. */
  cover(enrollment_id: string, dependent_ids: string[]): void {
    const choice = this.choiceOf(enrollment_id)
    if (choice && !choice.waive) return this.choose(enrollment_id, { ...choice, dependent_ids })
    this.#ticked.set(enrollment_id, dependent_ids)
    this.#priceSoon()
  }

  /** Shows a view and clears the messages of the one before. */
  override go(view: EmployeeView): void {
    this.message = ''
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

  /** Requests the price of the choices. If several requests overlap, only the last response counts. */
  async price(): Promise<void> {
    const request_number = ++this.#request_number
    const answered = await this.#send(true)
    if (request_number !== this.#request_number) return
    this.is_pricing = false
    this.quote = answered ?? undefined
    this.requestUpdate()
  }

  /** Submits all choices in one request. */
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

  async #send(dry_run: boolean): Promise<EnrollmentQuote | undefined> {
    const { employee_id: id } = this
    const ids = [...this.choices.keys()]
    if (!id || ids.length === 0) return undefined
    const answers = answersOf(this.choices, this.dependents ?? [], this.w.waive_reasons)
    this.refused = new Map()
    try {
      return await this.act((ob) => ob.enrollments.answer(id, { answers, dry_run }))
    } catch (error) {
      if (isRefusal(error)) this.refused = faultsByEnrollment(faultsOf(error, this.w), ids)
      return undefined
    }
  }

  /** Downloads the confirmation as a PDF. */
  async downloadConfirmation(): Promise<void> {
    const { employee_id: id, language } = this
    if (!id || this.is_downloading) return
    this.is_downloading = true
    this.requestUpdate()
    try {
      const { download_url } = await this.act((ob) => ob.enrollments.getConfirmation(id, { language }))
      Object.assign(document.createElement('a'), { href: download_url, download: '' }).click()
    } catch {
      // `act` has reported the failure.
    } finally {
      this.is_downloading = false
      this.requestUpdate()
    }
  }

  /** Attaches a document to a life event. */
  async attach(id: LifeEventId, file: File): Promise<void> {
    if (file.size > most_bytes) return this.#showAttaching({ id, why: this.w.too_large })
    await this.#document(id, async (ob) => {
      const content = await base64Of(file)
      return ob.lifeEvents.attach(
        id,
        { file_name: file.name.slice(-most_characters), content },
        { timeout: upload_timeout_ms },
      )
    })
  }

  /** Removes a document from a life event. */
  detach = (id: LifeEventId, attachment_id: AttachmentId): Promise<void> =>
    this.#document(id, (ob) => ob.lifeEvents.detach(id, attachment_id))

  #showAttaching(attaching: typeof this.attaching): void {
    this.attaching = attaching
    this.requestUpdate()
  }

  async #document(id: LifeEventId, action: (ob: OpenBenefits) => Promise<unknown>): Promise<void> {
    if (this.attaching && !this.attaching.why) return
    this.#showAttaching({ id })
    try {
      await this.act(action)
      this.#showAttaching(undefined)
      await this.refresh('life-events')
    } catch (error) {
      this.#showAttaching({
        id,
        why: error instanceof ApiError ? Object.values(faultsOf(error, this.w))[0]! : this.w.not_sent,
      })
    }
  }

  /** Sends a form. Error messages appear beside their fields, and the entries stay. */
  async send(
    form: HTMLFormElement,
    message: string,
    action: () => Promise<unknown>,
    outdated: string[],
  ): Promise<void> {
    this.message = ''
    this.faults = {}
    for (const field of form.elements)
      if (field instanceof HTMLInputElement && field.required && !field.value) this.faults[field.name] = this.w.required
    if (Object.keys(this.faults).length === 0) {
      try {
        await action()
        form.reset()
        this.message = message
        await this.refresh(...outdated)
      } catch (error) {
        if (isRefusal(error)) this.faults = faultsOf(error, this.w)
      }
    }
    this.requestUpdate()
    await this.updateComplete
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
}

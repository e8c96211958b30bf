import type {
  BenefitBeneficiaries,
  Day,
  Dependent,
  DependentField,
  Employee,
  EmployeeId,
  Enrollment,
  EnrollmentDraft,
  EnrollmentDraftInput,
  EnrollmentQuote,
  ExpectedUse,
  NewEnrollmentSignature,
  OpenBenefits,
} from 'openbenefits'
import { faultsOf, isRefusal } from '../../core/widget.ts'
import { answersOf, coverableDependents, faultsByEnrollment, missingOf, type Choice } from '../choices.ts'
import type { EmployeeView } from '../../../types/elements.d.ts'
import type { EmployeeWords } from '../words-en.ts'
import { benefitSteps, coveredOf, currentChoice, type BenefitStep, type StepChoice } from './steps.ts'

/** Milliseconds without another click before choices are priced. */
const priced_after = 200

/** The widget that shows an election. */
type ElectionHost = {
  readonly w: EmployeeWords
  readonly today: Day | undefined
  readonly employee_id: EmployeeId | undefined
  readonly enrollments: Enrollment[] | undefined
  readonly dependents: Dependent[] | undefined
  readonly employee: Employee | undefined
  readonly beneficiaries: BenefitBeneficiaries[] | undefined
  act: <T>(action: (ob: OpenBenefits) => Promise<T>) => Promise<T>
  refresh: (...prefixes: string[]) => Promise<void[]>
  emit: (name: string, detail: object) => boolean
  go: (view: EmployeeView) => void
  requestUpdate: () => void
}

/** The choices of a draft as they are edited. */
const parseDraftChoice = ({ elect, waive }: EnrollmentDraft['answers'][number]): Choice => {
  if (!elect) return { waive: true, ...(waive?.reason_code && { reason: waive.reason_code }) }
  const { plan_id, dependent_ids, individual_plan: own, bought_on_exchange } = elect
  const bought = own && {
    name: own.name,
    premium: String(own.premium_in_cents / 100),
    on_exchange: bought_on_exchange === true,
  }
  return { waive: false, plan_id, dependent_ids, ...(bought && { own: bought }) }
}

/** The election of an employee: the screens, the choices on this device and the draft on the server. */
export class Election {
  readonly #host: ElectionHost
  /** Changed and not yet submitted choices, by enrollment. */
  readonly choices = new Map<string, Choice>()
  /** The dependents to cover. Undefined until the employee has chosen. */
  household: string[] | undefined
  /** The dependents of benefits that differ from the household, by step. */
  readonly #differing = new Map<string, string[]>()
  /** The screen: `household`, the key of a benefit, `review` or `sign`. */
  screen = 'household'
  quote: EnrollmentQuote | undefined
  /** Refusal messages of the choices by enrollment. The empty key holds the message about all of them. */
  refused: ReadonlyMap<string, string> = new Map()
  is_pricing = false
  is_submitting = false
  /** The name that was typed as a signature and compared with the name on record. */
  checked_name: string | undefined
  /** The last submitted choices. */
  confirmed: EnrollmentQuote | undefined
  /** Whether the comparison, and the reasons for waiving, are open on this screen. */
  is_comparing = false
  is_waiving = false
  expected_use: ExpectedUse = 'medium'
  /** Whether the choices were replaced by those of another device. */
  is_replaced = false
  /** The version of the draft on the server that this device continues. */
  #version: string | null = null
  #saving: Promise<void> = Promise.resolve()
  #timer: ReturnType<typeof setTimeout> | undefined
  #request_number = 0

  constructor(host: ElectionHost) {
    this.#host = host
  }

  /** Forgets everything about the person. */
  forget(): void {
    this.#start()
    this.confirmed = undefined
    this.screen = 'household'
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.choices.clear()
    this.#differing.clear()
    this.household = this.quote = undefined
    this.refused = new Map()
    this.is_pricing = this.is_comparing = this.is_waiving = this.is_replaced = false
  }

  get steps(): BenefitStep[] {
    return benefitSteps(this.#host.enrollments ?? [])
  }

  get #family() {
    const { dependents, today } = this.#host
    return dependents && today ? coverableDependents(dependents, today) : []
  }

  /** The choice on a screen, if it is not submitted yet. */
  choiceOf({ enrollments }: BenefitStep): StepChoice | undefined {
    const chosen = enrollments.flatMap((enrollment) => {
      const choice = this.choices.get(enrollment.id)
      return choice ? [{ enrollment, choice }] : []
    })
    return chosen.find(({ choice }) => !choice.waive) ?? chosen[0]
  }

  /** The choice that is in force today. */
  currentOf = (step: BenefitStep): StepChoice | undefined => currentChoice(step, this.#host.enrollments ?? [])

  /** The benefits without any choice, submitted or not. */
  get undecided(): BenefitStep[] {
    return this.steps.filter(
      (step) => !this.choiceOf(step) && step.enrollments.every(({ status }) => status === 'pending'),
    )
  }

  /** Whether every benefit can stay as it is. */
  get can_keep(): boolean {
    const { steps } = this
    return steps.some((step) => this.currentOf(step)?.choice.waive === false) && steps.every(this.currentOf)
  }

  /** The dependents that a plan of this enrollment would cover. */
  dependentsOf(step: BenefitStep, enrollment: BenefitStep['enrollments'][number]): string[] {
    return coveredOf(enrollment, this.#family, this.#differing.get(step.key) ?? this.household ?? [])
  }

  /** Continues with a draft that was saved on any device. */
  restore({ saved_at, dependent_ids, answers, version }: EnrollmentDraft): void {
    const is_begun_here = this.household !== undefined || this.choices.size > 0
    if (saved_at === null || !is_begun_here) this.#version = version
    if (saved_at === null || is_begun_here) return
    this.household = dependent_ids
    for (const answer of answers) this.choices.set(answer.enrollment_id, parseDraftChoice(answer))
    for (const step of this.steps) {
      const chosen = this.choiceOf(step)
      if (!chosen || chosen.choice.waive) continue
      const { dependent_ids: covered } = chosen.choice
      if (coveredOf(chosen.enrollment, this.#family, dependent_ids).join() !== covered.join())
        this.#differing.set(step.key, covered)
    }
    this.screen = this.#next
    if (this.choices.size > 0) this.#priceSoon()
  }

  /** The screen where the employee left off. */
  get #next(): string {
    if (this.household === undefined) return 'household'
    if (this.incomplete.length > 0) return 'details'
    const next = this.steps.find((step) => !this.choiceOf(step) && !this.currentOf(step)) ?? this.undecided[0]
    return next?.key ?? 'review'
  }

  /** Opens the election at the screen where the employee left off. */
  open(): void {
    this.show(this.#next)
  }

  /** Shows a screen. */
  show(screen: string): void {
    this.screen = screen
    this.is_comparing = this.is_waiving = false
    this.#host.go('enroll')
  }

  /** The screens in order. */
  get screens(): string[] {
    const more = this.takers.length > 0 ? ['beneficiaries'] : []
    const details = this.screen === 'details' || this.incomplete.length > 0 ? ['details'] : []
    return ['household', ...details, ...this.steps.map(({ key }) => key), ...more, 'review', 'sign']
  }

  /** The elected benefits that take beneficiaries. */
  get takers(): BenefitBeneficiaries[] {
    const { beneficiaries = [], enrollments = [] } = this.#host
    const isElected = ({ id }: Enrollment) => this.choices.get(id)?.waive === false
    const elected = enrollments.filter(isElected).map(({ benefit }) => benefit.id)
    return beneficiaries.filter(({ benefit_id }) => elected.includes(benefit_id))
  }

  /** The dependents to cover who lack data that a benefit requires, each with that data. */
  get incomplete(): [Dependent, DependentField[]][] {
    const required = [...new Set(this.steps.flatMap(({ enrollments }) => enrollments.flatMap(requiredFields)))]
    const covered = new Set([...(this.household ?? []), ...[...this.#differing.values()].flat()])
    return this.#family
      .filter(({ id }) => covered.has(id))
      .map((one): [Dependent, DependentField[]] => [one, missingOf(one, this.#host.employee, required)])
      .filter(([, missing]) => missing.length > 0)
  }

  /** Shows the screen before or after this one. */
  move(by: 1 | -1): void {
    if (by === 1) void this.#save()
    const { screens } = this
    this.show(screens[screens.indexOf(this.screen) + by] ?? 'household')
  }

  /** Sets the dependents to cover in all benefits, and continues. */
  cover(household: string[]): void {
    this.household = household
    this.#differing.clear()
    this.#coverAgain(this.steps)
    this.move(1)
  }

  /** Sets the dependents to cover in one benefit. */
  differ(step: BenefitStep, dependent_ids: string[]): void {
    this.#differing.set(step.key, dependent_ids)
    this.#coverAgain([step])
    if (this.incomplete.length > 0) this.show('details')
  }

  #coverAgain(steps: BenefitStep[]): void {
    for (const step of steps) {
      const chosen = this.choiceOf(step)
      if (!chosen || chosen.choice.waive) continue
      const { enrollment, choice } = chosen
      this.choices.set(enrollment.id, { ...choice, dependent_ids: this.dependentsOf(step, enrollment) })
    }
    this.#priceSoon()
  }

  /** Chooses a plan, or changes the choice. Replaces choices for other benefits of the choice group. */
  choose(step: BenefitStep, enrollment_id: string, choice: Choice): void {
    for (const { id } of step.enrollments) this.choices.delete(id)
    this.choices.set(enrollment_id, choice)
    this.#priceSoon()
  }

  /** Waives all benefits of a screen. */
  waive({ enrollments }: BenefitStep, choice: Choice & { waive: true }): void {
    for (const { id } of enrollments) this.choices.set(id, choice)
    this.#priceSoon()
  }

  /** Keeps the current choices of all benefits, and shows them to be signed. */
  keepAll(): void {
    this.#start()
    const kept = this.steps.map((step) => ({ step, current: this.currentOf(step)! }))
    this.household = [...new Set(kept.flatMap(({ current: { choice } }) => (choice.waive ? [] : choice.dependent_ids)))]
    for (const { step, current } of kept) {
      const { enrollment, choice } = current
      if (choice.waive) this.waive(step, choice)
      else {
        const dependent_ids = coveredOf(enrollment, this.#family, choice.dependent_ids)
        this.#differing.set(step.key, dependent_ids)
        this.choose(step, enrollment.id, { ...choice, dependent_ids })
      }
    }
    void this.#save()
    this.show(this.incomplete.length > 0 ? 'details' : 'sign')
  }

  #priceSoon(): void {
    this.is_pricing = this.choices.size > 0
    this.#host.requestUpdate()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.price(), priced_after)
  }

  /** Requests the price of the choices. If several requests overlap, only the last response counts. */
  async price(): Promise<void> {
    const request_number = ++this.#request_number
    const answered = await this.#send(true)
    if (request_number !== this.#request_number) return
    this.is_pricing = false
    this.quote = answered
    this.#host.requestUpdate()
  }

  /** Saves the choices and requests their price again after a failure of the connection. */
  retry(): void {
    if (this.choices.size === 0 || this.quote || this.refused.size > 0 || this.is_pricing) return
    void this.#save()
    this.#priceSoon()
  }

  /** Submits all choices in one request, with the signature of the employee. */
  async submit(signature: NewEnrollmentSignature): Promise<void> {
    if (this.is_submitting) return
    this.is_submitting = true
    this.#host.requestUpdate()
    await this.#saving
    const done = await this.#send(false, signature)
    this.is_submitting = false
    this.#host.requestUpdate()
    if (!done) return
    this.forget()
    this.confirmed = done
    for (const { enrollment_id, answer } of done.answers)
      this.#host.emit(answer === 'enrolled' ? 'ob-elected' : 'ob-waived', { enrollment_id })
    this.#host.go('confirmation')
    await this.#host.refresh('enrollment', 'paychecks', 'proof', 'draft', 'confirmations')
  }

  async #send(dry_run: boolean, signature?: NewEnrollmentSignature): Promise<EnrollmentQuote | undefined> {
    const { employee_id: id, dependents, w } = this.#host
    const ids = [...this.choices.keys()]
    if (!id || ids.length === 0) return undefined
    const answers = answersOf(this.choices, dependents ?? [], w.waive_reasons)
    this.refused = new Map()
    try {
      return await this.#host.act((ob) =>
        ob.enrollments.answer(id, { answers, dry_run, ...(signature && { signature }) }),
      )
    } catch (error) {
      if (isRefusal(error)) {
        const why = outdated(w)[error.code]
        if (why) await this.#host.refresh('agreements', 'documents')
        this.refused = why ? new Map([['', why]]) : faultsByEnrollment(faultsOf(error, w), ids)
      }
      return undefined
    }
  }

  /** Saves the choices so far on the server, one save after another. */
  #save(): Promise<void> {
    return (this.#saving = this.#saving.then(() => this.#saveNow()))
  }

  /** A failure is shown, and the next screen tries again. Choices of another device replace those of this one. */
  async #saveNow(): Promise<void> {
    const { employee_id: id } = this.#host
    if (!id || this.is_submitting) return
    const answers = [...this.choices].map(drafted)
    const draft = { dependent_ids: this.household ?? [], answers, version: this.#version }
    try {
      const saved = await this.#host.act((ob) => ob.enrollments.saveDraft(id, draft as EnrollmentDraftInput))
      this.#version = saved.version
      this.is_replaced = false
    } catch (error) {
      if (isRefusal(error) && error.code === 'draft_has_changed') {
        this.#start()
        await this.#host.refresh('draft', 'enrollments')
        this.open()
        this.is_replaced = true
      } else if (isRefusal(error))
        this.refused = faultsByEnrollment(faultsOf(error, this.#host.w), [...this.choices.keys()])
    }
    this.#host.requestUpdate()
  }
}

const requiredFields = ({ required_dependent_fields }: Enrollment) => required_dependent_fields

/** The messages of refusals after which the screen of the signature is loaded again. */
const outdated = (w: EmployeeWords): { [code: string]: string } => ({
  agreement_has_changed: w.agreement_changed,
  required_document_not_opened: w.open_first,
})

/** A choice as a draft. An individual plan is omitted until its premium is a number. */
function drafted([enrollment_id, choice]: [string, Choice]): object {
  if (choice.waive) return { enrollment_id, waive: choice.reason ? { reason_code: choice.reason } : {} }
  const { plan_id, dependent_ids, own } = choice
  const premium = Math.round(Number(own?.premium || Number.NaN) * 100)
  const bought = own?.name &&
    premium >= 0 && {
      individual_plan: { name: own.name, premium_in_cents: premium },
      bought_on_exchange: own.on_exchange,
    }
  return { enrollment_id, elect: { plan_id, dependent_ids, ...(bought || undefined) } }
}

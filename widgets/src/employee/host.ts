import {
  type AnyLifeEventType,
  type Attachment,
  ApiError,
  type Beneficiary,
  type Dependent,
  type DownloadLink,
  type EmployeeDocument,
  type EmployeeId,
  type LifeEventId,
  type NewAttachment,
  type OpenBenefits,
} from 'openbenefits'
import type { EmployeeView } from '../../types/elements.d.ts'
import { faultsOf, isRefusal, Widget } from '../core/widget.ts'
import { answersOf } from './choices.ts'
import { Election } from './election/election.ts'
import type { EmployeeWords } from './words-en.ts'

type AttachmentId = Attachment['id']

/** Limits of one document: bytes, characters of its name, and milliseconds of its upload from a phone. */
const max_bytes = 10 * 1024 * 1024
const max_characters = 255
const upload_timeout_ms = 180_000

/** Encodes a file as base64 for JSON. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })

/** Data and state behind the views of the Employee Dashboard, including the election. */
export abstract class EmployeeHost extends Widget<EmployeeWords, EmployeeView> {
  readonly election = new Election(this)
  is_downloading = false
  /** The enrollments whose contacts are open. */
  readonly opened = new Set<string>()
  /** The confirmation message of the last action. */
  message = ''
  faults: Record<string, string> = {}
  /** The code of the refusal of the last form. */
  refused_code = ''
  /** The dependent whose details were sent last. */
  editing: string | undefined
  /** The dependent whose removal awaits confirmation. */
  removing: string | undefined
  /** The kind of the life event that is being reported. */
  event_type: AnyLifeEventType = 'marriage'
  #is_sending = false
  /** The beneficiary that is being added, by benefit: the id of a dependent, or a type. */
  readonly beneficiary_choices = new Map<string, Dependent['id'] | Beneficiary['type']>()
  /** The life event that a document is being uploaded to, and the reason if the upload failed. */
  attaching: { id: string; why?: string } | undefined

  override forget(): void {
    this.election.forget()
    this.opened.clear()
    this.beneficiary_choices.clear()
    this.faults = {}
    this.message = ''
  }

  override retry(): void {
    super.retry()
    this.election.retry()
  }

  get employee_id(): EmployeeId | undefined {
    return this.bound_id as EmployeeId | undefined
  }

  /** Data about the employee. Undefined until it is loaded. */
  #about<T>(key: string, load: (ob: OpenBenefits, id: EmployeeId) => Promise<T>): T | undefined {
    const { employee_id: id } = this
    return id ? this.use(key, (ob) => load(ob, id)) : undefined
  }

  /** The name of a benefit or category: the partner's name, or a translation. */
  nameOf(name: string): string {
    const given = this.self?.organization?.display_names.find(
      (one) => one.language === this.language && one.name === name,
    )
    return given?.display_name ?? this.w.benefit_names[name] ?? name
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

  get beneficiaries() {
    return this.#about('beneficiaries', (ob, id) => ob.beneficiaries.list(id))
  }

  get life_events() {
    return this.#about('life-events', (ob, id) => Array.fromAsync(ob.lifeEvents.list(id)))
  }

  /** The unfinished election that was saved on any device. Its choices are restored when it is loaded. */
  get draft() {
    if (!this.enrollments || !this.dependents || !this.employee || !this.today) return undefined
    return this.#about('draft', async (ob, id) => {
      const draft = await ob.enrollments.getDraft(id)
      this.election.restore(draft)
      return draft
    })
  }

  /** The agreements that the employee signs. */
  get agreements() {
    return this.#about('agreements', (ob, id) => ob.enrollments.listAgreementsToSign(id))
  }

  /** The documents that concern the employee, in the language of the page. */
  get documents() {
    const { language } = this
    return this.#about(`documents ${language}`, (ob, id) =>
      Array.fromAsync(ob.documents.listOfEmployee(id, { language })),
    )
  }

  get explanation() {
    return this.#about('eligibility', (ob, id) => ob.employees.explainEligibility(id))
  }

  get paychecks() {
    return this.#about('paychecks', (ob, id) => ob.deductions.listPaychecks(id))
  }

  /** The released tax forms. Null if the token lacks access to them. */
  get tax_forms() {
    return this.#about('tax-forms', async (ob, id) => {
      try {
        return await ob.employees.getTaxForms(id)
      } catch (error) {
        if (isRefusal(error)) return null
        throw error
      }
    })
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
    if (!id || !dependents || (this.election.is_pricing && !this.holds(key))) return undefined
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

  /** Shows a view and clears the messages of the one before. */
  override go(view: EmployeeView): void {
    this.message = ''
    this.faults = {}
    this.refused_code = ''
    this.removing = this.attaching = this.editing = undefined
    super.go(view)
  }

  /** The stored confirmations of submissions, latest first. */
  get confirmations() {
    return this.#about('confirmations', (ob, id) => ob.enrollments.listConfirmations(id))
  }

  /** Downloads the confirmation of the latest submission as a PDF. */
  downloadConfirmation = (): Promise<void> =>
    this.#download(async (ob, id) => (await ob.enrollments.listConfirmations(id))[0]!.file)

  /** Opens a document, which records a receipt. */
  async openDocument(document_id: EmployeeDocument['id']): Promise<void> {
    await this.#download((ob, id) => ob.documents.open(id, document_id))
    await this.refresh('documents')
  }

  /** Downloads the cost of the benefits in this year as a PDF. */
  downloadStatement = (): Promise<void> =>
    this.#download((ob, id) => ob.enrollments.getStatementPdf(id, { language: this.language }))

  async #download(linkOf: (ob: OpenBenefits, id: EmployeeId) => Promise<DownloadLink>): Promise<void> {
    const { employee_id: id } = this
    if (!id || this.is_downloading) return
    this.is_downloading = true
    this.requestUpdate()
    try {
      const { download_url } = await this.act((ob) => linkOf(ob, id))
      Object.assign(document.createElement('a'), { href: download_url, download: '' }).click()
    } catch {
      // `act` has reported the failure.
    } finally {
      this.is_downloading = false
      this.requestUpdate()
    }
  }

  /** Attaches a document to a life event. */
  attach = (id: LifeEventId, file: File): Promise<void> =>
    this.#attach(id, file, 'life-events', (ob, ...upload) => ob.lifeEvents.attach(id, ...upload))

  /** Attaches a document that proves the relationship of a dependent. */
  attachToDependent = (id: Dependent['id'], file: File): Promise<void> =>
    this.#attach(id, file, 'dependents', (ob, ...upload) => ob.dependents.attach(id, ...upload))

  async #attach(
    id: string,
    file: File,
    outdated: string,
    send: (ob: OpenBenefits, body: NewAttachment, options: { timeout: number }) => Promise<unknown>,
  ): Promise<void> {
    if (file.size > max_bytes) return this.#showAttaching({ id, why: this.w.too_large })
    await this.#document(id, outdated, async (ob) => {
      const content = await base64Of(file)
      return send(ob, { file_name: file.name.slice(-max_characters), content }, { timeout: upload_timeout_ms })
    })
  }

  /** Removes a document from a life event. */
  detach = (id: LifeEventId, attachment_id: AttachmentId): Promise<void> =>
    this.#document(id, 'life-events', (ob) => ob.lifeEvents.detach(id, attachment_id))

  #showAttaching(attaching: typeof this.attaching): void {
    this.attaching = attaching
    this.requestUpdate()
  }

  async #document(id: string, outdated: string, action: (ob: OpenBenefits) => Promise<unknown>): Promise<void> {
    if (this.attaching && !this.attaching.why) return
    this.#showAttaching({ id })
    try {
      await this.act(action)
      this.#showAttaching(undefined)
      await this.refresh(outdated)
    } catch (error) {
      this.#showAttaching({
        id,
        why: error instanceof ApiError ? Object.values(faultsOf(error, this.w))[0]! : this.w.not_sent,
      })
    }
  }

  /** Sends a form. Error messages appear next to their fields, and the entries stay. Undefined if it was refused. */
  async send<Done>(
    form: HTMLFormElement,
    message: string,
    action: () => Promise<Done>,
    outdated: string[],
  ): Promise<Done | undefined> {
    if (this.#is_sending) return undefined
    this.#is_sending = true
    let done: Done | undefined
    this.message = this.refused_code = ''
    this.faults = {}
    for (const field of form.elements)
      if (field instanceof HTMLInputElement && field.required && !field.value) this.faults[field.name] = this.w.required
    if (Object.keys(this.faults).length === 0) {
      try {
        done = await action()
        form.reset()
        this.message = message
        await this.refresh(...outdated)
      } catch (error) {
        if (isRefusal(error)) {
          this.faults = faultsOf(error, this.w)
          this.refused_code = error.code
        }
      }
    }
    this.#is_sending = false
    this.requestUpdate()
    await this.updateComplete
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    return done
  }
}

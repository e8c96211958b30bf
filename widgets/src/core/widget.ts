import {
  html,
  LitElement,
  nothing,
  unsafeCSS,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit'
import {
  ApiError,
  boundToken,
  type BoundToken,
  ConnectionError,
  type Day,
  type EmployerId,
  type IssuedToken,
  OpenBenefits,
  OpenBenefitsError,
  TokenRefusedError,
} from 'openbenefits'
import { brandStyles } from './brand.ts'
import { refusalText, type CommonWords } from './common-words.ts'
import { type Format, formatIn, type Language } from './format.ts'
import tokens from '../../../ui/tokens.css'
import base from './styles/base.css'
import controls from './styles/controls.css'
import pieces from './styles/pieces.css'

/**
 * The page may set every token: `--ob-accent`, `--ob-font`, `--ob-radius`, `--ob-ground`, and so on. The color scheme
 * is that of the page, unless the attribute `appearance` sets it.
 */
const own_tokens = tokens
  .replace(':root', ':host')
  .replace(/^\s+color-scheme: .+;$/m, '')
  .replaceAll(/^\s+--([\w-]+): (.+);$/gm, '  --$1: var(--ob-$1, $2);')

const styles = [own_tokens, base, controls, pieces].map(unsafeCSS)

/** Why data cannot load: no connection, an ended session, or a failure of the service. */
type WidgetError = { kind: 'offline' | 'ended' | 'failed'; code: string; trace_id: string }

type Held = { load: (ob: OpenBenefits) => Promise<unknown>; value: unknown; failed: boolean }

/** Milliseconds between the automatic retries of an offline widget. */
const retry_after_ms = 8000

/**
 * The base of all widgets: token, loaded data, current view, language and error messages. Subclasses draw the views.
 */
export abstract class Widget<Words extends CommonWords, View extends string> extends LitElement {
  static override styles = styles
  static override properties: PropertyDeclarations = {
    baseUrl: { attribute: 'base-url' },
    tokenUrl: { attribute: 'token-url' },
    for: {},
    view: { reflect: true },
    getToken: { attribute: false },
  }

  /** The URL of the service. Defaults to the origin of the script. */
  declare baseUrl: string
  /** The route of the page's backend that issues tokens (POST). */
  declare tokenUrl: string
  /** Alternative to `tokenUrl`: a function that gets a token from the page's backend. */
  declare getToken: (() => Promise<IssuedToken>) | undefined
  /** The id of the employee or employer: `empl_…` or `empr_…`. Widgets and tabs with the same id share a token. */
  declare for: string
  /** The current view, for deep links. */
  declare view: View

  #token: BoundToken | undefined
  #client: OpenBenefits | undefined
  readonly #held = new Map<string, Held>()
  #error: WidgetError | undefined
  #again: ReturnType<typeof setTimeout> | undefined
  #was_ready = false
  #focuses = false
  #worn = ''
  readonly #tryAgain = () => this.retry()

  protected abstract readonly words: Record<Language, Words>
  protected abstract readonly first_view: View
  protected abstract draw(): TemplateResult

  constructor() {
    super()
    // Not `new URL('/', import.meta.url)`, which bundlers treat as an asset.
    this.baseUrl = `${new URL(import.meta.url).origin}/`
    this.tokenUrl = ''
    this.for = ''
  }

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang']
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now)
    if (name === 'lang') this.requestUpdate()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('online', this.#tryAgain)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('online', this.#tryAgain)
    clearTimeout(this.#again)
    this.#token?.stop()
    this.#token = this.#client = undefined
    this.#held.clear()
  }

  /** Discards all data when the person or the source of the token changes. */
  protected override willUpdate(changed: PropertyValues): void {
    if (!this.view) this.view = this.first_view
    // A screen that replaces its placeholder replaces the heading, and the focus would be lost.
    if (this.shadowRoot?.activeElement?.matches('h2')) this.#focuses = true
    if (!['for', 'getToken', 'tokenUrl', 'baseUrl'].some((name) => changed.has(name))) return
    this.#token?.stop()
    this.#token = this.#client = undefined
    this.#held.clear()
    this.#error = undefined
    this.forget()
  }

  /** Discards a subclass's state about the person. */
  protected forget(): void {}

  get language(): Language {
    const found = this.lang || (this.closest('[lang]') as HTMLElement | null)?.lang || document.documentElement.lang
    return found.toLowerCase().startsWith('es') ? 'es' : 'en'
  }

  get w(): Words {
    return this.words[this.language]
  }

  get f(): Format {
    return formatIn(this.language)
  }

  get #ob(): OpenBenefits {
    if (this.#client) return this.#client
    const { getToken, tokenUrl, baseUrl } = this
    const from = getToken ? () => getToken() : new URL(tokenUrl, location.href)
    this.#token = boundToken({ from, ...(this.for && { name: `${baseUrl} ${this.for}` }) })
    return (this.#client = new OpenBenefits({
      getToken: this.#token.getToken,
      baseUrl,
      maxRetries: 2,
      timeout: 20_000,
    }))
  }

  /** Returns loaded data, and starts the request on first use. */
  use<T>(key: string, load: (ob: OpenBenefits) => Promise<T>): T | undefined {
    let held = this.#held.get(key)
    if (!held) {
      held = { load, value: undefined, failed: false }
      this.#held.set(key, held)
      if (this.getToken || this.tokenUrl) void this.#read(held)
    }
    return held.value as T | undefined
  }

  /** Whether a request was already started. */
  protected holds(key: string): boolean {
    return this.#held.has(key)
  }

  /** Reloads data that may have changed. The old data stays visible until then. */
  refresh(...prefixes: string[]): Promise<void[]> {
    const outdated = [...this.#held].filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix)))
    return Promise.all(outdated.map(([, held]) => this.#read(held)))
  }

  async #read(held: Held): Promise<void> {
    try {
      held.value = await held.load(this.#ob)
      held.failed = false
      if (![...this.#held.values()].some(({ failed }) => failed)) this.#error = undefined
      if (!this.#was_ready) this.emit('ob-ready', {})
      this.#was_ready = true
    } catch (error) {
      held.failed = true
      this.reportError(error)
    }
    this.requestUpdate()
  }

  /** Retries all failed requests. After the session has ended, gets a new token first. */
  retry(): void {
    clearTimeout(this.#again)
    if (this.#error?.kind === 'ended') {
      this.#token?.stop()
      this.#token = this.#client = undefined
      const self = this.#held.get('self')
      if (self) self.failed = true
    }
    for (const held of this.#held.values()) if (held.failed) void this.#read(held)
  }

  /** Runs an action. Refusals are thrown as an ApiError. Connection, session and server failures are also reported. */
  async act<T>(action: (ob: OpenBenefits) => Promise<T>): Promise<T> {
    try {
      const done = await action(this.#ob)
      this.#error = undefined
      return done
    } catch (error) {
      if (!isRefusal(error)) this.reportError(error)
      throw error
    } finally {
      this.requestUpdate()
    }
  }

  /** Shows a failure, and reports it to the page once even if several requests fail with it. */
  protected reportError(error: unknown): void {
    const before = this.#error
    this.#error = classifyError(error)
    const { kind, code, trace_id } = this.#error
    clearTimeout(this.#again)
    if (kind === 'offline') this.#again = setTimeout(this.#tryAgain, retry_after_ms)
    if (kind !== before?.kind || trace_id !== before.trace_id) this.emit('ob-error', { code, trace_id })
  }

  emit(name: string, detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }))
  }

  /** Shows a view and moves the focus to its heading, unless the page cancels `ob-navigate`. */
  go(view: View): void {
    if (!this.emit('ob-navigate', { view })) return
    this.view = view
    this.#focuses = true
    // A view can have several screens.
    this.requestUpdate()
  }

  /** The token's details, including its organization. */
  get self() {
    return this.use('self', (ob) => ob.authentication.getToken())
  }

  /** The id of the employee or employer: the attribute `for`, or else the binding of the token. */
  protected get bound_id(): string | undefined {
    return this.for || this.self?.bound_entity?.id || undefined
  }

  /** Today, by the organization's clock. */
  get today(): Day | undefined {
    return this.self?.today
  }

  /** Applies the organization's accent color. */
  #wear(color: string | null | undefined): void {
    if (!color || color === this.#worn) return
    const [brand, root] = [brandStyles(color), this.shadowRoot!]
    this.#worn = color
    if (brand) root.adoptedStyleSheets = [...root.adoptedStyleSheets, brand]
  }

  protected override updated(): void {
    this.#wear(this.self?.organization?.accent_color)
    if (!this.#focuses) return
    const title = this.renderRoot.querySelector<HTMLElement>('h2')
    if (!title) return
    this.#focuses = false
    if (title !== this.shadowRoot!.activeElement) title.focus()
  }

  protected override render(): TemplateResult {
    return html`<div class="widget" part="widget" lang=${this.language}>
      <slot name="header"></slot>
      <div role="alert">${this.#error ? this.#drawError(this.#error) : nothing}</div>
      ${this.#drawn()}
      <slot name="help"></slot>
    </div>`
  }

  /**
   * Hides all content once the session has ended, but keeps it in the page so that entries survive signing in again.
   */
  #drawn(): TemplateResult | typeof nothing {
    const is_ended = this.#error?.kind === 'ended'
    if (is_ended && !this.#was_ready) return nothing
    return html`<div class="drawn" ?hidden=${is_ended}>${this.draw()}</div>`
  }

  #drawError({ kind, trace_id }: WidgetError): TemplateResult {
    const found = kind === 'failed' ? this.w.failed(trace_id) : this.w[kind]
    const button = html`<button class="plain" @click=${this.#tryAgain}>${this.w.try_again}</button>`
    return html`<p class="trouble" part="trouble">${found} ${button}</p>`
  }
}

/** Classifies an error. A refused token and any error of the page's own token function count as an ended session. */
function classifyError(error: unknown): WidgetError {
  if (error instanceof ConnectionError) return { kind: 'offline', code: 'offline', trace_id: '' }
  if (error instanceof ApiError) {
    const { status, code, trace_id } = error
    return { kind: status === 401 ? 'ended' : 'failed', code, trace_id }
  }
  const ends = error instanceof TokenRefusedError || !(error instanceof OpenBenefitsError)
  return { kind: ends ? 'ended' : 'failed', code: ends ? 'token_refused' : 'internal_error', trace_id: '' }
}

/** Whether the service refused an action. Connection, session and server failures are not refusals. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && error.status !== 401

/** A message of the service as a sentence: `Must be at least 1.` for `must be at least 1`. */
const sentence = (why: string): string => why.charAt(0).toUpperCase() + why.slice(1).replace(/[^.!?]$/, '$&.')

/** The error messages of a form by field, translated if a translation exists. */
export const faultsOf = (error: unknown, words: CommonWords): Record<string, string> => {
  if (!(error instanceof ApiError)) throw error
  const { fields, code } = error
  const known = refusalText(words, code) ?? words.refused.other
  const found = Object.entries(fields).map(([field, why]) => [field, refusalText(words, why) ?? known ?? sentence(why)])
  return found.length > 0 ? Object.fromEntries(found) : { '': known ?? error.message.replace(/^\w+: /, '') }
}

/** A widget for one employer, named by `for` or else by the token's binding. */
export abstract class EmployerWidget<Words extends CommonWords, View extends string> extends Widget<Words, View> {
  get employer_id(): EmployerId | undefined {
    return this.bound_id as EmployerId | undefined
  }

  get employer() {
    const { employer_id: id } = this
    return id ? this.use('employer', (ob) => ob.employers.get(id)) : undefined
  }
}

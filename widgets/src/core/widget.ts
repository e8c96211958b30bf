import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import {
  ApiError,
  boundToken,
  ConnectionError,
  OpenBenefits,
  OpenBenefitsError,
  TokenRefusedError,
  type BoundToken,
  type Day,
  type IssuedToken,
} from 'openbenefits'
import { brandSheet } from './brand.ts'
import type { CommonWords } from './common-words.ts'
import { formatIn, type Format, type Language } from './format.ts'
import { sheets } from './styles.ts'

/** What stands between a person and their data: no connection, no token any more, or a fault of the service. */
type Trouble = { kind: 'offline' | 'ended' | 'failed'; code: string; trace_id: string }

type Held = { load: (ob: OpenBenefits) => Promise<unknown>; value: unknown; failed: boolean }

/** Milliseconds after which a widget that is offline asks again by itself. */
const asks_again_after = 8000

/**
 * What is common to the widgets: their token, what they have read, which view they show, their language, and what they
 * say when something is wrong. A subclass draws.
 */
export abstract class Widget<Words extends CommonWords, View extends string> extends LitElement {
  static override styles = sheets
  static override properties: PropertyDeclarations = {
    baseUrl: { attribute: 'base-url' },
    tokenUrl: { attribute: 'token-url' },
    for: {},
    view: { reflect: true },
    getToken: { attribute: false },
  }

  /** Where the service is; unless said, from where the script came. */
  declare baseUrl: string
  /** The route of the page's own backend that issues tokens, by POST. */
  declare tokenUrl: string
  /** Instead of it: a function that gets a token from the page's own backend. */
  declare getToken: (() => Promise<IssuedToken>) | undefined
  /** For whom: `empl_…` or `empr_…`. Widgets and tabs with the same one share their token. */
  declare for: string
  /** Which view is shown: for deep links. */
  declare view: View

  #token: BoundToken | undefined
  #client: OpenBenefits | undefined
  readonly #held = new Map<string, Held>()
  #trouble: Trouble | undefined
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
    // Not `new URL('/', import.meta.url)`, which bundlers take for a file of theirs.
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

  /** Another person, or another way to their token: nothing of the one before is shown. */
  protected override willUpdate(changed: PropertyValues): void {
    if (!this.view) this.view = this.first_view
    if (!['for', 'getToken', 'tokenUrl', 'baseUrl'].some((name) => changed.has(name))) return
    this.#token?.stop()
    this.#token = this.#client = undefined
    this.#held.clear()
    this.#trouble = undefined
    this.forget()
  }

  /** Drops what a subclass keeps of the person. */
  protected forget(): void {}

  get language(): Language {
    const said = this.lang || (this.closest('[lang]') as HTMLElement | null)?.lang || document.documentElement.lang
    return said.toLowerCase().startsWith('es') ? 'es' : 'en'
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

  /** What was read, once it is there; asked for when it is first used. */
  use<T>(key: string, load: (ob: OpenBenefits) => Promise<T>): T | undefined {
    let held = this.#held.get(key)
    if (!held) {
      held = { load, value: undefined, failed: false }
      this.#held.set(key, held)
      if (this.getToken || this.tokenUrl) void this.#read(held)
    }
    return held.value as T | undefined
  }

  /** Whether something was asked for already. */
  protected holds(key: string): boolean {
    return this.#held.has(key)
  }

  /** Reads again what may have changed; until it is there, what was read before stays. */
  refresh(...prefixes: string[]): Promise<void[]> {
    const stale = [...this.#held].filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix)))
    return Promise.all(stale.map(([, held]) => this.#read(held)))
  }

  async #read(held: Held): Promise<void> {
    try {
      held.value = await held.load(this.#ob)
      held.failed = false
      if (![...this.#held.values()].some(({ failed }) => failed)) this.#trouble = undefined
      if (!this.#was_ready) this.emit('ob-ready', {})
      this.#was_ready = true
    } catch (error) {
      held.failed = true
      this.tellTrouble(error)
    }
    this.requestUpdate()
  }

  /** Asks again for all that could not be read; of who was signed out, first for a token. */
  retry(): void {
    clearTimeout(this.#again)
    if (this.#trouble?.kind === 'ended') {
      this.#token?.stop()
      this.#token = this.#client = undefined
      const self = this.#held.get('self')
      if (self) self.failed = true
    }
    for (const held of this.#held.values()) if (held.failed) void this.#read(held)
  }

  /** Does an action: what is refused is thrown as an ApiError, what stands in between is told as well. */
  async act<T>(action: (ob: OpenBenefits) => Promise<T>): Promise<T> {
    try {
      const done = await action(this.#ob)
      this.#trouble = undefined
      return done
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) this.tellTrouble(error)
      throw error
    } finally {
      this.requestUpdate()
    }
  }

  /** Says what stands in between; to the page once, however many questions it stands in the way of. */
  protected tellTrouble(error: unknown): void {
    const before = this.#trouble
    this.#trouble = troubleOf(error)
    const { kind, code, trace_id } = this.#trouble
    clearTimeout(this.#again)
    if (kind === 'offline') this.#again = setTimeout(this.#tryAgain, asks_again_after)
    if (kind !== before?.kind || trace_id !== before.trace_id) this.emit('ob-error', { code, trace_id })
  }

  emit(name: string, detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }))
  }

  /** Goes to a view, of which the heading is read out, unless the page has something else in mind. */
  go(view: View): void {
    if (!this.emit('ob-navigate', { view })) return
    this.view = view
    this.#focuses = true
  }

  /** What the token is, and of which organization. */
  get self() {
    return this.use('self', (ob) => ob.authentication.getToken())
  }

  /** The day it is for the organization. */
  get today(): Day | undefined {
    return this.self?.today
  }

  /** Stands in the color of the organization. */
  #wear(color: string | null | undefined): void {
    if (!color || color === this.#worn) return
    const [sheet, root] = [brandSheet(color), this.shadowRoot!]
    this.#worn = color
    if (sheet) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }

  protected override updated(): void {
    this.#wear(this.self?.organization?.accent_color)
    if (!this.#focuses) return
    this.#focuses = false
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus()
  }

  protected override render(): TemplateResult {
    return html`<div class="widget" part="widget" lang=${this.language}>
      <slot name="header"></slot>
      <div role="alert">${this.#trouble ? this.#telling(this.#trouble) : nothing}</div>
      ${this.#drawn()}
      <slot name="help"></slot>
    </div>`
  }

  /** Of who is signed out nothing is shown; what they typed stays for when they are back. */
  #drawn(): TemplateResult | typeof nothing {
    const is_ended = this.#trouble?.kind === 'ended'
    if (is_ended && !this.#was_ready) return nothing
    return html`<div class="drawn" ?hidden=${is_ended}>${this.draw()}</div>`
  }

  #telling({ kind, trace_id }: Trouble): TemplateResult {
    const said = kind === 'failed' ? this.w.failed(trace_id) : this.w[kind]
    const button = html`<button class="plain" @click=${this.#tryAgain}>${this.w.try_again}</button>`
    return html`<p class="trouble" part="trouble">${said} ${button}</p>`
  }
}

/** Who is refused a token is signed out; what is not ours to tell comes from the page's own function. */
function troubleOf(error: unknown): Trouble {
  if (error instanceof ConnectionError) return { kind: 'offline', code: 'offline', trace_id: '' }
  if (error instanceof ApiError) {
    const { status, code, trace_id } = error
    return { kind: status === 401 ? 'ended' : 'failed', code, trace_id }
  }
  const ends = error instanceof TokenRefusedError || !(error instanceof OpenBenefitsError)
  return { kind: ends ? 'ended' : 'failed', code: ends ? 'token_refused' : 'internal_error', trace_id: '' }
}

/** What was refused of a form, by its field: the service's own words, as far as a language has no others. */
export const faultsOf = (error: unknown, { refused }: CommonWords): Record<string, string> => {
  if (!(error instanceof ApiError)) throw error
  const { fields, code } = error
  const said = Object.entries(fields).map(([field, why]) => [field, refused[why] ?? refused[code] ?? why])
  return said.length > 0 ? Object.fromEntries(said) : { '': refused[code] ?? error.message.replace(/^\w+: /, '') }
}

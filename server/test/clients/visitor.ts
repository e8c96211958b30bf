/** The response of a page. */
export type VisitedPage = { status: number; url: string; text: string; headers: Headers }

/** A browser without a window. It keeps cookies for each host and follows redirects. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>()
  /** The visited addresses in order, including redirects. */
  readonly visited: string[] = []

  /** The cookies for an address, by name. */
  cookiesOf(url: string): Map<string, string> {
    const { host } = new URL(url)
    if (!this.#cookies.has(host)) this.#cookies.set(host, new Map())
    return this.#cookies.get(host)!
  }

  async visit(url: string, init: RequestInit = {}): Promise<VisitedPage> {
    this.visited.push(url)
    const cookies = this.cookiesOf(url)
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (!headers.has('accept')) headers.set('accept', 'text/html')
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const to = answer.headers.get('location')
    const text = await answer.text()
    if (to !== null && answer.status >= 300 && answer.status < 400) return this.visit(new URL(to, url).href)
    return { status: answer.status, url, text, headers: answer.headers }
  }

  /** Submits the form of the button with this text. */
  async press({ url, text }: VisitedPage, button: string): Promise<VisitedPage> {
    const forms = [...text.matchAll(/<form method="post" action="([^"]+)">\s*<button>([^]*?)<\/button>/g)]
    const action = forms.find(([, , label]) => label!.includes(button))?.[1]
    if (!action) throw new Error(`There is no button ${button} on ${url}: ${text}`)
    return this.visit(new URL(action, url).href, { method: 'POST', headers: { origin: new URL(url).origin } })
  }

  /** Follows the link with this text. */
  async follow({ url, text }: VisitedPage, link: string): Promise<VisitedPage> {
    const links = [...text.matchAll(/<a[^>]* href="([^"]+)">([^<]*)<\/a>/g)]
    const href = links.find(([, , label]) => label!.includes(link))?.[1]
    if (!href) throw new Error(`There is no link ${link} on ${url}: ${text}`)
    return this.visit(new URL(href.replaceAll('&amp;', '&'), url).href)
  }
}

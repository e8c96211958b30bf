import { afterAll, beforeAll } from 'vitest'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { buildPages } from '../../console/test/stage.ts'
import { openBrowser } from '../../server/test/clients/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { build } from '../tools/package.ts'
import { openHost, published, visit, type Host } from './stage.ts'

/** The widgets in a real browser, on a page of another origin with a strict content security policy. */
export function useWidgets() {
  const cors_origins: string[] = []
  const api = useApi({ with_story: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 }, cors_origins })
  const host = {} as Host
  const widgets = {
    api,
    /** The partner's page. */
    host,
    browser: undefined as unknown as Browser,
    /** The URL of the partner's page with a widget. */
    at: (widget: string, id: string, more = '') => `${host.url}/page?widget=${widget}&for=${id}${more}`,
    see: (url: string, more?: BrowserContextOptions) => visit(widgets.browser, api, url, more),
  }
  beforeAll(async () => {
    const [browser] = await Promise.all([openBrowser(), api.work(), buildPages(), build(published)])
    widgets.browser = browser
    await openHost(api, api.story.api_key, host)
    cors_origins.push(host.url)
  })
  afterAll(async () => {
    await widgets.browser?.close()
    await host.close?.()
  })
  return widgets
}

export type Widgets = ReturnType<typeof useWidgets>

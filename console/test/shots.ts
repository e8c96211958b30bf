import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBrowser } from '../../server/test/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { buildPages, pagesOfMember, pagesOfOperator, plantStage, settled, userCalled, visitAs } from './stage.ts'

/** Draws every page in both themes at three widths. SHOTS names those wanted: `SHOTS=person,book npm run shots`. */
const api = useApi({ rate_limit: { per_minute: 1e6, burst: 1e6 } })
const folder = join(import.meta.dirname, '../shots')
const widths = [360, 768, 1280]
const themes = ['light', 'dark'] as const

const wanted = process.env.SHOTS?.split(',')

it('draws every page', async () => {
  await buildPages()
  const story = await plantStage(api)
  if (!wanted) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const browser = await openBrowser()
  const whose: [string, Record<string, string>][] = [
    ['Maya Okafor', await pagesOfMember(api, story)],
    ['Tess Moreau', await pagesOfOperator(api, story)],
  ]
  const complaints: string[] = []
  for (const [name, pages] of whose) {
    const visit = await visitAs(browser, api, await userCalled(api, name))
    for (const [shot, path] of Object.entries(pages).filter(([shot]) => wanted?.includes(shot) ?? true)) {
      await visit.page.goto(`${api.url}/console${path}`)
      for (const width of widths) {
        await visit.page.setViewportSize({ width, height: width === 360 ? 740 : 800 })
        for (const colorScheme of themes) {
          await visit.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await visit.page.waitForLoadState('networkidle')
          await settled(visit.page)
          await visit.page.evaluate('document.fonts.ready.then(() => undefined)')
          await visit.page.screenshot({ path: join(folder, `${shot}-${width}-${colorScheme}.png`), fullPage: true })
        }
      }
    }
    complaints.push(...visit.complaints)
    await visit.close()
  }
  await browser.close()
  expect(complaints).toEqual([])
})

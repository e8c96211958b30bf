import { afterAll, beforeAll, expect } from 'vitest'
import { openBrowser } from '../../server/test/clients/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { buildPages, userCalled, visitAs, type Scene } from './stage.ts'

/**
 * The service with the data of the sandbox, a browser, and Maya at the console, for the journeys of one file. Journeys
 * use the console by keyboard only, in a real browser against the real service.
 */
export function useScene(): Scene {
  const api = useApi({ with_story: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 } })
  const scene = { api } as Scene
  beforeAll(async () => {
    ;[scene.browser] = await Promise.all([openBrowser(), api.work(), buildPages()])
    scene.maya = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
  })
  afterAll(async () => {
    await scene.browser?.close()
    expect(scene.maya?.complaints, 'errors of the browser during the journeys of Maya').toEqual([])
  })
  return scene
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The maximum size of a picture in the README, in bytes. */
const max_bytes = 60_000

/** Encodes a picture as WebP in the browser, because the tests have no other encoder. `quality` is from 0 to 1. */
async function asWebp(page: Page, png: Buffer, quality: number): Promise<Buffer> {
  const encode = `(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext('2d').drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${quality} })
    return Array.from(new Uint8Array(await blob.arrayBuffer()))
  })()`
  return Buffer.from(await page.evaluate<number[]>(encode))
}

/** Draws a page in both themes into docs/pictures. `settled` waits until the page has loaded. */
export async function drawReadmePicture(page: Page, name: string, settled: (page: Page) => Promise<void>) {
  const encoder = await page.context().newPage()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForLoadState('networkidle')
    await settled(page)
    const png = await page.screenshot()
    const good = await asWebp(encoder, png, 0.8)
    const picture = good.length <= max_bytes ? good : await asWebp(encoder, png, 0.65)
    expect(picture.length).toBeLessThanOrEqual(max_bytes)
    writeFileSync(join(import.meta.dirname, `../../docs/pictures/${name}-${colorScheme}.webp`), picture)
  }
  await encoder.close()
}

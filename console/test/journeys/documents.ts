import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { first, sure } from '../../../server/test/pick.ts'
import { settled, tooWideAt, turnTo, userCalled, visitAs, type Scene } from '../stage.ts'

const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%EOF\n') })

/** Journeys through the library of documents. */
export function documentsAtWork(scene: Scene): void {
  const { api } = scene
  const key = () => api.story.api_key

  it.each([1440, 390])(
    'shares a document, replaces it, shows who opened it, and withdraws it, at a width of %s px',
    async (width) => {
      const employer_id = sure((await api.get('/v1/employers?search=Granite', { key: key() })).body.data[0]).id
      const viewport = { width, height: 844 }
      const maya = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'), { viewport })
      const { page } = maya
      const calm = async (name: string) => {
        await settled(page)
        expect(await accessibilityViolations(page), name).toEqual([])
        expect(await tooWideAt(page), name).toEqual([])
        await scene.draw?.(page, `${name}-${width}`)
      }
      const title = `Benefits guide ${width}`
      await turnTo(page, `/employers/${employer_id}/documents`)
      await page.getByRole('link', { name: 'Add document' }).press('Enter')
      await page.getByLabel('Title').fill(title)
      await page.getByLabel('Kind').selectOption('Guide')
      await page.getByRole('button', { name: 'Add document' }).press('Enter')
      await page.getByRole('alert').getByText('is required').waitFor()
      await page.getByLabel('File').setInputFiles({ ...pdf('page.pdf'), buffer: Buffer.from('<script>') })
      await page.getByRole('button', { name: 'Add document' }).press('Enter')
      await page.getByRole('alert').getByText('must be a PDF').waitFor()
      await page.getByLabel('File').setInputFiles(pdf('guide.pdf'))
      await calm('document-form')
      await page.getByRole('button', { name: 'Add document' }).press('Enter')
      await page.getByRole('link', { name: title }).press('Enter')
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      const id = page.url().split('/').at(-1) as `doc_${string}`

      await page.getByRole('button', { name: 'New version' }).press('Enter')
      await page.getByLabel('File').setInputFiles(pdf('guide-2.pdf'))
      await page.getByRole('button', { name: 'Upload version' }).press('Enter')
      await page.getByRole('link', { name: `2: ${title}` }).waitFor()
      await expect.poll(() => page.url().endsWith(id)).toBe(false)
      const second = page.url().split('/').at(-1) as `doc_${string}`
      expect((await api.get(`/v1/documents/${id}`, { key: key() })).body.data.status).toBe('replaced')

      const employees = (await api.get(`/v1/employers/${employer_id}/employees`, { key: key() })).body.data
      const opened = await api.post(`/v1/employees/${first(employees).id}/documents/${second}/open`, {}, { key: key() })
      expect(opened.status, opened.text).toBe(200)
      await page.reload()
      await page
        .getByRole('table', { name: 'Receipts' })
        .getByText('Your systems')
        .or(page.getByText('Opened by: 1'))
        .first()
        .waitFor()
      await calm('document')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download' }).press('Enter')
      expect((await download).suggestedFilename()).toBe(`Benefits_guide_${width}.pdf`)

      await page.getByRole('button', { name: 'Withdraw' }).press('Enter')
      await page.getByRole('group', { name: 'Withdraw' }).getByRole('button', { name: 'Withdraw' }).press('Enter')
      await page.getByRole('heading', { level: 1 }).locator('..').getByText('Withdrawn').waitFor()
      expect((await api.get(`/v1/documents/${second}`, { key: key() })).body.data.status).toBe('withdrawn')
      expect(maya.complaints).toEqual([])
      await maya.close()
    },
  )
}

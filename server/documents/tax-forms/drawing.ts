/** The parts that the tax forms share: boxes with labels, bars of parts and the footer. */
import type { Write } from '../pdf-pages.ts'
import { lineOf, type Pen, type Style } from '../text.ts'

/** A person or employer of Part I. */
export type FormParty = { name: string; number: string; address: string; city: string; state: string; zipcode: string }

/** US Letter in landscape, as the form of the IRS. */
export const landscape = { width: 792, height: 612, margin: 36 }
export const inner = landscape.width - 2 * landscape.margin

const ink = '#000000'
export const styles = {
  label: { weight: 'regular', size: 6.5, color: ink },
  value: { weight: 'regular', size: 9, color: ink },
  small: { weight: 'regular', size: 7.5, color: ink },
  strong: { weight: 'bold', size: 8.5, color: ink },
  form: { weight: 'bold', size: 20, color: ink },
  title: { weight: 'bold', size: 13, color: ink },
} satisfies Record<string, Style>

export const month_names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'June', 'July', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

/** The characters of labels, so that their fonts can be loaded: printable ASCII, dashes and the ellipsis. */
export const latin = `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')}–—…`

/** A page that is being drawn. */
export type Drawing = { pen: Pen; write: Write }

/** Draws the outline of a box, which screen readers skip. */
export function outline({ pen: { doc } }: Drawing, x: number, y: number, width: number, height: number): void {
  doc.markContent('Artifact', { type: 'Layout' })
  doc.lineWidth(0.5).strokeColor(ink).rect(x, y, width, height).stroke()
  doc.endMarkedContent()
}

/** Draws a box with a label above its value. A value that is too long for one line is smaller, or has two lines. */
export function field(
  on: Drawing,
  label: string,
  value: string,
  x: number,
  y: number,
  width: number,
  height = 26,
): void {
  outline(on, x, y, width, height)
  on.write('P', label, styles.label, { x: x + 3, y: y + 8, width: width - 6 }, 1)
  if (!value) return
  const box = { x: x + 3, y: y + height - 5, width: width - 6 }
  const fitting = [styles.value, styles.small, styles.label].find(
    (style) => lineOf(on.pen, value, style).width <= box.width,
  )
  if (fitting) on.write('P', value, fitting, box, 1)
  else on.write('P', value, styles.label, { ...box, y: box.y - 5 }, 2)
}

/** Draws the title bar of a part, and returns where its content begins. */
export function drawPartTitle(on: Drawing, part: string, title: string, y: number): number {
  outline(on, landscape.margin, y, inner, 15)
  on.write('H2', `${part}   ${title}`, styles.strong, { x: landscape.margin + 4, y: y + 11, width: inner - 8 }, 1)
  return y + 15
}

/** Draws the footer of a page with the name of the form. */
export function drawFoot(on: Drawing, form: string, tax_year: number): void {
  const y = landscape.height - 28
  const notice = 'For Privacy Act and Paperwork Reduction Act Notice, see separate instructions.'
  on.write('P', notice, styles.label, { x: landscape.margin, y, width: 400 }, 1)
  const name = `Form ${form} (${tax_year})`
  const { width } = lineOf(on.pen, name, styles.small)
  on.write('P', name, styles.small, { x: landscape.width - landscape.margin - width, y, width: 90 }, 1)
}

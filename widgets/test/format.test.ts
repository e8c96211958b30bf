import { expect, it } from 'vitest'
import { formatIn } from '../src/core/format.ts'

const spanish = formatIn('es')

it('writes months in full in Spanish, as sentences need', () => {
  expect(spanish.month('2026-03')).toBe('marzo de 2026')
  expect(spanish.day('2026-03-09').replaceAll('\u00a0', ' ')).toBe('9 de marzo de 2026')
})

import { expect, it } from 'vitest'
import { containsName } from '../src/employee/election/signed-name.ts'

it.each([
  ['ana maria costa', 'Ana Costa', true],
  ['Costa, Ana', 'Ana Costa', true],
  ['Jose Nunez', 'José Núñez', true],
  ['Anne Marie OHara', 'Anne-Marie O’Hara', true],
  ['Anne‑Marie O’Hara', "Anne Marie O'Hara", true],
  ['Ana Cost', 'Ana Costa', false],
  ['Anabel Costa', 'Ana Costa', false],
  ['Costa', 'Ana Costa', false],
])('the signature %s contains the name %s: %s', (signature, name, contains) =>
  expect(containsName(signature, name)).toBe(contains),
)

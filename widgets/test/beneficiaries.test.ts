import { expect, it } from 'vitest'

/** Imports a file of the widgets without its types, because the tests have no types of the DOM. */
const source = (path: string) => import(`../src/${path}.ts`)

it('loads the dependents before the form of a beneficiary, which would otherwise lose a typed name', async () => {
  const { loadingPlaceholder } = await source('core/parts')
  const { beneficiaries } = await source('employee/beneficiaries')
  const { en } = await source('employee/words-en')
  const host = { w: { ...en, loading: 'Loading' }, beneficiaries: [], dependents: undefined }
  expect(beneficiaries(host)).toEqual(loadingPlaceholder('Loading'))
})

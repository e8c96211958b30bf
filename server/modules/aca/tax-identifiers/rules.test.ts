import { describe, expect, it } from 'vitest'
import { openSecrets, newSecretKeys } from '../../../security/secrets.ts'
import { digitsOf, isAssignable, purposeOf } from './rules.ts'

describe('a tax identifier', () => {
  it.each([
    ['219-09-9999', '219099999'],
    ['219099999', '219099999'],
    ['219-099999', undefined],
    ['219 09 9999', undefined],
    ['21909999', undefined],
    ['2190999990', undefined],
    ['XXX-XX-9999', undefined],
  ])('%s has the digits %s', (text, digits) => expect(digitsOf(text)).toBe(digits))

  it.each([
    ['219099999', true],
    ['900501234', true],
    ['999881234', true],
    ['900661234', false],
    ['900931234', false],
    ['000123456', false],
    ['666123456', false],
    ['123006789', false],
    ['123450000', false],
  ])('%s is assignable: %s', (digits, is_assignable) => expect(isAssignable(digits)).toBe(is_assignable))

  it('is encrypted with a key of its own, so that the value of one person is useless for another', () => {
    const secrets = openSecrets(newSecretKeys())
    const sealed = secrets.encryptFor(purposeOf('mbr_1'), '219099999')
    expect(secrets.decryptFor(purposeOf('mbr_1'), sealed)).toBe('219099999')
    expect(() => secrets.decryptFor(purposeOf('mbr_2'), sealed)).toThrow(/authenticate/)
    expect(() => secrets.decrypt(sealed)).toThrow(/authenticate/)
  })
})

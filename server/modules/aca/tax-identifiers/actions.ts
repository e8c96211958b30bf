import type { Ctx } from '../../../runtime/ctx.ts'
import { reEncryptionOf } from '../../../security/re-encryption.ts'
import { deriveFormsOf } from '../forms/derive-actions.ts'
import { saveTaxIdentifier, type PersonKey } from './queries.ts'
import { digitsOf, purposeOf } from './rules.ts'

/**
 * Stores the tax identifier of a person, encrypted with a key of its own, and derives the forms that show it again.
 * Replaces an earlier one.
 */
export async function storeTaxIdentifier(ctx: Ctx, key: PersonKey, tax_identifier: string): Promise<void> {
  const digits = digitsOf(tax_identifier)!
  const sealed = ctx.secrets.encryptFor(purposeOf(key.person_id), digits)
  await saveTaxIdentifier(ctx, { ...key, sealed, last_four: digits.slice(-4) })
  await deriveFormsOf(ctx, key)
}

/** Re-encrypts the tax identifiers of an organization with the current key. */
export const reEncryptTaxIdentifiers = reEncryptionOf({
  table: 'tax_identifiers',
  key: ['person_id'],
  sealed: ['sealed'],
  again(secrets, value, { person_id }) {
    const purpose = purposeOf(person_id!)
    return secrets.encryptFor(purpose, secrets.decryptFor(purpose, value))
  },
})

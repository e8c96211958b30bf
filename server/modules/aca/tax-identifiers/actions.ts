import type { Ctx } from '../../../runtime/ctx.ts'
import type { ReEncryption } from '../../../security/re-encrypt.ts'
import { deriveFormsOf } from '../forms/derive-actions.ts'
import { listOutdatedIdentifiers, saveSealedIdentifiers, saveTaxIdentifier, type PersonKey } from './queries.ts'
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
export const reEncryptTaxIdentifiers: ReEncryption = async (scope, organization_id, { most }) => {
  const { secrets } = scope
  const outdated = await listOutdatedIdentifiers(scope, { organization_id, mark: secrets.mark(), most })
  const fresh = outdated.map(({ person_id, sealed }) => {
    const purpose = purposeOf(person_id)
    return { person_id, sealed: secrets.encryptFor(purpose, secrets.decryptFor(purpose, sealed)) }
  })
  await saveSealedIdentifiers(scope, organization_id, fresh)
  return outdated.length === most ? '' : null
}

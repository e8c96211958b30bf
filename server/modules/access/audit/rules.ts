import { createHash, createHmac } from 'node:crypto'
import { checksOf, linkOf, sealOf, type AuditBatch } from '../../../http/audit/audit.ts'

/** The length and last hash of a chain, as recorded in the database. */
export type Chain = { organization_id: string; shard: number; batch_count: number; last_hash: Buffer }

/** A stored batch. `is_after_end`: the batch was beyond the recorded end of its chain when it was read. */
export type StoredBatch = AuditBatch & { number: number; hash: Buffer; is_after_end: boolean }

export type Seal = { day: string; chain_count: number; batch_count: number; digest: Buffer; seal: Buffer }

/** One difference between the audit log and what was written, as a sentence. */
export type AuditFault = string

const nameOf = ({ organization_id, shard }: { organization_id: string; shard: number }) =>
  `${organization_id || 'no organization'}/${shard}`

const base32 = '0123456789abcdefghjkmnpqrstvwxyz'

/** The id of an entry of a batch, by its position from 0. Must match `audit_entry_id` in the database. */
export const entryId = ({ id }: { id: string }, at: number): string =>
  id.slice(0, -3) + base32[at >> 10] + base32[(at >> 5) & 31] + base32[at & 31]

/** The digest of all chain ends of a day. */
export function digestOf(chains: Chain[]): Pick<Seal, 'chain_count' | 'batch_count' | 'digest'> {
  const lines = chains.map(
    ({ organization_id, shard, batch_count, last_hash }) =>
      `${organization_id} ${shard} ${batch_count} ${last_hash.toString('hex')}\n`,
  )
  return {
    chain_count: chains.length,
    batch_count: chains.reduce((sum, { batch_count }) => sum + batch_count, 0),
    digest: createHash('sha256').update(lines.sort().join('')).digest(),
  }
}

/** The seal of a day, chained to the previous seal. */
export const sealOfDay = (
  key: Buffer,
  { day, chain_count, batch_count, digest }: Omit<Seal, 'seal'>,
  former?: Buffer,
): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([day, chain_count, batch_count, digest.toString('hex'), former?.toString('hex') ?? null]))
    .digest()

/** Describes which entries of a batch differ from what was written. */
function namesOfChanged(batch: StoredBatch): string {
  const checks = checksOf(batch)
  const lost = batch.checks.length - checks.length
  const positions = batch.checks.flatMap((check, index) => (check === checks[index] ? [] : [index]))
  const first = entryId(batch, positions[0] ?? 0)
  if (lost > 0) return `${lost} of its entries ${lost === 1 ? 'was' : 'were'} removed at or after ${first}`
  const last = entryId(batch, positions[0] ?? batch.checks.length)
  if (lost < 0) return `${-lost} of its entries ${lost === -1 ? 'was' : 'were'} inserted at or before ${last}`
  if (positions.length === 0) return 'no single entry is identifiable, so the whole batch was changed or inserted'
  return `changed: ${positions.map((at) => entryId(batch, at)).join(', ')}`
}

/** Verifies the chains of a day, batch by batch, and reports each batch that differs from what was written. */
export class DayReader {
  readonly #key: Buffer
  readonly #day: string
  readonly #chains: Map<string, Chain>
  #at: { name: string; number: number; last?: StoredBatch; formers: Buffer[] } | undefined
  entries = 0

  constructor(key: Buffer, day: string, chains: Chain[]) {
    this.#key = key
    this.#day = day
    this.#chains = new Map(chains.map((chain) => [nameOf(chain), chain]))
  }

  #faultOf(name: string, description: string): AuditFault {
    return `${this.#day} ${name}: ${description}`
  }

  /** Checks the next batch. The batches of a chain must be read together and in order. */
  read(batch: StoredBatch): AuditFault[] {
    const name = nameOf(batch)
    const faults = this.#at?.name === name ? [] : this.#endChain()
    this.#at ??= { name, number: 0, formers: [Buffer.alloc(0)] }
    const at = this.#at
    const chain = this.#chains.get(name)
    if (!chain || batch.number > chain.batch_count) {
      // Written after the chains were read.
      if (!batch.is_after_end) return faults
      const entries = batch.operations.map((_, position) => entryId(batch, position)).join(', ')
      return [
        ...faults,
        this.#faultOf(name, `batch ${batch.number} was inserted after the end of its chain: ${entries}`),
      ]
    }
    this.entries += batch.operations.length
    if (batch.number > at.number + 1) faults.push(this.#faultOfGap(at.number + 1, batch.number - 1, batch))
    faults.push(...this.#judge(batch, batch.number === at.number + 1 ? at.formers : []))
    return faults
  }

  /** Checks a batch against the possible hashes of its predecessor. After a gap, that hash is unknown. */
  #judge(batch: StoredBatch, formers: Buffer[]): AuditFault[] {
    const seal = sealOf(this.#key, this.#day, batch)
    const hashes = batch.number === 1 ? [seal] : formers.map((former) => linkOf(this.#key, former, batch.number, seal))
    const is_right = hashes.some((hash) => hash.equals(batch.hash))
    const checks = checksOf(batch)
    const is_unexplained = hashes.length === 0 && checks.join() === batch.checks.join()
    // If the hash or the entries of this batch were changed, the next batch is still chained to the original hash, so
    // it may match any of these.
    Object.assign(this.#at!, { number: batch.number, last: batch, formers: [batch.hash, ...hashes] })
    if (is_right || is_unexplained) return []
    return [
      this.#faultOf(
        nameOf(batch),
        `batch ${batch.number} (${batch.id}) is not what was written: ${namesOfChanged(batch)}`,
      ),
    ]
  }

  #faultOfGap(from: number, to: number, next: StoredBatch | undefined): AuditFault {
    const { name, last } = this.#at!
    const gap_text = from === to ? `batch ${from} was` : `batches ${from} to ${to} were`
    const end_text = last
      ? `after ${entryId(last, last.operations.length - 1)} of ${last.occurred_at.at(-1)}`
      : 'at the beginning'
    const before = next ? `before ${entryId(next, 0)} of ${next.occurred_at[0]}` : 'at the end'
    return this.#faultOf(name, `${gap_text} removed, ${end_text} and ${before}`)
  }

  #endChain(): AuditFault[] {
    const at = this.#at
    this.#at = undefined
    if (!at) return []
    const chain = this.#chains.get(at.name)
    this.#chains.delete(at.name)
    if (!chain) return []
    this.#at = at
    const gone = chain.batch_count > at.number ? [this.#faultOfGap(at.number + 1, chain.batch_count, undefined)] : []
    this.#at = undefined
    const ends_otherwise = gone.length === 0 && !at.formers.some((hash) => hash.equals(chain.last_hash))
    return ends_otherwise ? [this.#faultOf(at.name, 'the last hash of the chain differs from the recorded one')] : gone
  }

  /** Ends the verification. Reports recorded chains without any batches. */
  end(): AuditFault[] {
    const faults = this.#endChain()
    const empty = [...this.#chains.keys()].map((name) =>
      this.#faultOf(name, `all ${this.#chains.get(name)!.batch_count} batches of the chain were removed`),
    )
    return [...faults, ...empty]
  }
}

/** Reports faults in the seals, which must be complete and in order. `chains` holds the chains of the verified days. */
export function faultsInSeals(
  keyOf: (day: string) => Buffer,
  seals: Seal[],
  chains: ReadonlyMap<string, Chain[]>,
): AuditFault[] {
  return seals.flatMap((seal, index) => {
    const expected = sealOfDay(keyOf(seal.day), seal, seals[index - 1]?.seal)
    const broken = expected.equals(seal.seal)
      ? []
      : [`${seal.day}: the seal was not made with our key, or the previous seal is missing`]
    const stored_chains = chains.get(seal.day)
    const is_same = !stored_chains || digestOf(stored_chains).digest.equals(seal.digest)
    return is_same
      ? broken
      : [...broken, `${seal.day}: chains were removed, inserted or changed after the day was sealed`]
  })
}

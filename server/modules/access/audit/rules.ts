import { createHash, createHmac } from 'node:crypto'
import { checksOf, linkOf, sealOf, type Sheet } from '../../../http/audit/audit.ts'

/** Where a chain of a day ends, as the database has it. */
export type Chain = { organization_id: string; strand: number; sheets: number; last_hash: Buffer }

/** A sheet as the database has it; `is_behind_end`: of its chain, as that ended when the sheet was read. */
export type StoredSheet = Sheet & { number: number; hash: Buffer; is_behind_end: boolean }

/** A day that was over. */
export type Seal = { day: string; chains: number; sheets: number; digest: Buffer; seal: Buffer }

/** What is not as it was written, as a sentence. */
export type TrailFault = string

const nameOf = ({ organization_id, strand }: { organization_id: string; strand: number }) =>
  `${organization_id || 'no organization'}/${strand}`

const base32 = '0123456789abcdefghjkmnpqrstvwxyz'

/** The id of an entry of a sheet, by its place from 0, as `audit_entry_id` of the database makes it. */
export const entryId = ({ id }: { id: string }, at: number): string =>
  id.slice(0, -3) + base32[at >> 10] + base32[(at >> 5) & 31] + base32[at & 31]

/** What sums up where the chains of a day end. */
export function digestOf(chains: Chain[]): Pick<Seal, 'chains' | 'sheets' | 'digest'> {
  const lines = chains.map(
    ({ organization_id, strand, sheets, last_hash }) =>
      `${organization_id} ${strand} ${sheets} ${last_hash.toString('hex')}\n`,
  )
  return {
    chains: chains.length,
    sheets: chains.reduce((sum, { sheets }) => sum + sheets, 0),
    digest: createHash('sha256').update(lines.sort().join('')).digest(),
  }
}

/** The seal on a day, behind the one before it. */
export const sealOfDay = (key: Buffer, { day, chains, sheets, digest }: Omit<Seal, 'seal'>, former?: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([day, chains, sheets, digest.toString('hex'), former?.toString('hex') ?? null]))
    .digest()

/** Which entries of a sheet are others than were written there. */
function namesOfChanged(sheet: StoredSheet): string {
  const checks = checksOf(sheet)
  const lost = sheet.checks.length - checks.length
  const places = sheet.checks.flatMap((check, at) => (check === checks[at] ? [] : [at]))
  const first = entryId(sheet, places[0] ?? 0)
  if (lost > 0) return `${lost} of its entries ${lost === 1 ? 'was' : 'were'} removed, at ${first} or behind it`
  const last = entryId(sheet, places[0] ?? sheet.checks.length)
  if (lost < 0) return `${-lost} of its entries ${lost === -1 ? 'was' : 'were'} put in, at ${last} or before it`
  if (places.length === 0) return 'no single entry tells where: it was changed as a whole, or put in'
  return `changed: ${places.map((at) => entryId(sheet, at)).join(', ')}`
}

/** Reads the chains of a day, sheet by sheet, and tells of each that is not what stood there. */
export class DayReader {
  readonly #key: Buffer
  readonly #day: string
  readonly #chains: Map<string, Chain>
  #at: { name: string; number: number; last?: StoredSheet; formers: Buffer[] } | undefined
  entries = 0

  constructor(key: Buffer, day: string, chains: Chain[]) {
    this.#key = key
    this.#day = day
    this.#chains = new Map(chains.map((chain) => [nameOf(chain), chain]))
  }

  #say(name: string, what: string): TrailFault {
    return `${this.#day} ${name}: ${what}`
  }

  /** The next sheet: those of a chain come together and in order. */
  read(sheet: StoredSheet): TrailFault[] {
    const name = nameOf(sheet)
    const faults = this.#at?.name === name ? [] : this.#endChain()
    this.#at ??= { name, number: 0, formers: [Buffer.alloc(0)] }
    const at = this.#at
    const chain = this.#chains.get(name)
    if (!chain || sheet.number > chain.sheets) {
      // Written since the chains were read.
      if (!sheet.is_behind_end) return faults
      const entries = sheet.operations.map((_, place) => entryId(sheet, place)).join(', ')
      return [...faults, this.#say(name, `sheet ${sheet.number} was put in behind the end of its chain: ${entries}`)]
    }
    this.entries += sheet.operations.length
    if (sheet.number > at.number + 1) faults.push(this.#tellGap(at.number + 1, sheet.number - 1, sheet))
    faults.push(...this.#judge(sheet, sheet.number === at.number + 1 ? at.formers : []))
    return faults
  }

  /** A sheet, which stands behind one that ended in one of these hashes; behind a gap nobody knows in which. */
  #judge(sheet: StoredSheet, formers: Buffer[]): TrailFault[] {
    const seal = sealOf(this.#key, this.#day, sheet)
    const hashes = sheet.number === 1 ? [seal] : formers.map((former) => linkOf(this.#key, former, sheet.number, seal))
    const is_right = hashes.some((hash) => hash.equals(sheet.hash))
    const checks = checksOf(sheet)
    const is_untold = hashes.length === 0 && checks.join() === sheet.checks.join()
    // Of a sheet whose hash was changed, and of one whose entries were, the next one stands behind what was there.
    Object.assign(this.#at!, { number: sheet.number, last: sheet, formers: [sheet.hash, ...hashes] })
    if (is_right || is_untold) return []
    return [
      this.#say(nameOf(sheet), `sheet ${sheet.number} (${sheet.id}) is not what was written: ${namesOfChanged(sheet)}`),
    ]
  }

  #tellGap(from: number, to: number, next: StoredSheet | undefined): TrailFault {
    const { name, last } = this.#at!
    const which = from === to ? `sheet ${from} was` : `sheets ${from} to ${to} were`
    const behind = last
      ? `behind ${entryId(last, last.operations.length - 1)} of ${last.occurred_at.at(-1)}`
      : 'at the beginning'
    const before = next ? `before ${entryId(next, 0)} of ${next.occurred_at[0]}` : 'at the end'
    return this.#say(name, `${which} removed, ${behind} and ${before}`)
  }

  #endChain(): TrailFault[] {
    const at = this.#at
    this.#at = undefined
    if (!at) return []
    const chain = this.#chains.get(at.name)
    this.#chains.delete(at.name)
    if (!chain) return []
    this.#at = at
    const gone = chain.sheets > at.number ? [this.#tellGap(at.number + 1, chain.sheets, undefined)] : []
    this.#at = undefined
    const ends_otherwise = gone.length === 0 && !at.formers.some((hash) => hash.equals(chain.last_hash))
    return ends_otherwise ? [this.#say(at.name, 'the chain ends otherwise than was noted')] : gone
  }

  /** After the last sheet: of the chains that have none. */
  end(): TrailFault[] {
    const faults = this.#endChain()
    const empty = [...this.#chains.keys()].map((name) =>
      this.#say(name, `all ${this.#chains.get(name)!.sheets} sheets of the chain were removed`),
    )
    return [...faults, ...empty]
  }
}

/** What is wrong with the seals, all of them in order; `chains`: those of the days that were read. */
export function faultsInSeals(
  keyOf: (day: string) => Buffer,
  seals: Seal[],
  chains: ReadonlyMap<string, Chain[]>,
): TrailFault[] {
  return seals.flatMap((seal, at) => {
    const expected = sealOfDay(keyOf(seal.day), seal, seals[at - 1]?.seal)
    const broken = expected.equals(seal.seal) ? [] : [`${seal.day}: the seal is not ours, or the one before it is gone`]
    const theirs = chains.get(seal.day)
    const is_same = !theirs || digestOf(theirs).digest.equals(seal.digest)
    return is_same
      ? broken
      : [...broken, `${seal.day}: chains were removed, put in or changed after the day was sealed`]
  })
}

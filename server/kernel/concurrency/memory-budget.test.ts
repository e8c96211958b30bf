import { expect, it } from 'vitest'
import { MemoryBudget } from '../../http/body/body-bytes.ts'

it('limits the reserved bytes, and releases them when the work ends', async () => {
  const budget = new MemoryBudget(10)
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = (...bytes: number[]) =>
    budget.run(async (take) => {
      bytes.forEach(take)
      await promise
    })
  const held = [hold(1, 3), hold(5)]
  await expect(hold(1, 1)).rejects.toMatchObject({ kind: { status: 503 }, headers: { 'retry-after': '2' } })
  held.push(hold(1))
  resolve()
  await Promise.all(held)
  await hold(10)
})

import { expect, it } from 'vitest'
import { MemoryBudget } from './memory-budget.ts'

it('has so many bytes, and has them again when the work is done, however it ended', async () => {
  const room = new MemoryBudget(10)
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = (...bytes: number[]) =>
    room.run(async (take) => {
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

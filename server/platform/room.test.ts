import { expect, it } from 'vitest'
import { Room } from './room.ts'

it('has so many bytes for one and for all, and has them again when the work is done, however it ended', async () => {
  const room = new Room({ in_all: 10, of_one: 6 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold = (key: string, bytes: number) =>
    room.run(key, async (take) => {
      take(bytes)
      await promise
    })
  const held = [hold('a', 4), hold('a', 2), hold('b', 3)]
  const full = { kind: { status: 503 }, headers: { 'retry-after': '2' } }
  await expect(hold('a', 1)).rejects.toMatchObject(full)
  await expect(hold('c', 2)).rejects.toMatchObject(full)
  held.push(hold('c', 1))
  resolve()
  await Promise.all(held)
  await hold('c', 6)
  const failing = room.run('c', async (take) => {
    take(6)
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  await hold('c', 6)
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ReadBatcher } from './read-batcher.ts'
import type { BatchedQuery } from './batched-query.ts'

const form: BatchedQuery = { text: 'together', own: [0], common: [1], most: 3 }

/** A batcher whose statements end when the test ends them. `sent` lists the values of each statement. */
function openBatcher(of: BatchedQuery = form) {
  const sent: unknown[][] = []
  const ends: { answer: () => void; fail: (error: Error) => void }[] = []
  const batcher = new ReadBatcher({
    max_running: 2,
    max_waiting_per_key: 5,
    timeout_ms: 1000,
    async query(_owner, _statement, take) {
      const taken = take()
      if (!taken) return undefined
      const { values = [] } = taken.query
      const own = taken.count === 1 ? [values[0]] : (values[0] as unknown[])
      sent.push(own)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      ends.push({ answer: resolve, fail: reject })
      await promise
      if (taken.count === 1) return { rows: [{ name: own[0] }], fields: [] }
      return { rows: own.map((name, at) => ({ number: at + 1, name })), fields: [] }
    },
  })
  const query = async (name: string, common = 'x', tenant = 'somebody') => {
    const query = { text: 'alone', scope: 'org_1', values: [name, common] }
    const answer = await batcher.run(tenant, 's1', query, of)
    return answer?.rows.map((row) => row.name)
  }
  return { sent, ends, query }
}

/** Waits until the turn of the event loop has ended and its promise callbacks have run. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
}

describe('reads of one kind', () => {
  it('are batched if they arrive together, up to the maximum, and each gets its own result', async () => {
    const { sent, ends, query } = openBatcher()
    const answers = Promise.all(['a', 'b', 'c', 'd'].map((name) => query(name)))
    await turn()
    expect(sent).toEqual([['a', 'b', 'c'], ['d']])
    for (const { answer } of ends) answer()
    expect(await answers).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  it('run immediately while few are in progress, and are batched from then on', async () => {
    const { sent, ends, query } = openBatcher()
    const answers = []
    for (const name of ['a', 'b', 'c', 'd']) {
      answers.push(query(name))
      await turn()
    }
    expect(sent).toEqual([['a'], ['b']])
    ends[0]!.answer()
    await turn()
    expect(sent).toEqual([['a'], ['b'], ['c', 'd']])
    for (const { answer } of ends) answer()
    expect(await Promise.all(answers)).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  it('count by their number of rows, and a read of the maximum runs alone', async () => {
    const { sent, ends, query } = openBatcher({ text: 'together', own: [0], common: [1], most: 3, rows_at: 0 })
    const answers = Promise.all(['1', '2', '100', '1', '1'].map((rows) => query(rows)))
    for (const each of [[], [0, 1], [2]]) {
      for (const at of each) ends[at]!.answer()
      await turn()
    }
    expect(sent).toEqual([['1', '2'], ['100'], ['1', '1']])
    expect(await answers).toEqual([['1'], ['2'], ['100'], ['1'], ['1']])
  })

  it('are not batched with reads of another caller or with other common values', async () => {
    const { sent, query } = openBatcher()
    void query('a')
    void query('b', 'y')
    void query('c', 'x', 'another tenant')
    await turn()
    expect(sent).toEqual([['a'], ['b'], ['c']])
  })

  it('all fail when the connection is lost', async () => {
    const { ends, query } = openBatcher()
    const answers = Promise.allSettled(['a', 'b'].map((name) => query(name)))
    await turn()
    ends[0]!.fail(new Error('The connection is gone.'))
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('a queued read', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const refused = { kind: { status: 503 } }

  it('is refused with 503 after the timeout', async () => {
    const { ends, query } = openBatcher()
    const under_way = [query('a')]
    await turn()
    under_way.push(query('b'))
    await turn()
    const waited = Promise.allSettled([query('c')])
    await turn()
    vi.advanceTimersByTime(1001)
    expect(await waited).toMatchObject([{ reason: refused }])
    for (const { answer } of ends) answer()
    expect(await Promise.all(under_way)).toEqual([['a'], ['b']])
  })

  it('is refused immediately if the queue is full', async () => {
    const { query } = openBatcher()
    for (const name of ['a', 'b', 'c', 'd', 'e']) void query(name)
    await expect(query('f')).rejects.toMatchObject(refused)
  })
})

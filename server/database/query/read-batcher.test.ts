import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Gathering } from './read-batcher.ts'
import type { Together } from './batched-query.ts'

const form: Together = { text: 'together', own: [0], common: [1], most: 3 }

/** Statements that are answered when they are told to be, with what was asked for; `sent` says what each asks for. */
function stage(of: Together = form) {
  const sent: unknown[][] = []
  const ends: { answer: () => void; fail: (error: Error) => void }[] = []
  const gathering = new Gathering({
    at_once: 2,
    waiting_of_one: 5,
    patience_ms: 1000,
    async ask(_whose, _statement, take) {
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
  const ask = async (name: string, common = 'x', whose = 'somebody') => {
    const query = { text: 'alone', scope: 'org_1', values: [name, common] }
    const answer = await gathering.run(whose, 's1', query, of)
    return answer?.rows.map((row) => row.name)
  }
  return { sent, ends, ask }
}

/** Until the turn of the event loop has ended, and what follows from it has happened. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
}

describe('reads of a kind', () => {
  it('that come at once go together, so many in a statement, and each has its own answer', async () => {
    const { sent, ends, ask } = stage()
    const answers = Promise.all(['a', 'b', 'c', 'd'].map((name) => ask(name)))
    await turn()
    expect(sent).toEqual([['a', 'b', 'c'], ['d']])
    for (const { answer } of ends) answer()
    expect(await answers).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  it('go at once as long as few are under way, and are gathered from then on', async () => {
    const { sent, ends, ask } = stage()
    const answers = []
    for (const name of ['a', 'b', 'c', 'd']) {
      answers.push(ask(name))
      await turn()
    }
    expect(sent).toEqual([['a'], ['b']])
    ends[0]!.answer()
    await turn()
    expect(sent).toEqual([['a'], ['b'], ['c', 'd']])
    for (const { answer } of ends) answer()
    expect(await Promise.all(answers)).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  it('count for as many as they ask for: what alone is as much as fits goes alone', async () => {
    const { sent, ends, ask } = stage({ text: 'together', own: [0], common: [1], most: 3, rows_at: 0 })
    const answers = Promise.all(['1', '2', '100', '1', '1'].map((rows) => ask(rows)))
    for (const each of [[], [0, 1], [2]]) {
      for (const at of each) ends[at]!.answer()
      await turn()
    }
    expect(sent).toEqual([['1', '2'], ['100'], ['1', '1']])
    expect(await answers).toEqual([['1'], ['2'], ['100'], ['1'], ['1']])
  })

  it('are of no kind with those of another caller, or who have something else in common', async () => {
    const { sent, ask } = stage()
    void ask('a')
    void ask('b', 'y')
    void ask('c', 'x', 'somebody else')
    await turn()
    expect(sent).toEqual([['a'], ['b'], ['c']])
  })

  it('are all told when the connection is gone', async () => {
    const { ends, ask } = stage()
    const answers = Promise.allSettled(['a', 'b'].map((name) => ask(name)))
    await turn()
    ends[0]!.fail(new Error('The connection is gone.'))
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('a read that waits', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const refused = { kind: { status: 503 } }

  it('for longer than it may is refused with a 503', async () => {
    const { ends, ask } = stage()
    const under_way = [ask('a')]
    await turn()
    under_way.push(ask('b'))
    await turn()
    const waited = Promise.allSettled([ask('c')])
    await turn()
    vi.advanceTimersByTime(1001)
    expect(await waited).toMatchObject([{ reason: refused }])
    for (const { answer } of ends) answer()
    expect(await Promise.all(under_way)).toEqual([['a'], ['b']])
  })

  it('behind as many as may wait is refused at once', async () => {
    const { ask } = stage()
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name)
    await expect(ask('f')).rejects.toMatchObject(refused)
  })
})

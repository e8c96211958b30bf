let due: (() => void)[] | undefined

/**
 * Does something when all that has come in this turn of the event loop was looked at. What is asked for by what is done
 * then is done in the same turn.
 */
export function atEndOfTurn(work: () => void): void {
  if (!due) {
    due = []
    setImmediate(endTurn)
  }
  due.push(work)
}

function endTurn(): void {
  try {
    for (const work of due!) work()
  } finally {
    due = undefined
  }
}

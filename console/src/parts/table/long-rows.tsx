import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { TableRows, row_height } from './table.tsx'

type LongRowsProps = {
  frame: RefObject<HTMLElement | null>
  total: number
  /** reports the visible rows */
  want: (first: number, last: number) => void
  line: (index: number) => ReactNode
}

/** The visible rows of a long list. Other rows only take up space. */
export function LongRows({ frame, total, want, line }: LongRowsProps) {
  const [scrollMargin, setMargin] = useState(0)
  useLayoutEffect(() => setMargin((frame.current?.offsetTop ?? 0) + row_height), [frame])
  const virtual = useWindowVirtualizer({
    count: total,
    estimateSize: () => row_height,
    overscan: 10,
    scrollMargin,
    // Render rows that scroll into view between inputs.
    useFlushSync: false,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => want(first, last), [first, last, want])
  return <TableRows first={first} count={last - first + 1} line={line} after={total - last - 1} />
}

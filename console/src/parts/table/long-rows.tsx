import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { BodyProps } from './table.tsx'

const row_height = 36

/** A spacer for rows that are not rendered. It has no colspan, because a phone shows fewer columns. */
const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden="true" className="gap">
    <td style={{ height }}>{'\u00a0'}</td>
  </tr>
)

/** The visible rows of a long list, with spacers for the others. */
export function LongRows({ frame, total, want, line }: BodyProps & { frame: RefObject<HTMLDivElement | null> }) {
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
  return (
    <>
      {first > 0 && <Gap height={first * row_height} />}
      {Array.from({ length: last - first + 1 }, (_, at) => line(first + at))}
      {last < total - 1 && <Gap height={(total - last - 1) * row_height} />}
    </>
  )
}

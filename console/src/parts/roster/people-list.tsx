import { useState } from 'react'
import { inWords } from '../../format.ts'

type Named = { first_name?: string; last_name?: string; reference_id?: string | null }

const shown_at_first = 20

/** Lists people by name. `total` is the full number if only the first are listed. */
export function Names({ title, of, total = of.length }: { title?: string; of: Named[]; total?: number }) {
  const [most, setMost] = useState(shown_at_first)
  return (
    <>
      {title && (
        <h3>
          {inWords(total)} {title}
        </h3>
      )}
      <ul className="lines">
        {of.slice(0, most).map(({ first_name, last_name, reference_id }, at) => (
          <li key={at}>
            <span>{[first_name, last_name].filter(Boolean).join(' ')}</span>
            <span className="quiet">{reference_id}</span>
          </li>
        ))}
      </ul>
      {of.length > most && (
        <button type="button" className="button more" onClick={() => setMost(of.length)}>
          Show all {inWords(of.length)}
        </button>
      )}
      {total > of.length && most >= of.length && (
        <p className="quiet">And {inWords(total - of.length)} more, not listed here.</p>
      )}
    </>
  )
}

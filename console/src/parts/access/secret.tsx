import { useState, type ReactNode } from 'react'

/** A secret that is shown only once, with a copy button. */
export function Secret({ of, children }: { of: string; children: ReactNode }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(of)
    setCopied(true)
  }
  return (
    <div className="secret">
      <p role="status">{children}</p>
      <code>{of}</code>
      <button type="button" className="button" onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}

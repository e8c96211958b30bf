type ChangedProps = { field: string; before: string | null; after: string }

/** A field that differs: what was there, and what is or would be there now. */
export const Changed = ({ field, before, after }: ChangedProps) => (
  <>
    <span className="quiet">{field}</span> {before && <del>{before}</del>} <ins>{after}</ins>
  </>
)

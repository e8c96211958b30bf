type ChangedProps = { field: string; before: string | null; after: string }

/** A changed field, with its old and new value. */
export const Changed = ({ field, before, after }: ChangedProps) => (
  <>
    <span className="quiet">{field}</span> {before && <del>{before}</del>} <ins>{after}</ins>
  </>
)

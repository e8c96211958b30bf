import { useId, useState, type DragEvent, type ReactNode } from 'react'

type FileDropProps = {
  /** throws an error with a readable message if the file cannot be read */
  read: (file: File) => Promise<void>
  /** whether Excel workbooks are accepted too */
  takes_excel?: boolean
  children: ReactNode
}

/** A field to drop or choose a file. */
export function FileDrop({ read, takes_excel = false, children }: FileDropProps) {
  const [over, setOver] = useState(false)
  const [error, setError] = useState<string>()
  const id = useId()
  const take = async (file: File | undefined) => {
    if (!file) return
    setError(undefined)
    try {
      await read(file)
    } catch (thrown) {
      setError((thrown as Error).message)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <>
      <div
        className="drop"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label htmlFor={id}>Drop a CSV {takes_excel && 'or Excel '}file here, or choose one</label>
        <input
          id={id}
          type="file"
          accept={`.csv,.tsv,.txt,text/csv${takes_excel ? ',.xlsx' : ''}`}
          onChange={({ target }) => void take(target.files?.[0])}
        />
        <p className="quiet">{children}</p>
      </div>
      {error && (
        <div className="trouble" role="alert">
          <p>{error}</p>
        </div>
      )}
    </>
  )
}

import { ob, refetch } from '../../api.ts'
import { formatInstant } from '../../format.ts'
import { refreshLater, useAction } from '../../parts/form/use-action.ts'
import { Empty, ErrorMessage } from '../../parts/page/page.tsx'
import { acaKey } from './queries.ts'

type DerivationProps = { employer_id: string; year: number; derived_at: string | null }

/** The time of the last derivation of the forms of a year, and the button that derives them again. */
export function Derivation({ employer_id, year, derived_at }: DerivationProps) {
  const derive = useAction({
    mutationFn: async () => {
      await ob.employers.deriveForms1095c(employer_id, { tax_year: year })
      refreshLater(() => refetch(acaKey(employer_id)))
    },
  })
  const button = (
    <button
      type="button"
      className={derived_at === null ? 'button main' : 'button'}
      disabled={derive.isPending}
      onClick={() => derive.mutate()}
    >
      {derived_at === null ? 'Derive forms' : 'Derive again'}
    </button>
  )
  return (
    <>
      {derived_at === null ? (
        <Empty title={`The forms of ${year} are not derived yet.`}>
          <p>The tax forms and the offer test follow from hours, offers, enrollments and wages.</p>
          <p>{button}</p>
        </Empty>
      ) : (
        <p className="derivation">
          <span className="quiet">Derived {formatInstant(derived_at)}</span> {button}
        </p>
      )}
      <p role="status" className="quiet">
        {derive.isSuccess && 'A job derives the forms. This page updates when it is done.'}
      </p>
      {derive.error && <ErrorMessage error={derive.error} />}
    </>
  )
}

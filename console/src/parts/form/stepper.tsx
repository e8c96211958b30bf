type StepperProps<Step extends string> = {
  steps: readonly Step[]
  at: Step
  /** opens an earlier step. Absent if there is no way back */
  open?: ((step: Step) => void) | undefined
}

/** The steps of a task in order. Earlier steps are buttons that go back. */
export function Stepper<Step extends string>({ steps, at, open }: StepperProps<Step>) {
  const now = steps.indexOf(at)
  return (
    <ol className="stepper" aria-label="Steps">
      {steps.map((step, index) => (
        <li key={step} data-done={index < now} {...(index === now && { 'aria-current': 'step' })}>
          <span className="stepper-number" aria-hidden="true">
            {index < now ? '✓' : index + 1}
          </span>
          {index < now && open ? (
            <button type="button" className="plain" onClick={() => open(step)}>
              {step}
            </button>
          ) : (
            <span>{step}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

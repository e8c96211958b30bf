import type { EmployerId } from 'openbenefits'
import type { CommonWords } from './common-words.ts'
import { Widget } from './widget.ts'

/** A widget for one employer, named by `for` or else by the token's binding. */
export abstract class EmployerWidget<Words extends CommonWords, View extends string> extends Widget<Words, View> {
  get employer_id(): EmployerId | undefined {
    return (this.for || this.self?.bound_entity?.id || undefined) as EmployerId | undefined
  }

  get employer() {
    const { employer_id: id } = this
    return id ? this.use('employer', (ob) => ob.employers.get(id)) : undefined
  }
}

import { coverageAtWork } from './journeys/people/coverage.ts'
import { dependentsAtWork } from './journeys/people/dependents.ts'
import { enrollmentAtWork } from './journeys/enrollment.ts'
import { listsAtWork } from './journeys/people/lists.ts'
import { personAtWork } from './journeys/people/person.ts'
import { useScene } from './scene.ts'

/** People, their coverage, dependents and deductions, lists, and the enrollment center. */
const scene = useScene()
coverageAtWork(scene)
dependentsAtWork(scene)
listsAtWork(scene)
personAtWork(scene)
enrollmentAtWork(scene)

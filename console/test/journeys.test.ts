import { additionsAtWork } from './journeys/additions.ts'
import { enrollmentAtWork } from './journeys/enrollment.ts'
import { membersAtWork } from './journeys/access/members.ts'
import { useScene } from './scene.ts'

/** The core of the console: the roster, people, enrollment, censuses, plan years and invoices. */
const scene = useScene()
membersAtWork(scene)
enrollmentAtWork(scene)
additionsAtWork(scene)

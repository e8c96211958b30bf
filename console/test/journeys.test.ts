import { additionsAtWork } from './journeys/additions.ts'
import { membersAtWork } from './journeys/access/members.ts'
import { useScene } from './scene.ts'

/** The core of the console: the employer list, a person's dates, additions, a census, a correction and an invoice. */
const scene = useScene()
membersAtWork(scene)
additionsAtWork(scene)

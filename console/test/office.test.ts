import { accountAtWork } from './journeys/access/roles.ts'
import { agreementsAtWork } from './journeys/agreements.ts'
import { developersAtWork } from './journeys/access/developers.ts'
import { documentsAtWork } from './journeys/documents.ts'
import { homeAtWork } from './journeys/home.ts'
import { notesAtWork } from './journeys/notes.ts'
import { renewalsAtWork } from './journeys/renewals.ts'
import { troublesAtWork } from './journeys/troubles.ts'
import { useScene } from './scene.ts'

/** The daily work of a broker's office, its troubles, and sign-in. */
const scene = useScene()
homeAtWork(scene)
notesAtWork(scene)
documentsAtWork(scene)
agreementsAtWork(scene)
renewalsAtWork(scene)
developersAtWork(scene)
troublesAtWork(scene)
accountAtWork(scene)

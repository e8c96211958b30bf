import { acaAtWork } from './journeys/aca.ts'
import { censusesAtWork } from './journeys/censuses.ts'
import { largeRosterAtWork } from './journeys/large-roster.ts'
import { setupAtWork } from './journeys/setup.ts'
import { useScene } from './scene.ts'

/** New employers, their rosters and their tax forms. */
const scene = useScene()
setupAtWork(scene)
censusesAtWork(scene)
acaAtWork(scene)
// Runs last, because every list of all people has ten thousand rows then.
largeRosterAtWork(scene)

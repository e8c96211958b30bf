import { operatorsAtWork, operatorsOfMany } from './journeys/access/operators.ts'
import { useScene } from './scene.ts'

/** The work of operators. */
const scene = useScene()
operatorsAtWork(scene)
operatorsOfMany(scene)

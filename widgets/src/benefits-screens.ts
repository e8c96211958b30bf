export { aca } from './benefits/aca.ts'

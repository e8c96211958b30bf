// The chapters of a story, in their order: each takes up where the former ended.
import './ichra/1-offered.ts'
import './ichra/2-first-half.ts'
import './ichra/3-second-half.ts'

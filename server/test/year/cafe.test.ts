// The chapters of a story, in their order: each takes up where the former ended.
import './cafe/1-taken-over.ts'
import './cafe/2-summer.ts'
import './cafe/3-autumn.ts'
import './cafe/4-next-year.ts'

// The chapters of a story, in their order: each takes up where the former ended.
import './staffing/1-started.ts'
import './staffing/2-summer.ts'
import './staffing/3-autumn.ts'
import './staffing/4-renewed.ts'

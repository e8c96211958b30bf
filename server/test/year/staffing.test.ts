// The chapters of one story. Each continues where the previous one ended, so the order is fixed.
import './staffing/1-started.ts'
import './staffing/2-summer.ts'
import './staffing/3-autumn.ts'
import './staffing/4-renewed.ts'

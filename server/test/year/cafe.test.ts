// The chapters of one story. Each continues where the previous one ended, so the order is fixed.
import './cafe/1-taken-over.ts'
import './cafe/2-summer.ts'
import './cafe/3-autumn.ts'
import './cafe/4-next-year.ts'

// The chapters of one story. Each continues where the previous one ended, so the order is fixed.
import './ichra/1-offered.ts'
import './ichra/2-first-half.ts'
import './ichra/3-second-half.ts'

import { defineHour } from './define-hour.ts'
import { hours } from './hour.ts'

// `new` has a file of its own, which `npm test` runs.
for (const name of hours) if (name !== 'new') defineHour(name)

import { defineHour } from './define-hour.ts'
import { hours } from './hour.ts'

// `new` has its own test file, which `npm test` runs.
for (const name of hours) if (name !== 'new') defineHour(name)

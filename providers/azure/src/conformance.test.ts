import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { azureDriver } from './testing/conformance-driver.ts'

// H04 runs only nightly. Kerf finds a new image after three virtual days, and the polling during these days would take a third of the run
// time. drift-reason.test.ts covers the drift reasons.
defineProviderConformance(azureDriver, { isNightly: (id) => id === 'H04', generalOneIn: 2 })

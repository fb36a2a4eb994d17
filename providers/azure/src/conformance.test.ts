import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { azureDriver } from './testing/conformance-driver.ts'

// H04 runs nightly only. A new image is found after three virtual days, and polling them takes a third of the time of all checks.
// drift-reason.test.ts covers the drift reasons.
defineProviderConformance(azureDriver, { isNightly: (id) => id === 'H04' })

import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { azureDriver } from './testing/conformance-driver.ts'

// H04 runs only nightly. A new image is found after three virtual days, and the polling during that time takes a third of the time
// of all checks. drift-reason.test.ts covers the drift reasons.
defineProviderConformance(azureDriver, { isNightly: (id) => id === 'H04' })

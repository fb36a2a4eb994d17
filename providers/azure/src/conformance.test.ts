import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { azureDriver } from './testing/conformance-driver.ts'

// A new image is seen after three virtual days, whose polling takes a third of the time of all checks; drift-reason.test.ts shows
// what drifts.
defineProviderConformance(azureDriver, { isNightly: (id) => id === 'H04' })

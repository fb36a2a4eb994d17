import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { azureDriver } from './testing/conformance-driver.ts'

defineProviderConformance(azureDriver)

import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { kwokDriver } from './testing/conformance-driver.ts'

defineProviderConformance(kwokDriver)

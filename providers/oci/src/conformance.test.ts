import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { ociDriver } from './testing/conformance-driver.ts'

defineProviderConformance(ociDriver('oracle'))
defineProviderConformance(ociDriver('community'))

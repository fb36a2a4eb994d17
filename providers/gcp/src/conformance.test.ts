import { defineDescriptorConformance, defineProviderConformance } from '@kerf/provider-contract/conformance'
import { gcp } from './descriptor.ts'
import { gcpDriver } from './testing/conformance-driver.ts'

defineDescriptorConformance(gcp)
defineProviderConformance(gcpDriver, { generalOneIn: 2 })

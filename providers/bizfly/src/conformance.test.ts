import { defineDescriptorConformance, defineProviderConformance } from '@kerf/provider-contract/conformance'
import { bizfly } from './descriptor.ts'
import { bizflyDriver } from './testing/conformance-driver.ts'

defineDescriptorConformance(bizfly)
defineProviderConformance(bizflyDriver)

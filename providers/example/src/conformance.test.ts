import { defineDescriptorConformance, defineProviderConformance } from '@kerf/provider-contract/conformance'
import { exampleDescriptor } from './descriptor.ts'
import { exampleDriver } from './testing/conformance-driver.ts'

defineDescriptorConformance(exampleDescriptor)
defineProviderConformance(exampleDriver)

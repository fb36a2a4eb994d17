import { defineDescriptorConformance, defineProviderConformance } from '@kerf/provider-contract/conformance'
import { example } from './descriptor.ts'
import { exampleDriver } from './testing/conformance-driver.ts'

defineDescriptorConformance(example)
defineProviderConformance(exampleDriver)

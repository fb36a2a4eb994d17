import { defineDescriptorConformance, defineProviderConformance } from '@kerf/provider-contract/conformance'
import { skeletonDescriptor } from './descriptor.ts'
import { skeletonDriver } from './testing/conformance-driver.ts'

defineDescriptorConformance(skeletonDescriptor)
defineProviderConformance(skeletonDriver)

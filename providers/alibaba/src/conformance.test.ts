import { defineDescriptorConformance, defineProviderConformance } from '@kerf/provider-contract/conformance'
import { alibaba } from './descriptor.ts'
import { alibabaDriver } from './testing/conformance-driver.ts'

defineDescriptorConformance(alibaba)
defineProviderConformance(alibabaDriver)

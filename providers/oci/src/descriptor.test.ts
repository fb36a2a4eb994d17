import { defineDescriptorConformance } from '@kerf/provider-contract/conformance'
import { oci } from './descriptor.ts'

defineDescriptorConformance(oci)

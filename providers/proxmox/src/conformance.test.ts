import { defineDescriptorConformance, defineProviderConformance } from '@kerf/provider-contract/conformance'
import { proxmox } from './descriptor.ts'
import { proxmoxDriver } from './testing/conformance-driver.ts'

defineDescriptorConformance(proxmox)
defineProviderConformance(proxmoxDriver)

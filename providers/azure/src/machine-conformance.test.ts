import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { machineDriver } from './testing/machine-driver.ts'

defineProviderConformance(machineDriver)

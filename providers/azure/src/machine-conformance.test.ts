import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { machineChecks } from './testing/machine-checks.ts'
import { machineDriver } from './testing/machine-driver.ts'

/** Instance types, drift and controllers are the same for VMs: conformance.test.ts shows them with every change. */
const isOfVmsToo = (id: string): boolean => /^[THBX]/.test(id) && !Object.hasOwn(machineChecks, id)

defineProviderConformance(machineDriver, { isNightly: isOfVmsToo })

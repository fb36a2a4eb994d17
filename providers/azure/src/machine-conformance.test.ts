import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { machineChecks } from './testing/machine-checks.ts'
import { machineDriver } from './testing/machine-driver.ts'

/** Instance types, drift and controllers are the same as for VMs, so conformance.test.ts covers them. */
const isOfVmsToo = (id: string): boolean => /^[THBX]/.test(id) && !Object.hasOwn(machineChecks, id)

defineProviderConformance(machineDriver, { isNightly: isOfVmsToo })

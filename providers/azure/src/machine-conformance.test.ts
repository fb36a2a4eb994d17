import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { machineChecks } from './testing/machine-checks.ts'
import { machineDriver } from './testing/machine-driver.ts'

/** Returns true for checks that conformance.test.ts covers. Instance types, drift and controllers are the same for machines as for VMs. */
const isOfVmsToo = (id: string): boolean => /^[THBX]/.test(id) && !Object.hasOwn(machineChecks, id)

defineProviderConformance(machineDriver, { isNightly: isOfVmsToo, generalOneIn: 4 })

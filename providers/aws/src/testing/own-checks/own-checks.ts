import type { Checks } from '@kerf/provider-contract/conformance'
import { controllerChecks } from './controller-checks.ts'
import { driftChecks } from './drift-checks.ts'
import { instanceTypeChecks } from './instance-type-checks.ts'
import { launchChecks } from './launch-checks.ts'

/** The checks of the conformance suite that this package implements. */
export const ownChecks: Checks = { ...launchChecks, ...instanceTypeChecks, ...driftChecks, ...controllerChecks }

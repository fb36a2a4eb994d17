import { drift } from './drift.ts'
import { emptiness } from './emptiness.ts'
import type { DisruptionMethod } from './method.ts'
import { multiNode } from './multi-node.ts'
import { singleNode } from './single-node.ts'
import { sleep } from './sleep.ts'
import { staticDrift } from './static-drift.ts'

/** All disruption methods, in the order in which a pass runs them. The first method that finds a command ends the pass. */
export const methods: readonly DisruptionMethod[] = [sleep, emptiness, staticDrift, drift, multiNode, singleNode]

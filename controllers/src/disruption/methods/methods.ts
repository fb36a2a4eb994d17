import { drift } from './drift.ts'
import { emptiness } from './emptiness.ts'
import type { DisruptionMethod } from './method.ts'
import { multiNode } from './multi-node.ts'
import { singleNode } from './single-node.ts'
import { staticDrift } from './static-drift.ts'

/** All methods, in the order in which a pass asks them: the first that finds something to do ends it. */
export const methods: readonly DisruptionMethod[] = [emptiness, staticDrift, drift, multiNode, singleNode]

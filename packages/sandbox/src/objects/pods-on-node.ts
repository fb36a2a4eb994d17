import type { Pod } from '@kerf/apis'
import type { Informer } from '@kerf/runtime'

const NODE_INDEX = 'sandbox.node'
// All callers must share one function, because the informer refuses to register an index again with another function.
const podNode = (pod: Pod): string[] => (pod.spec.nodeName ? [pod.spec.nodeName] : [])

/** Indexes the informer of pods for `podsOn`. */
export const indexByNode = (pods: Informer<Pod>): void => pods.index(NODE_INDEX, podNode)

/** Returns the pods bound to a node, from an indexed informer. */
export const podsOn = (pods: Informer<Pod>, node: string): readonly Pod[] => pods.by(NODE_INDEX, node)

import type { Pod } from '@kerf/apis'
import type { Informer } from '@kerf/runtime'

const NODE_INDEX = 'sandbox.node'
// One function for all callers, so that registering again is free.
const nodeOf = (pod: Pod): string[] => (pod.spec.nodeName ? [pod.spec.nodeName] : [])

/** Indexes the mirror of pods for `podsOn`. */
export const indexByNode = (pods: Informer<Pod>): void => pods.index(NODE_INDEX, nodeOf)

/** The pods bound to a node, from an indexed mirror. */
export const podsOn = (pods: Informer<Pod>, node: string): readonly Pod[] => pods.by(NODE_INDEX, node)

import { K8s } from '@kinvolk/headlamp-plugin/lib'
import type { KubeObject as KubeObjectType, KubeObjectClass } from '@kinvolk/headlamp-plugin/lib/lib/k8s/KubeObject'

/** Any object in the form in which Headlamp provides it. */
export type AnyObject = KubeObjectType
export type { KubeObjectClass }

// The base class of Headlamp's resource classes. Plugins cannot import it, but every built-in class extends it.
const KubeObject = Object.getPrototypeOf(K8s.ResourceClasses.Pod) as KubeObjectClass

/** The names of the plugin's routes, which links use. */
export const routes = {
  overview: 'kerf-overview',
  pendingPods: 'kerf-pending-pods',
  decisions: 'kerf-decisions',
  metrics: 'kerf-metrics',
  fullness: 'kerf-fullness',
  policies: 'kerf-policies',
  nodePools: 'kerf-nodepools',
  nodePool: 'kerf-nodepool',
  nodeClaims: 'kerf-nodeclaims',
  nodeClaim: 'kerf-nodeclaim',
  nodeClasses: 'kerf-nodeclasses',
  nodeClass: 'kerf-nodeclass',
  nodeOverlays: 'kerf-nodeoverlays',
  nodeOverlay: 'kerf-nodeoverlay',
  capacityBuffers: 'kerf-capacitybuffers',
  capacityBuffer: 'kerf-capacitybuffer',
} as const
export type RouteName = (typeof routes)[keyof typeof routes]

interface ClassFields {
  readonly kind: string
  readonly plural: string
  readonly apiVersion: string
  readonly namespaced?: boolean
  readonly list: RouteName | ''
  readonly details: RouteName | ''
}

// Creates the class of a kind. Call it once per kind, because Headlamp's caches use the class as a key.
const classOf = ({ kind, plural, apiVersion, namespaced = false, list, details }: ClassFields): KubeObjectClass =>
  class extends KubeObject {
    static override readonly kind = kind
    static override readonly apiName = plural
    static override readonly apiVersion = apiVersion
    static override readonly isNamespaced = namespaced
    static override get listRoute() {
      return list
    }
    static override get detailsRoute() {
      return details
    }
  }

export const NodePool = classOf({
  kind: 'NodePool',
  plural: 'nodepools',
  apiVersion: 'karpenter.sh/v1',
  list: routes.nodePools,
  details: routes.nodePool,
})
export const NodeClaim = classOf({
  kind: 'NodeClaim',
  plural: 'nodeclaims',
  apiVersion: 'karpenter.sh/v1',
  list: routes.nodeClaims,
  details: routes.nodeClaim,
})
export const NodeOverlay = classOf({
  kind: 'NodeOverlay',
  plural: 'nodeoverlays',
  apiVersion: 'karpenter.sh/v1alpha1',
  list: routes.nodeOverlays,
  details: routes.nodeOverlay,
})
const capacityBuffer = (version: string) =>
  classOf({
    kind: 'CapacityBuffer',
    plural: 'capacitybuffers',
    apiVersion: `autoscaling.x-k8s.io/${version}`,
    namespaced: true,
    list: routes.capacityBuffers,
    details: routes.capacityBuffer,
  })
/**
 * One class per version, because requesting a version that is not served would log an error in the browser's console.
 */
export const capacityBuffers = { v1beta1: capacityBuffer('v1beta1'), v1alpha1: capacityBuffer('v1alpha1') } as const
/** The kinds of policies, which only Kerf reads. */
export const policyClasses = {
  ClusterPolicy: classOf({
    kind: 'ClusterPolicy',
    plural: 'clusterpolicies',
    apiVersion: 'kerf.sh/v1alpha1',
    list: routes.policies,
    details: '',
  }),
  NodePoolPolicy: classOf({
    kind: 'NodePoolPolicy',
    plural: 'nodepoolpolicies',
    apiVersion: 'kerf.sh/v1alpha1',
    list: routes.policies,
    details: '',
  }),
} as const
export const Event = classOf({
  kind: 'Event',
  plural: 'events',
  apiVersion: 'v1',
  namespaced: true,
  list: '',
  details: '',
})
export const Node = K8s.ResourceClasses.Node
export const Pod = K8s.ResourceClasses.Pod

const nodeClasses = new Map<string, KubeObjectClass>()

/** Returns the class of a node class kind in the served version. The class is created on the first call. */
export const makeNodeClassObject = (group: string, kind: string, plural: string, version: string): KubeObjectClass => {
  const key = `${group}/${version}/${kind}`
  const known = nodeClasses.get(key)
  if (known !== undefined) return known
  const made = classOf({
    kind,
    plural,
    apiVersion: `${group}/${version}`,
    list: routes.nodeClasses,
    details: routes.nodeClass,
  })
  nodeClasses.set(key, made)
  return made
}

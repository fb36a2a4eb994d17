import type { NodeSelectorRequirement, PodSpec } from '@kerf/apis'

// Builders for scheduling constraints in a pod's spec. They select pods by the label `app`.

/** Returns a topology spread constraint for the pods of `app` with a maxSkew of 1. `more` overrides its fields. */
export const spreadOver = (
  topologyKey: string,
  app: string,
  more: Partial<NonNullable<PodSpec['topologySpreadConstraints']>[number]> = {},
) => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { app } },
      ...more,
    },
  ],
})

/** Returns a required pod affinity: the pod runs in a domain in which a pod of `app` runs. */
export const near = (topologyKey: string, app: string) => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
    },
  },
})

/** Returns a required pod anti-affinity: the pod avoids domains in which a pod of `app` runs. */
export const awayFrom = (topologyKey: string, app: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
    },
  },
})

/** Returns a required node affinity: the node must match all requirements of at least one term. */
export const inAnyTerm = (...terms: readonly (readonly NodeSelectorRequirement[])[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
      },
    },
  },
})

import type { NodeSelectorRequirement, PodSpec } from '@kerf/apis'

// Parts of a pod's spec. They select pods by the label `app`.

/** At most one pod of `app` more in one domain of the topology than in another; `more` has the last word. */
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

/** Only where a pod of `app` runs in the same domain. */
export const near = (topologyKey: string, app: string) => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
    },
  },
})

/** Only where no pod of `app` runs in the same domain. */
export const awayFrom = (topologyKey: string, app: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
    },
  },
})

/** Only on nodes that meet all requirements of at least one term. */
export const inAnyOf = (...terms: readonly (readonly NodeSelectorRequirement[])[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
      },
    },
  },
})

import type { Pod, PodSpec } from '@kerf/apis'

/** A constraint in a pod's spec that its author could remove. */
export interface PodConstraint {
  /** The constraint as users write it, such as `nodeSelector topology.kubernetes.io/zone=us-1a`. */
  readonly text: string
  readonly kind:
    | 'node-selector'
    | 'node-affinity'
    | 'spread'
    | 'pod-affinity'
    | 'pod-anti-affinity'
    | 'host-port'
    | 'device-claim'
  readonly without: (pod: Pod) => Pod
}

const withSpec = (pod: Pod, change: Partial<PodSpec>): Pod => ({ ...pod, spec: { ...pod.spec, ...change } })

const skip = <T>(list: readonly T[] | undefined, place: number): readonly T[] =>
  (list ?? []).filter((_, i) => i !== place)

const selectorConstraints = ({ spec: { nodeSelector } }: Pod): PodConstraint[] =>
  Object.entries(nodeSelector ?? {}).map(([key, value]) => ({
    text: `nodeSelector ${key}=${value}`,
    kind: 'node-selector',
    without: (pod) =>
      withSpec(pod, {
        nodeSelector: Object.fromEntries(Object.entries(pod.spec.nodeSelector ?? {}).filter(([k]) => k !== key)),
      }),
  }))

const nodeAffinityConstraints = (pod: Pod): PodConstraint[] => {
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  if (terms.length === 0) return []
  const words = terms.map(({ matchExpressions = [] }) =>
    matchExpressions
      .map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join(',')}`.trim())
      .join(' and '),
  )
  return [
    {
      text: `required node affinity ${words.join(' or ')}`,
      kind: 'node-affinity',
      without: (each) => {
        const { requiredDuringSchedulingIgnoredDuringExecution: _, ...rest } = each.spec.affinity?.nodeAffinity ?? {}
        return withSpec(each, { affinity: { ...each.spec.affinity, nodeAffinity: rest } })
      },
    },
  ]
}

const spreadConstraints = ({ spec: { topologySpreadConstraints } }: Pod): PodConstraint[] =>
  (topologySpreadConstraints ?? []).flatMap(({ topologyKey, maxSkew, whenUnsatisfiable }, place): PodConstraint[] =>
    whenUnsatisfiable === 'ScheduleAnyway'
      ? []
      : [
          {
            text: `topology spread over ${topologyKey} (maxSkew ${maxSkew})`,
            kind: 'spread',
            without: (pod) =>
              withSpec(pod, { topologySpreadConstraints: skip(pod.spec.topologySpreadConstraints, place) }),
          },
        ],
  )

/** A hard spread constraint whose maxSkew could be raised. */
interface RaisableSkew {
  readonly topologyKey: string
  readonly maxSkew: number
  readonly withSkew: (skew: number) => (pod: Pod) => Pod
}

/** Returns the hard spread constraints of a pod. */
export const raisableSkews = ({ spec: { topologySpreadConstraints } }: Pod): readonly RaisableSkew[] =>
  (topologySpreadConstraints ?? []).flatMap(({ topologyKey, maxSkew, whenUnsatisfiable }, place) =>
    whenUnsatisfiable === 'ScheduleAnyway'
      ? []
      : {
          topologyKey,
          maxSkew,
          withSkew: (skew: number) => (pod: Pod) =>
            withSpec(pod, {
              topologySpreadConstraints: (pod.spec.topologySpreadConstraints ?? []).map((each, i) =>
                i === place ? { ...each, maxSkew: skew } : each,
              ),
            }),
        },
  )

const affinityConstraints = (pod: Pod): PodConstraint[] =>
  (['podAffinity', 'podAntiAffinity'] as const).flatMap((side) =>
    (pod.spec.affinity?.[side]?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ topologyKey }, place): PodConstraint => ({
        text: `required pod ${side === 'podAffinity' ? 'affinity' : 'anti-affinity'} over ${topologyKey}`,
        kind: side === 'podAffinity' ? 'pod-affinity' : 'pod-anti-affinity',
        without: (each) => {
          const own = each.spec.affinity?.[side]
          const requiredDuringSchedulingIgnoredDuringExecution = skip(
            own?.requiredDuringSchedulingIgnoredDuringExecution,
            place,
          )
          return withSpec(each, {
            affinity: { ...each.spec.affinity, [side]: { ...own, requiredDuringSchedulingIgnoredDuringExecution } },
          })
        },
      }),
    ),
  )

const hostPortConstraints = (pod: Pod): PodConstraint[] => {
  const ports = pod.spec.containers.flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort }) => hostPort || []),
  )
  if (ports.length === 0) return []
  return [
    {
      text: `host port ${ports.join(', ')}`,
      kind: 'host-port',
      without: (each) =>
        withSpec(each, {
          containers: each.spec.containers.map((container) => ({
            ...container,
            ports: (container.ports ?? []).filter(({ hostPort }) => !hostPort),
          })),
        }),
    },
  ]
}

const deviceConstraints = ({ spec: { resourceClaims } }: Pod): PodConstraint[] =>
  (resourceClaims ?? []).map(({ name }) => ({
    text: `resource claim ${name}`,
    kind: 'device-claim',
    without: (pod) =>
      withSpec(pod, { resourceClaims: (pod.spec.resourceClaims ?? []).filter((each) => each.name !== name) }),
  }))

/** Returns all constraints of a pod except resource amounts. */
export const podConstraints = (pod: Pod): readonly PodConstraint[] => [
  ...selectorConstraints(pod),
  ...nodeAffinityConstraints(pod),
  ...spreadConstraints(pod),
  ...affinityConstraints(pod),
  ...hostPortConstraints(pod),
  ...deviceConstraints(pod),
]

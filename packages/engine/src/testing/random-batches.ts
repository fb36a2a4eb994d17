import type { NodePool, Pod } from '@kerf/apis'
import fc from 'fast-check'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { HOST, ZONE } from './cluster-builders.ts'
import { makeInstanceType, makeNodePool, type RandomCluster, randomCluster } from './random-clusters.ts'

/**
 * Batches whose cost depends only on packing. Each has two lists of instance types: the second lacks an instance type or an offering of the
 * first. Prices are on-demand, the pools have equal weight and no limits, and the pods have no preferences and no terms on zones. There may
 * be selectors, node affinity, taints, daemons, running nodes, and spread and anti-affinity on hosts.
 */
export interface RandomBatch {
  readonly fewer: ClusterSnapshot
  readonly more: ClusterSnapshot
  readonly pods: readonly Pod[]
}

const arbitraryTypes = (capacityTypes: readonly string[]): fc.Arbitrary<readonly InstanceType[]> => {
  const offering = fc.record({
    zone: fc.constantFrom('a', 'b', 'c'),
    capacityType: fc.constantFrom(...capacityTypes),
    price: fc.integer({ min: 1, max: 400 }).map((price) => price / 100),
  })
  return fc
    .array(
      fc.record({
        cpu: fc.constantFrom('1', '2', '3', '4', '8', '16'),
        memory: fc.constantFrom('1Gi', '2Gi', '4Gi', '8Gi', '16Gi', '32Gi'),
        pods: fc.constantFrom('3', '8', '20', '60'),
        offerings: fc.uniqueArray(offering, {
          minLength: 1,
          maxLength: 4,
          selector: ({ zone, capacityType }) => `${zone} ${capacityType}`,
        }),
      }),
      { minLength: 2, maxLength: 8 },
    )
    .map((types) =>
      types.map(({ cpu, memory, pods, offerings }, i) => makeInstanceType(`t${i}`, cpu, memory, offerings, pods)),
    )
}

/** Random clusters with more instance types, so that more of their plans can become cheaper. */
export const randomMarket: fc.Arbitrary<RandomCluster> = fc
  .record({ cluster: randomCluster, instanceTypes: arbitraryTypes(['on-demand', 'spot']) })
  .map(({ cluster: { snapshot, pods }, instanceTypes }) => ({
    pods,
    snapshot: { ...snapshot, pools: snapshot.pools.map(({ nodePool }) => ({ nodePool, instanceTypes })) },
  }))

/** Returns the instance types without one of them, or without one of its offerings. */
const reduced = (types: readonly InstanceType[], place: number, offeringPlace: number): readonly InstanceType[] =>
  types.flatMap((type, i) => {
    if (i !== place % types.length) return type
    const offerings = type.offerings.filter((_, j) => j !== offeringPlace % (type.offerings.length + 1))
    return offerings.length === type.offerings.length || offerings.length === 0 ? [] : { ...type, offerings }
  })

const onHost = (term: { readonly topologyKey: string }): boolean => term.topologyKey === HOST

/** Returns the pod with only its hard constraints on nodes and hosts. */
const packable = (pod: Pod): Pod => {
  const { affinity, topologySpreadConstraints, ...spec } = pod.spec
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const apart = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  return {
    ...pod,
    spec: {
      ...spec,
      affinity: {
        ...(required === undefined
          ? {}
          : { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } }),
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apart.filter(onHost) },
      },
      topologySpreadConstraints: (topologySpreadConstraints ?? []).filter(
        (constraint) => onHost(constraint) && constraint.whenUnsatisfiable === 'DoNotSchedule',
      ),
    },
  }
}

const plainPool = ({ spec }: NodePool, index: number): NodePool =>
  makeNodePool(`pool-${index}`, {
    zones: (spec.template.spec.requirements as readonly RequirementSpec[]).find(({ key }) => key === ZONE)?.values,
    taints: (spec.template.spec.taints ?? []).filter(({ effect }) => effect === 'NoSchedule'),
    label: spec.template.metadata?.labels?.['example.com/tier'],
  })

export const randomBatch: fc.Arbitrary<RandomBatch> = fc
  .record({ cluster: randomCluster, types: arbitraryTypes(['on-demand']), type: fc.nat(7), offering: fc.nat(3) })
  .map(({ cluster: { snapshot, pods }, types, type, offering: place }) => {
    const pools = snapshot.pools.map(({ nodePool }, index) => plainPool(nodePool, index))
    const nodes = snapshot.nodes.map((node) => ({ ...node, pods: node.pods.map(packable) }))
    const withTypes = (instanceTypes: readonly InstanceType[]): ClusterSnapshot => ({
      ...snapshot,
      nodes,
      pools: pools.map((nodePool) => ({ nodePool, instanceTypes })),
    })
    return { fewer: withTypes(reduced(types, type, place)), more: withTypes(types), pods: pods.map(packable) }
  })

import type { NodePool, Pod } from '@kerf/apis'
import type { ClusterSnapshot, InstanceType, NodeState } from '@kerf/engine'
import { lacking, minus, podRequests, sum } from '../scenarios-check/amounts.ts'
import { type Harness, podName } from '../scenarios-check/harness.ts'
import { portClashes } from '../scenarios-check/host-ports.ts'
import type { InstanceTypeRow } from '../scenarios-check/instance-types.ts'
import { podSelects } from '../scenarios-check/label-sets.ts'
import type { Place } from '../scenarios-check/placement.ts'
import { untolerated } from '../scenarios-check/taint-check.ts'
import { affinityProblems, antiAffinityProblems, spreadProblems } from '../scenarios-check/topology.ts'

const firstValues = (type: Pick<InstanceType, 'requirements'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    type.requirements.flatMap(({ key, operator, values }) =>
      operator === 'In' && values?.[0] !== undefined ? [[key, values[0]]] : [],
    ),
  )

const OF_OFFERINGS = ['topology.kubernetes.io/zone', 'karpenter.sh/capacity-type']

const machineOf = (type: InstanceType): InstanceTypeRow => ({
  name: type.name,
  labels: Object.fromEntries(Object.entries(firstValues(type)).filter(([name]) => !OF_OFFERINGS.includes(name))),
  capacity: type.capacity,
  allocatable: type.capacity,
  offerings: type.offerings
    .filter(({ available }) => available)
    .map((offering) => {
      const labels = firstValues(offering)
      return {
        zone: labels['topology.kubernetes.io/zone'] ?? '',
        capacityType: labels['karpenter.sh/capacity-type'] ?? '',
        price: offering.price ?? 0,
      }
    }),
})

const isUsable = ({ nodePool }: ClusterSnapshot['pools'][number]): boolean =>
  nodePool.metadata.deletionTimestamp === undefined &&
  nodePool.status?.conditions?.some(({ type, status }) => type === 'Ready' && status !== 'True') !== true

/** Returns the NodePool with its zone and capacity type labels turned into requirements. Both forms have the same effect. */
const withLabelsAsRequirements = (pool: NodePool): NodePool => {
  const { template } = pool.spec
  const pins = Object.entries(template.metadata?.labels ?? {})
    .filter(([name]) => OF_OFFERINGS.includes(name))
    .map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }))
  const requirements = [...template.spec.requirements, ...pins]
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements } } } }
}

/** Converts the snapshot to the format of the validator, as far as topology checks need it. */
const snapshotHarness = (snapshot: ClusterSnapshot): Harness => {
  const pools = snapshot.pools
    .filter(isUsable)
    .map(({ nodePool, instanceTypes }) => ({ nodePool: withLabelsAsRequirements(nodePool), instanceTypes }))
  const types = new Map(
    pools.map(({ nodePool, instanceTypes }) => [
      nodePool,
      new Map(instanceTypes.map((type) => [type.name, machineOf(type)])),
    ]),
  )
  return {
    pending: new Map(),
    standing: new Map(),
    pools: new Map(pools.map(({ nodePool }) => [nodePool.metadata.name, nodePool])),
    typesOf: (pool) => types.get(pool) ?? new Map(),
    daemons: [],
    namespaces: new Map(
      snapshot.namespaces.map(({ metadata }) => [
        metadata.name,
        { 'kubernetes.io/metadata.name': metadata.name, ...metadata.labels },
      ]),
    ),
    claims: new Map(),
    volumes: new Map(),
    classes: new Map(),
  }
}

const placeProblems = (node: NodeState, { name, labels, taints, running, coming }: Place): readonly string[] => {
  const free = minus(node.allocatable, sum(...running.map(podRequests)))
  return [
    ...lacking(sum(...coming.map(podRequests)), free).map((resource) => `${name} has too little ${resource}`),
    ...coming.filter((pod) => !podSelects(pod, labels, name)).map((pod) => `${podName(pod)} does not select ${name}`),
    ...coming.flatMap((pod) =>
      untolerated(pod, taints).map(({ key }) => `${podName(pod)} does not tolerate ${key} of ${name}`),
    ),
    ...portClashes([...running, ...coming])
      .filter((pair) => pair.some((pod) => coming.includes(pod)))
      .map(([a, b]) => `${podName(a)} and ${podName(b)} want one port of ${name}`),
  ]
}

/**
 * Returns the constraints that are violated after the planned nodes are launched. Uses the validator of the scenarios, which shares no code
 * with the engine. `nodes` contains the nodes of the snapshot and the new ones. `coming` contains the pods planned for each node.
 */
export const brokenConstraints = (
  snapshot: ClusterSnapshot,
  nodes: readonly NodeState[],
  coming: ReadonlyMap<string, readonly Pod[]>,
): readonly string[] => {
  const moving = new Set([...coming.values()].flat().map(({ metadata }) => metadata.uid))
  const places = nodes.map((node) => {
    const place: Place = {
      name: node.name,
      labels: { 'kubernetes.io/hostname': node.hostName, ...node.labels },
      taints: node.taints,
      running: node.pods.filter(
        ({ metadata, status }) =>
          !moving.has(metadata.uid) &&
          metadata.deletionTimestamp === undefined &&
          status?.phase !== 'Failed' &&
          status?.phase !== 'Succeeded',
      ),
      coming: coming.get(node.name) ?? [],
    }
    return { node, place }
  })
  const all = places.map(({ place }) => place)
  const harness = snapshotHarness(snapshot)
  return [
    ...places.flatMap(({ node, place }) => placeProblems(node, place)),
    ...[spreadProblems, affinityProblems, antiAffinityProblems].flatMap((check) =>
      check(harness, all).map(({ code, subject, text }) => `${code} of ${subject}: ${text}`),
    ),
  ]
}

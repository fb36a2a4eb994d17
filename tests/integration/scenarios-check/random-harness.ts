import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot, InstanceType, NodeState, RequirementSpec } from '@kerf/engine'
import { type Amounts, minus, parseAmounts } from './amounts.ts'
import { type Harness, type NodeBefore, podName } from './harness.ts'
import type { InstanceTypeRow } from './instance-types.ts'

const ZONE = 'topology.kubernetes.io/zone'
const CAPACITY_TYPE = 'karpenter.sh/capacity-type'

const firstValue = (requirements: readonly RequirementSpec[], wanted: string): string =>
  requirements.find(({ key }) => key === wanted)?.values?.[0] ?? ''

/** Converts quantities. Both sides use whole billionths. */
const amounts = (resources: Readonly<Record<string, bigint | undefined>>): Amounts =>
  Object.fromEntries(
    Object.entries(resources).flatMap(([name, amount]) => (amount === undefined ? [] : [[name, amount]])),
  )

const instanceTypeMachine = ({ name, requirements, offerings, capacity }: InstanceType): InstanceTypeRow => ({
  name,
  labels: Object.fromEntries(
    requirements
      .filter(({ key }) => key !== ZONE && key !== CAPACITY_TYPE)
      .map(({ key, values }) => [key, values?.[0] ?? '']),
  ),
  capacity: amounts(capacity),
  allocatable: minus(amounts(capacity), parseAmounts({ cpu: '100m', memory: '10Mi' })),
  offerings: offerings.map(({ requirements: own, price = 0 }) => ({
    zone: firstValue(own, ZONE),
    capacityType: firstValue(own, CAPACITY_TYPE),
    price,
  })),
})

const nodeStateStanding = ({ name, labels, taints, capacity, allocatable, pods, nodePool }: NodeState): NodeBefore => ({
  name,
  labels: { ...labels, 'kubernetes.io/hostname': labels['kubernetes.io/hostname'] ?? name },
  taints,
  capacity: amounts(capacity),
  allocatable: amounts(allocatable),
  pods,
  pool: nodePool,
  volumeLimits: {},
})

/** Converts a random cluster to the format of the validator. The result does not contain terminating nodes. */
export const harnessOfSnapshot = ({ pools, nodes, daemonPods }: ClusterSnapshot, pods: readonly Pod[]): Harness => {
  const machines = new Map(
    pools.map(({ nodePool, instanceTypes }) => [
      nodePool,
      new Map(instanceTypes.map((type) => [type.name, instanceTypeMachine(type)])),
    ]),
  )
  return {
    pending: new Map(pods.map((pod) => [podName(pod), pod])),
    standing: new Map(
      nodes.filter(({ markedForDeletion }) => !markedForDeletion).map((node) => [node.name, nodeStateStanding(node)]),
    ),
    pools: new Map(pools.map(({ nodePool }) => [nodePool.metadata.name, nodePool])),
    typesOf: (pool) => machines.get(pool) ?? new Map(),
    daemons: daemonPods,
    namespaces: new Map([['default', { 'kubernetes.io/metadata.name': 'default' }]]),
    claims: new Map(),
    volumes: new Map(),
    classes: new Map(),
  }
}

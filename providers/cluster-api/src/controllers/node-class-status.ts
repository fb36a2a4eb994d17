import { type ConditionChange, karpenterKinds, type NodeOverlay, type NodePool } from '@kerf/apis'
import { declaredPrices, isNotKnownYet, type ProviderContext } from '@kerf/provider-contract'
import { NodeClassStatus, type Step } from '@kerf/provider-kit'
import { type Controller, type Informer, specSource } from '@kerf/runtime'
import type { MergedTypes } from '../instance-type/merged-types.ts'
import type { ManagementCluster } from '../management/management-cluster.ts'
import type { Membership } from '../members/member.ts'
import { type ClusterAPINodeClass, clusterApiNodeClassKind } from '../node-class/cluster-api-node-class.ts'
import { clusterApiNodeClassConditions } from '../node-class/conditions.ts'
import {
  type KnownOfClass,
  machineDeploymentsReady,
  membersClear,
  pricesKnown,
  readyWithoutMembers,
} from './node-class-conditions.ts'

const KIND = clusterApiNodeClassKind

/** The interval between reconciliations. It is needed because changes of Nodes do not trigger the controller. */
const AGAIN = 60_000

export interface NodeClassStatusDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>
  readonly management: Pick<ManagementCluster, 'problems' | 'onChange'>
  /** Returns the members of a node class. @throws NotKnownYetError while the management cluster is unknown */
  membersOf(nodeClass: ClusterAPINodeClass): Membership
  /** Returns the instance types of a node class. @throws NotKnownYetError */
  typesOf(nodeClass: ClusterAPINodeClass, membership: Membership): MergedTypes
  /** Absent while the feature gate NodeOverlay is off. */
  readonly overlays?: Informer<NodeOverlay>
}

/**
 * Writes the conditions of each ClusterAPINodeClass (`providers/cluster-api/docs/spec/cluster-api.md#conditions`). While the management
 * cluster does not respond, the conditions stay unchanged. A message reports since when it has not responded.
 */
export const nodeClassStatus = (deps: NodeClassStatusDeps): Controller => {
  const classes = deps.context.informers.of(KIND)
  const pools = deps.context.informers.of(karpenterKinds.NodePool)
  const all = (): readonly string[] => [...classes.values()].map(({ metadata }) => metadata.name)
  const status = new NodeClassStatus<ClusterAPINodeClass>({
    context: deps.context,
    kind: KIND,
    conditions: clusterApiNodeClassConditions,
    steps: [
      stepOf(deps, 'MachineDeploymentsReady', machineDeploymentsReady),
      stepOf(deps, 'MembersClear', membersClear),
      stepOf(deps, 'PricesKnown', pricesKnown),
    ],
    causeOf: () => undefined,
    // Every change reconciles all node classes, because two classes may select the same MachineDeployments. Kerf ignores changes of the
    // status. They do not affect the result, and two active processes would otherwise trigger each other endlessly.
    sources: [
      specSource(classes, all),
      specSource(pools, all),
      ...(deps.overlays === undefined ? [] : [specSource(deps.overlays, all)]),
    ],
  })
  return {
    ...status.controller(),
    name: 'nodeclass.status',
    subscribe: (enqueue) =>
      deps.management.onChange(() => {
        for (const name of all()) enqueue(name)
      }),
  }
}

const isOf =
  ({ metadata }: ClusterAPINodeClass) =>
  ({ spec }: NodePool): boolean => {
    const { group, kind, name } = spec.template.spec.nodeClassRef
    return group === KIND.group && kind === KIND.kind && name === metadata.name
  }

const stepOf = (
  deps: NodeClassStatusDeps,
  condition: string,
  summary: (known: KnownOfClass) => ConditionChange,
): Step<ClusterAPINodeClass> => ({
  condition,
  run: async (nodeClass) => {
    const management = deps.management.problems()
    try {
      const membership = deps.membersOf(nodeClass)
      const types = deps.typesOf(nodeClass, membership)
      const overlays = [...(deps.overlays?.values() ?? [])]
      const declared = declaredPrices(deps.context.informers)
      const pools = [...deps.context.informers.of(karpenterKinds.NodePool).values()].filter(isOf(nodeClass))
      return { condition: summary({ membership, types, management, overlays, declared, pools }), again: AGAIN }
    } catch (error) {
      if (!isNotKnownYet(error)) throw error
      // Only this condition reports the problem. The other conditions keep their earlier findings.
      if (condition !== 'MachineDeploymentsReady') return { again: AGAIN }
      const change = readyWithoutMembers(management)
      return change.status === 'False' ? { condition: change, again: AGAIN } : { unanswered: change, again: AGAIN }
    }
  },
})

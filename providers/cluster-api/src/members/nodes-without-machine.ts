import type { NodeClaim } from '@kerf/apis'
import type { ClusterAPINodeClass } from '../node-class/cluster-api-node-class.ts'
import type { Machine } from '../objects/machine.ts'
import type { MemberProblem } from './member-problem.ts'

/**
 * Returns the Nodes of a node class's NodeClaims for which there is no Machine. Either somebody deleted the Machine object but not the
 * machine itself, or the machine belongs to another management cluster. `machinesWith` returns the Machines with a provider ID.
 */
export const nodesWithoutMachine = (
  nodeClass: ClusterAPINodeClass,
  claims: Iterable<NodeClaim>,
  machinesWith: (providerId: string) => readonly Machine[],
): readonly MemberProblem[] =>
  [...claims].flatMap((claim): readonly MemberProblem[] => {
    const { providerID, nodeName } = claim.status ?? {}
    const isOf =
      claim.spec.nodeClassRef.name === nodeClass.metadata.name && claim.spec.nodeClassRef.kind === nodeClass.kind
    if (!isOf || claim.metadata.deletionTimestamp !== undefined) return []
    if (providerID === undefined || nodeName === undefined || machinesWith(providerID).length > 0) return []
    return [
      {
        reason: 'NodeWithoutMachine',
        consequence: 'report-only',
        object: { kind: 'Node', name: nodeName },
        detail: `no Machine has its provider ID ${providerID}`,
        remedy: `delete NodeClaim ${claim.metadata.name} if the machine is gone; if it still runs, delete it in the infrastructure, because Cluster API has no record of it`,
      },
    ]
  })

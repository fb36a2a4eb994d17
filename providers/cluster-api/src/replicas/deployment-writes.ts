import { karpenterKinds, labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'
import { deleteMark } from '../machines/deployment-state.ts'
import type { ManagementCluster, NamespacedName } from '../management/management-cluster.ts'
import { textOfName } from '../management/namespaced-name.ts'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import { type Machine, readMachine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { ReplicasDecision } from './desired-replicas.ts'

/**
 * All of Kerf's writes about Machines, each as one call. If Kerf decided a write from a read, the write contains the resourceVersion of
 * that read. After a conflict, Kerf must make the decision again (`providers/cluster-api/docs/spec/cluster-api.md#replicas`).
 * Every method throws ApiError.
 */
export class DeploymentWrites {
  readonly #management: ManagementCluster
  readonly #workload: KubeClient

  constructor(management: ManagementCluster, workload: KubeClient) {
    this.#management = management
    this.#workload = workload
  }

  async scale(deployment: MachineDeployment, decision: ReplicasDecision, signal: AbortSignal): Promise<void> {
    const { replicas, ofOthers } = decision
    const { resourceVersion } = deployment
    const annotations = {
      [clusterApiAnnotations.replicasWanted]: String(replicas),
      [clusterApiAnnotations.replicasOfOthers]: String(ofOthers),
    }
    const body = { metadata: { resourceVersion, annotations }, spec: { replicas } }
    await this.#management.patch(this.#management.kinds.MachineDeployment, deployment, body, signal)
  }

  /** Makes the first write of a binding: the label and the NodeClaim's UID on the Machine. */
  async take(machine: Machine, claim: NodeClaim, signal: AbortSignal): Promise<Machine> {
    const { name, uid = '' } = claim.metadata
    return await this.#patchMachine(
      machine,
      {
        labels: { [clusterApiLabels.member]: '' },
        annotations: {
          [clusterApiAnnotations.nodeClaimUid]: uid,
          [clusterApiAnnotations.nodeClaim]: name,
          [clusterApiAnnotations.nodePool]: claim.metadata.labels?.[labels.nodePool] ?? '',
        },
      },
      signal,
    )
  }

  /** Makes the second write of a binding: the name of the Machine on the NodeClaim. */
  async name(machine: NamespacedName, claim: NodeClaim, signal: AbortSignal): Promise<void> {
    await this.annotateClaim(claim, { [clusterApiAnnotations.machine]: textOfName(machine) }, signal)
  }

  /** Annotates exactly this NodeClaim. The server refuses the write if another claim has its name. */
  async annotateClaim(
    claim: NodeClaim,
    annotations: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, uid } = claim.metadata
    const body = { metadata: { uid, annotations } }
    await this.#workload.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body }, { signal })
  }

  async mark(machine: Machine, now: Milliseconds, signal: AbortSignal): Promise<Machine> {
    const annotations = { [clusterApiAnnotations.deleteMachine]: deleteMark(now) }
    return await this.#patchMachine(machine, { annotations }, signal)
  }

  async unmark(machine: Machine, signal: AbortSignal): Promise<Machine> {
    return await this.#patchMachine(machine, { annotations: { [clusterApiAnnotations.deleteMachine]: null } }, signal)
  }

  /** Deletes exactly this Machine. Succeeds if the Machine is already gone. */
  async delete({ namespace, name, uid }: Machine, signal: AbortSignal): Promise<void> {
    const { client, kinds } = this.#management
    try {
      await client.delete(kinds.Machine, { namespace, name }, { signal, preconditions: { uid } })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  async #patchMachine(machine: Machine, metadata: object, signal: AbortSignal): Promise<Machine> {
    const { kinds } = this.#management
    const body = { metadata: { resourceVersion: machine.resourceVersion, ...metadata } }
    return readMachine(await this.#management.patch(kinds.Machine, machine, body, signal))
  }
}

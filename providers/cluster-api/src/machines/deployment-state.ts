import { formatTime, type Milliseconds, type NodeClaim, parseTime } from '@kerf/apis'
import { readMaxSize } from '../instance-type/max-size.ts'
import type { FreshDeployment, NamespacedName } from '../management/management-cluster.ts'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import type { Machine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { chosenDeployment, claimMachineName } from './claim-annotations.ts'
import type { ClaimView, DeleteMark, DeploymentState, DeploymentView, MachineView } from './machine-view.ts'

/** Returns the state for decisions about one MachineDeployment, built from objects of both clusters. */
export const toDeploymentState = (
  { deployment, sets, machines }: FreshDeployment,
  claims: readonly NodeClaim[],
  now: Milliseconds,
): DeploymentState => ({
  deployment: deploymentViewOf(deployment),
  sets: sets.map(({ name, revision = 0, replicas }) => ({ name, revision, replicas })),
  machines: machines.map((machine) => toMachineView(machine, now)),
  claims: claims.map((claim) => claimViewOf(claim, deployment)),
})

const deploymentViewOf = (deployment: MachineDeployment): DeploymentView => {
  const { namespace, name, replicas, annotations, strategy, templateLabels } = deployment
  const maximum = readMaxSize(deployment)
  return {
    ...{ namespace, name, replicas },
    lastWritten: wholeNumber(annotations[clusterApiAnnotations.replicasWanted]),
    ofOthers: wholeNumber(annotations[clusterApiAnnotations.replicasOfOthers]),
    // If the strategy is unknown, the stricter rules apply.
    strategy: strategy === 'OnDelete' ? 'OnDelete' : 'RollingUpdate',
    maximum,
    bornMember: templateLabels[clusterApiLabels.member] !== undefined,
  }
}

/** How long a create waits until a Machine that is being deleted frees its replica. Most Machines are gone within this time. */
const LINGERS_AFTER: Milliseconds = 30_000

export const toMachineView = (machine: Machine, now: Milliseconds): MachineView => ({
  name: machine.name,
  uid: machine.uid,
  set: machine.setName,
  createdAt: machine.createdAt ?? 0,
  member: machine.isMember,
  claimUid: machine.annotations[clusterApiAnnotations.nodeClaimUid],
  mark: parseMark(machine.annotations[clusterApiAnnotations.deleteMachine]),
  deleting: machine.isDeleting,
  lingering: machine.isDeleting && machine.deletedAt !== undefined && now - machine.deletedAt >= LINGERS_AFTER,
  failed: machine.phase === 'Failed',
  registered: machine.nodeName !== undefined,
})

const claimViewOf = (claim: NodeClaim, { namespace, name }: NamespacedName): ClaimView => {
  const machine = claimMachineName(claim)
  const chosen = chosenDeployment(claim)
  return {
    name: claim.metadata.name,
    uid: claim.metadata.uid ?? '',
    machine: machine?.namespace === namespace ? machine.name : undefined,
    deleting: claim.metadata.deletionTimestamp !== undefined,
    waiting: chosen?.namespace === namespace && chosen.name === name && (claim.status?.providerID ?? '') === '',
  }
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : undefined

const OURS = 'kerf.sh '

/** Returns Kerf's value of `cluster.x-k8s.io/delete-machine`. Cluster API only checks that the annotation exists. */
export const deleteMark = (now: Milliseconds): string => `${OURS}${formatTime(now)}`

const parseMark = (value: string | undefined): DeleteMark | undefined => {
  if (value === undefined) return undefined
  return value.startsWith(OURS)
    ? { by: 'kerf', at: parseTime(value.slice(OURS.length)) }
    : { by: 'others', at: undefined }
}

import type { NamespacedName } from '../management/management-cluster.ts'
import { clusterApiLabels } from '../names.ts'
import type { ClusterAPINodeClass } from '../node-class/cluster-api-node-class.ts'
import type { Cluster } from '../objects/cluster.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { deploymentProblems, isSame } from './deployment-problems.ts'
import type { Member, Membership } from './member.ts'
import type { MemberProblem } from './member-problem.ts'
import { readSelection, type Selection } from './selection.ts'

/** The objects from which the members of a node class are determined. */
export interface MembershipView {
  /** MachineDeployments of every Cluster. */
  readonly deployments: readonly MachineDeployment[]
  /** All Clusters. Empty if Kerf is not allowed to read them. In that case it is unknown which Clusters are paused. */
  readonly clusters: readonly Cluster[]
  /** The Cluster that Kerf manages. */
  readonly ownCluster: NamespacedName
  /** All classes, including this one. */
  readonly nodeClasses: Iterable<ClusterAPINodeClass>
}

/**
 * Returns the MachineDeployments of our own Cluster that a node class selects, and the problems with them
 * (`providers/cluster-api/docs/spec/cluster-api.md#members`). Both are sorted by namespace and name. A pure function that never throws.
 */
export const nodeClassMembers = (nodeClass: ClusterAPINodeClass, view: MembershipView): Membership => {
  const selection = readSelection(nodeClass)
  if (!isSelection(selection)) return { members: [], problems: selection }
  const isOwn = ({ namespace, clusterName }: MachineDeployment): boolean =>
    isSame({ namespace, name: clusterName }, view.ownCluster)
  const selected = view.deployments.filter(({ labels }) => selection.matches(labels)).sort(byName)
  const own = selected.filter(isOwn)
  const others = selection.isOwn ? selected.filter((deployment) => !isOwn(deployment)) : []
  const cluster = view.clusters.find((each) => isSame(each, view.ownCluster))
  const rivals = nodeClassRivals(nodeClass, view)
  const members = own.map(
    (deployment): Member => ({
      deployment,
      mayLaunch:
        !deployment.isPaused && !deployment.isDeleting && cluster?.isPaused !== true && cluster?.isDeleting !== true,
      mayDrift: deployment.strategy === 'OnDelete',
    }),
  )
  const problems = [
    ...(own.length === 0 ? [nothingSelected(nodeClass, selection, view)] : []),
    ...(others.length === 0 ? [] : [ofOthers(nodeClass, others)]),
    ...(selection.isOwn ? [] : view.deployments.filter(isOwn).sort(byName).flatMap(withValue)),
    ...(own.length === 0 || cluster === undefined ? [] : clusterProblems(cluster)),
    ...own.flatMap((deployment) => [
      ...deploymentProblems(deployment),
      ...rivals.filter(({ matches }) => matches(deployment)).map(({ name }) => selectedTwice(deployment, name)),
    ]),
  ]
  return { members, problems }
}

const isSelection = (selection: Selection | readonly MemberProblem[]): selection is Selection => 'matches' in selection

const byName = (a: MachineDeployment, b: MachineDeployment): number => {
  const [left, right] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`]
  return left < right ? -1 : left > right ? 1 : 0
}

interface Rival {
  readonly name: string
  matches(deployment: MachineDeployment): boolean
}

/** Returns the other node classes that may launch machines. Excludes classes that are being deleted. */
const nodeClassRivals = (nodeClass: ClusterAPINodeClass, { nodeClasses }: MembershipView): readonly Rival[] =>
  [...nodeClasses].flatMap((other): readonly Rival[] => {
    const { name, deletionTimestamp } = other.metadata
    const selection = readSelection(other)
    if (name === nodeClass.metadata.name || deletionTimestamp !== undefined || !isSelection(selection)) return []
    return [{ name, matches: ({ labels }) => selection.matches(labels) }]
  })

const classOf = ({ metadata }: ClusterAPINodeClass): MemberProblem['object'] => ({
  kind: 'ClusterAPINodeClass',
  name: metadata.name,
})

const machineDeploymentObject = ({ namespace, name }: MachineDeployment): MemberProblem['object'] => ({
  kind: 'MachineDeployment',
  namespace,
  name,
})

const nothingSelected = (
  nodeClass: ClusterAPINodeClass,
  { isOwn }: Selection,
  { ownCluster }: MembershipView,
): MemberProblem => ({
  reason: 'NothingSelected',
  consequence: 'report-only',
  object: classOf(nodeClass),
  detail: `no MachineDeployment of Cluster ${ownCluster.namespace}/${ownCluster.name} ${
    isOwn ? 'matches spec.scalableResourceSelector' : `has the label ${clusterApiLabels.member} with an empty value`
  }`,
  remedy: isOwn
    ? 'correct the selector, or the labels of the MachineDeployments'
    : `label one: kubectl label machinedeployment NAME ${clusterApiLabels.member}=`,
})

const SHOWN = 5

/**
 * Returns one problem for all MachineDeployments of other Clusters, because a management cluster with many Clusters may have hundreds of
 * them.
 */
const ofOthers = (nodeClass: ClusterAPINodeClass, others: readonly MachineDeployment[]): MemberProblem => {
  const shown = others
    .slice(0, SHOWN)
    .map(({ namespace, name, clusterName }) => `${namespace}/${name} of ${clusterName}`)
  const rest = others.length - shown.length
  return {
    reason: 'OtherCluster',
    consequence: 'report-only',
    object: classOf(nodeClass),
    detail: `spec.scalableResourceSelector also matches MachineDeployments of other Clusters, which are not used: ${shown.join(', ')}${
      rest === 0 ? '' : ` and ${rest} more`
    }`,
    remedy: `add the label ${clusterApiLabels.clusterName} to the selector`,
  }
}

const withValue = (deployment: MachineDeployment): readonly MemberProblem[] => {
  const value = deployment.labels[clusterApiLabels.member]
  if (value === undefined || value === '') return []
  return [
    {
      reason: 'MemberLabelHasValue',
      consequence: 'not-used',
      object: machineDeploymentObject(deployment),
      detail: `its label ${clusterApiLabels.member} has the value ${JSON.stringify(value)}, but must be empty`,
      remedy: 'set it to an empty value, or select the MachineDeployment with spec.scalableResourceSelector',
    },
  ]
}

const clusterProblems = (cluster: Cluster): readonly MemberProblem[] => {
  const object = { kind: 'Cluster', namespace: cluster.namespace, name: cluster.name }
  const common = { consequence: 'no-launch', object } as const
  if (cluster.isDeleting)
    return [{ ...common, reason: 'Deleting', detail: 'it is being deleted', remedy: 'select those of another Cluster' }]
  if (!cluster.isPaused) return []
  return [
    {
      ...common,
      reason: 'ClusterPaused',
      detail: 'it is paused, so Cluster API neither creates nor deletes Machines',
      remedy: `set spec.paused to false, and remove the annotation cluster.x-k8s.io/paused if it is set`,
    },
  ]
}

const selectedTwice = (deployment: MachineDeployment, other: string): MemberProblem => ({
  reason: 'SelectedTwice',
  consequence: 'report-only',
  object: machineDeploymentObject(deployment),
  detail: `ClusterAPINodeClass ${other} also selects it, so both launch from it and share its maximum size`,
  remedy: 'make their selectors mutually exclusive',
})

import { type ConditionChange, labels, type NodeOverlay, type NodePool } from '@kerf/apis'
import type { DeclaredPrices } from '@kerf/provider-contract'
import type { LaunchSource, MergedTypes } from '../instance-type/merged-types.ts'
import { type DeploymentProblem, describeProblem } from '../instance-type/problem.ts'
import { describeManagementProblem, type ManagementProblem } from '../management/management-problem.ts'
import type { Membership } from '../members/member.ts'
import { describeMemberProblem, type MemberProblem } from '../members/member-problem.ts'
import { clusterApiAnnotations } from '../names.ts'
import { boundedText } from './bounded-text.ts'
import { isPricedByOverlays } from './overlay-price.ts'

/** The inputs of a node class's conditions (`providers/cluster-api/docs/spec/cluster-api.md#conditions`). */
export interface KnownOfClass {
  readonly membership: Membership
  readonly types: MergedTypes
  readonly management: readonly ManagementProblem[]
  /** All NodeOverlays. Empty while the feature gate is off. */
  readonly overlays: readonly NodeOverlay[]
  /** The prices of the price book. */
  readonly declared: Pick<DeclaredPrices, 'find'>
  /** The NodePools that refer to the node class. */
  readonly pools: readonly NodePool[]
}

/**
 * Returns the MachineDeploymentsReady condition for a node class whose members are unknown because of a problem with the management
 * cluster.
 */
export const readyWithoutMembers = (problems: readonly ManagementProblem[]): ConditionChange => ({
  type: 'MachineDeploymentsReady',
  status: problems.some(isLasting) ? 'False' : 'Unknown',
  reason: problems[0]?.reason ?? 'ManagementClusterNotKnownYet',
  message: boundedText(problems.map((problem) => `${describeManagementProblem(problem)}.`)),
})

/** Returns true if only a user can fix the problem. A failed connection may recover at any time, so NodeClaims wait for it. */
const isLasting = ({ reason }: ManagementProblem): boolean => {
  switch (reason) {
    case 'ClusterApiMissing':
    case 'OwnClusterUnproved':
    case 'OwnClusterContradicted':
    case 'OwnClusterMissing':
      return true
    case 'ManagementClusterUnreachable':
    case 'ManagementCredentialsRefused':
    case 'ManagementPermissionMissing':
      return false
  }
}

/** Returns the condition that shows whether at least one MachineDeployment of the node class has an instance type. */
export const machineDeploymentsReady = ({ membership, types }: KnownOfClass): ConditionChange => {
  const type = 'MachineDeploymentsReady'
  if (types.types.length > 0) return { type, status: 'True' }
  if (membership.members.length === 0) {
    const problems = membership.problems.filter((problem) => !isHint(problem))
    const message = boundedText(problems.map(describeMemberProblem))
    return { type, status: 'False', reason: problems[0]?.reason ?? 'NothingSelected', message }
  }
  const message = boundedText(
    types.problems.filter(({ consequence }) => consequence === 'no-type').map(describeProblem),
  )
  return { type, status: 'False', reason: 'NoInstanceTypes', message }
}

/**
 * Returns true if the user may have intended the state that the problem reports. Kerf still reports the problem, but the condition stays
 * True.
 */
const isHint = ({ reason }: MemberProblem): boolean => reason === 'ScaledByOthers'

const isOfPrice = ({ reason }: DeploymentProblem): boolean => reason === 'PriceClash' || reason === 'PriceUnreadable'

/** Returns the condition that shows whether everything that the node class selects is free of problems. */
export const membersClear = ({ membership, types, management }: KnownOfClass): ConditionChange => {
  const type = 'MembersClear'
  const deployments = types.problems.filter((problem) => !isOfPrice(problem))
  const members = membership.problems.filter((problem) => !isHint(problem))
  const reasons = [...management, ...members, ...deployments].map(({ reason }) => reason)
  const message = boundedText([
    ...management.map((problem) => `${describeManagementProblem(problem)}.`),
    ...members.map(describeMemberProblem),
    ...deployments.map(describeProblem),
    ...membership.problems.filter(isHint).map(describeMemberProblem),
  ])
  const [reason] = reasons
  if (reason === undefined) return { type, status: 'True', message }
  return { type, status: 'False', reason: new Set(reasons).size === 1 ? reason : 'SeveralProblems', message }
}

/** Returns the condition that shows whether each MachineDeployment has a price. */
export const pricesKnown = ({ types, overlays, declared, pools }: KnownOfClass): ConditionChange => {
  const type = 'PricesKnown'
  const isDeclared = (name: string, { capacityType, labels: own }: LaunchSource): boolean =>
    declared.find(name, capacityType, own[labels.zone]) !== undefined
  const unknown = types.types.flatMap((each) =>
    (types.sources.get(each.name) ?? [])
      .filter((source) => source.price === undefined && !isDeclared(each.name, source))
      .filter((source) => !isPricedByOverlays({ type: each, source }, overlays, pools))
      .map((source) => ({
        typeName: each.name,
        deployment: `${source.deployment.namespace}/${source.deployment.name}`,
      })),
  )
  const problems = types.problems.filter(isOfPrice)
  const missing = unknown.length === 0 ? [] : [unknownPrices(unknown)]
  const message = boundedText([...missing, ...problems.map(describeProblem)])
  if (unknown.length > 0) return { type, status: 'False', reason: 'PricesUnknown', message }
  const [problem] = problems
  return problem === undefined ? { type, status: 'True' } : { type, status: 'False', reason: problem.reason, message }
}

const SHOWN = 10

const unknownPrices = (unknown: readonly { readonly typeName: string; readonly deployment: string }[]): string => {
  const deployments = listed(unknown.map(({ deployment }) => deployment))
  const names = listed(unknown.map(({ typeName }) => typeName))
  return `The price of MachineDeployment ${deployments} is unknown: annotate each with ${clusterApiAnnotations.hourlyPrice}, in US dollars per hour and machine, or give the instance type ${names} a price with the price book of the ClusterPolicy or a NodeOverlay. Until then only their empty nodes are removed, because the saving of a move is unknown.`
}

const listed = (names: readonly string[]): string => {
  const distinct = [...new Set(names)].toSorted()
  const rest = distinct.length - SHOWN
  return `${distinct.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

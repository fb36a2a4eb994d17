import type { NamespacedName } from '../management/management-cluster.ts'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { MemberProblem } from './member-problem.ts'

export const isSame = (a: NamespacedName, b: NamespacedName): boolean =>
  a.namespace === b.namespace && a.name === b.name

/** Returns the problems of a single member (`providers/cluster-api/docs/spec/cluster-api.md#members`). */
export const deploymentProblems = (deployment: MachineDeployment): readonly MemberProblem[] => {
  const { namespace, name } = deployment
  const object = { kind: 'MachineDeployment', namespace, name }
  return checks.flatMap((check) => {
    const problem = check(deployment)
    return problem === undefined ? [] : [{ ...problem, object }]
  })
}

type Check = (deployment: MachineDeployment) => Omit<MemberProblem, 'object'> | undefined

const deleting: Check = ({ isDeleting }) =>
  isDeleting
    ? {
        reason: 'Deleting',
        consequence: 'no-launch',
        detail: 'it is being deleted',
        remedy: 'move its pods by deleting the NodeClaims, or select another MachineDeployment',
      }
    : undefined

const paused: Check = ({ isPaused }) =>
  isPaused
    ? {
        reason: 'Paused',
        consequence: 'no-launch',
        detail: 'it is paused, so Cluster API neither creates nor deletes Machines',
        remedy: 'remove the annotation cluster.x-k8s.io/paused, and set spec.paused to false',
      }
    : undefined

const memberLabelInTemplate: Check = ({ templateLabels }) =>
  templateLabels[clusterApiLabels.member] === undefined
    ? undefined
    : {
        reason: 'MemberLabelInTemplate',
        consequence: 'report-only',
        detail: `spec.template.metadata.labels has ${clusterApiLabels.member}, so the label does not show which Machines belong to a NodeClaim; the upstream provider would scale it without limit`,
        remedy: 'remove the label from the template, and keep it on the MachineDeployment',
      }

const rollingUpdate: Check = ({ strategy }) =>
  strategy === 'OnDelete'
    ? undefined
    : {
        reason: 'RollingUpdateReplacesNodes',
        consequence: 'no-drift',
        detail: `its rollout strategy is ${strategy}: after a change of the template, Cluster API replaces the nodes itself, ignores budgets, and the new nodes have no NodeClaim`,
        remedy: 'set spec.rollout.strategy.type to OnDelete (in v1beta1 spec.strategy.type)',
      }

const scaledByOthers: Check = ({ annotations, replicas }) => {
  const held = Number(annotations[clusterApiAnnotations.replicasOfOthers] ?? 0)
  if (!Number.isSafeInteger(held) || held <= 0) return undefined
  return {
    reason: 'ScaledByOthers',
    consequence: 'report-only',
    detail: `${held} of its ${replicas} replicas were not requested by Kerf, and Kerf keeps them`,
    remedy: `no action if that is intended; otherwise lower spec.replicas by ${held}`,
  }
}

const checks: readonly Check[] = [deleting, paused, memberLabelInTemplate, rollingUpdate, scaledByOthers]

import {
  type Condition,
  type Deployment,
  type DeploymentStatus,
  formatTime,
  type Milliseconds,
  parseTime,
  type ReplicaSet,
} from '@kerf/apis'
import { replicaCount, rolloutLeeway, wantedReplicas } from './rollout.ts'

type DeploymentCondition = Condition & { readonly lastUpdateTime?: string }

const sum = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number | undefined): number =>
  sets.reduce((count, set) => count + (of(set) ?? 0), 0)

const deploymentCondition = (deployment: Deployment, type: string): DeploymentCondition | undefined =>
  deployment.status?.conditions?.find((condition) => condition.type === type)

const availability = (deployment: Deployment, available: number): DeploymentCondition => {
  const enough = available >= wantedReplicas(deployment) - rolloutLeeway(deployment).unavailable
  return enough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
}

/** Returns whether all replicas are updated and available, and no old replicas remain. `kubectl rollout status` waits for this. */
export const isComplete = (deployment: Deployment, status: DeploymentStatus): boolean => {
  const wanted = wantedReplicas(deployment)
  return status.updatedReplicas === wanted && status.replicas === wanted && status.availableReplicas === wanted
}

const deploymentDeadline = (deployment: Deployment): Milliseconds => {
  const seconds = deployment.spec.progressDeadlineSeconds ?? 600
  return seconds >= 2_147_483_647 ? Number.POSITIVE_INFINITY : seconds * 1000
}

/** Returns the time at which a rollout without progress must be reported as failed, or `undefined` if no rollout is in progress. */
export const progressDeadline = (deployment: Deployment): Milliseconds | undefined => {
  const progressing = deploymentCondition(deployment, 'Progressing')
  if (progressing === undefined || progressing.reason === 'NewReplicaSetAvailable') return undefined
  if (progressing.status !== 'True') return undefined
  const since = parseTime(progressing.lastUpdateTime)
  return since === undefined ? undefined : since + deploymentDeadline(deployment)
}

const progress = (
  deployment: Deployment,
  current: ReplicaSet | undefined,
  counts: DeploymentStatus,
  now: Milliseconds,
): DeploymentCondition | undefined => {
  const present = deploymentCondition(deployment, 'Progressing')
  if (deployment.spec.paused === true) {
    return { type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' }
  }
  if (present?.reason === 'DeploymentPaused') {
    return { type: 'Progressing', status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' }
  }
  const name = current?.metadata.name
  if (current !== undefined && isComplete(deployment, counts)) {
    const message = `ReplicaSet "${name}" has successfully progressed.`
    return { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message }
  }
  const old = deployment.status ?? {}
  const moved =
    (counts.updatedReplicas ?? 0) > (old.updatedReplicas ?? 0) ||
    (counts.availableReplicas ?? 0) > (old.availableReplicas ?? 0) ||
    (counts.readyReplicas ?? 0) > (old.readyReplicas ?? 0) ||
    (counts.replicas ?? 0) - (counts.updatedReplicas ?? 0) < (old.replicas ?? 0) - (old.updatedReplicas ?? 0)
  const rolling = current !== undefined && (replicaCount(current) > 0 || wantedReplicas(deployment) === 0)
  if (present === undefined || moved) {
    const created = present === undefined && rolling
    return {
      type: 'Progressing',
      status: 'True',
      reason: created ? 'NewReplicaSetCreated' : 'ReplicaSetUpdated',
      message: created ? `Created new replica set "${name}"` : `ReplicaSet "${name}" is progressing.`,
    }
  }
  const deadline = progressDeadline(deployment)
  if (deadline !== undefined && now >= deadline) {
    const message = `ReplicaSet "${name}" has timed out progressing.`
    return { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message }
  }
  // A finished rollout remains finished even if a pod is lost later. Only a new template starts another rollout.
  return present
}

const placed = (deployment: Deployment, condition: DeploymentCondition, now: Milliseconds): DeploymentCondition => {
  const present = deploymentCondition(deployment, condition.type)
  if (present === condition) return condition
  const unchanged = present?.status === condition.status && present.reason === condition.reason
  const restarted = condition.reason === 'ReplicaSetUpdated'
  return {
    ...condition,
    lastUpdateTime: unchanged && !restarted ? (present?.lastUpdateTime ?? formatTime(now)) : formatTime(now),
    lastTransitionTime:
      present?.status === condition.status ? (present.lastTransitionTime ?? formatTime(now)) : formatTime(now),
  }
}

/** Computes the status from the ReplicaSets. */
export const deploymentStatus = (
  deployment: Deployment,
  current: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  now: Milliseconds,
): DeploymentStatus => {
  const replicas = sum(all, (set) => set.status?.replicas)
  const availableReplicas = sum(all, (set) => set.status?.availableReplicas)
  const counts: DeploymentStatus = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas,
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(all, (set) => set.status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum(all, replicaCount) - availableReplicas),
  }
  const progressing = progress(deployment, current, counts, now)
  const conditions = [availability(deployment, availableReplicas), ...(progressing === undefined ? [] : [progressing])]
  return { ...counts, conditions: conditions.map((condition) => placed(deployment, condition, now)) }
}

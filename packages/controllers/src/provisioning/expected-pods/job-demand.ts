import { isActive, isScheduled, isTerminal, isTerminating, type Job, type Pod } from '@kerf/apis'
import { failedToSchedule } from '../../pod/pod-predicates.ts'
import { type Demand, newestPod, noDemand } from './demand.ts'

/** The value of `spec.managedBy` for Jobs that the Job controller of Kubernetes handles. */
const JOB_CONTROLLER = 'kubernetes.io/job-controller'
/** The finalizer of pods that the Job's status does not include yet. */
const TRACKING = 'batch.kubernetes.io/job-tracking'

/**
 * Returns the pods that a Job has not created yet: at most `parallelism` at a time, and at most as many as the remaining completions
 * (https://kubernetes.io/docs/concepts/workloads/controllers/job/). `pods` are the pods that the Job controls. If any pod of the Job can
 * already run, further pods are expected only after one has succeeded, because a Job whose pods fail at once creates few pods. If
 * kube-scheduler has refused all existing pods, further pods are expected at once, because a pod without a node cannot fail.
 */
export const jobDemand = (job: Job, pods: readonly Pod[]): Demand => {
  const { spec, status } = job
  if (spec.managedBy !== undefined && spec.managedBy !== JOB_CONTROLLER) return noDemand('managed-elsewhere')
  if (spec.suspend === true) return noDemand('suspended')
  if (status?.conditions?.some(({ type, status: value }) => FINAL.has(type) && value === 'True') === true) {
    return noDemand('complete')
  }
  const active = pods.filter(isActive)
  const count = wantedPods(job, pods) - active.length - replacedLater(job, pods)
  if (count <= 0) return noDemand('complete')
  if ((status?.failed ?? 0) > 0 || pods.some((pod) => pod.status?.phase === 'Failed')) return noDemand('failed-pods')
  const template = newestPod(active)
  if (template === undefined) return noDemand('no-pod-of-revision')
  const isProven = succeededPods(job, pods) > 0 || (active.some(failedToSchedule) && !active.some(isScheduled))
  return isProven ? { kind: 'missing', template, count } : noDemand('unproven')
}

/** The conditions that stop a Job from creating pods. */
const FINAL: ReadonlySet<string> = new Set(['Complete', 'Failed', 'SuccessCriteriaMet', 'FailureTarget', 'Suspended'])

/** Returns how many pods of the Job should currently be active. */
const wantedPods = (job: Job, pods: readonly Pod[]): number => {
  const { parallelism = 1, completions, backoffLimitPerIndex } = job.spec
  const succeeded = succeededPods(job, pods)
  // A Job without completions processes a work queue. It creates no new pods after the first success.
  if (completions === undefined) return succeeded > 0 ? 0 : parallelism
  const failed = backoffLimitPerIndex === undefined ? 0 : indexCount(job.status?.failedIndexes ?? '')
  return Math.min(parallelism, completions - succeeded - failed)
}

/** Returns how many pods have succeeded. Includes pods that the status of the Job does not count yet. */
const succeededPods = ({ status }: Job, pods: readonly Pod[]): number => {
  const uncounted = new Set(status?.uncountedTerminatedPods?.succeeded ?? [])
  const unseen = pods.filter(
    ({ metadata, status: { phase } = {} }) =>
      phase === 'Succeeded' && metadata.finalizers?.includes(TRACKING) === true && !uncounted.has(metadata.uid ?? ''),
  )
  return (status?.succeeded ?? 0) + uncounted.size + unseen.length
}

/** Returns the number of terminating pods that the Job replaces only after they have ended, because of `podReplacementPolicy: Failed`. */
const replacedLater = ({ spec }: Job, pods: readonly Pod[]): number =>
  spec.podReplacementPolicy === 'Failed' ? pods.filter((pod) => isTerminating(pod) && !isTerminal(pod)).length : 0

/** Returns the number of indexes in a list such as `1,3-5`. */
const indexCount = (text: string): number =>
  text
    .split(',')
    .filter((range) => range !== '')
    .reduce((sum, range) => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return sum + (last - first + 1)
    }, 0)

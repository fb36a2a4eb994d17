import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { deploymentProblem, type Reading, read } from './problem.ts'

const WHOLE = /^\+?[0-9]{1,9}$/

/** Returns true if the MachineDeployment may get another machine (`providers/cluster-api/docs/spec/cluster-api.md#instance-types`). */
export const mayGrow = (deployment: MachineDeployment): Reading<boolean> => {
  const key = clusterApiAnnotations.maxSize
  const found = deployment.annotations[key]
  if (found === undefined) return read(true)
  const text = found.trim()
  if (!WHOLE.test(text)) {
    return read(
      false,
      deploymentProblem(deployment, {
        reason: 'MaxSizeUnreadable',
        consequence: 'no-launch',
        key,
        found,
        detail: 'this is not a number of machines',
        remedy: 'set an integer, or remove the annotation for no limit',
      }),
    )
  }
  const size = Number(text)
  if (deployment.replicas <= size) return read(deployment.replicas < size)
  return read(
    false,
    deploymentProblem(deployment, {
      reason: 'MaxSizeExceeded',
      consequence: 'no-launch',
      key,
      found,
      detail: `the deployment has ${deployment.replicas} replicas`,
      remedy: 'raise the size, or wait until there are fewer machines; Kerf removes none because of it',
    }),
  )
}

/**
 * Returns the highest replica count that Kerf may write. If the annotation is invalid, Kerf allows no further replicas, as in `mayGrow`.
 */
export const readMaxSize = ({ annotations }: MachineDeployment): number | undefined => {
  const text = annotations[clusterApiAnnotations.maxSize]?.trim()
  if (text === undefined) return undefined
  return WHOLE.test(text) ? Number(text) : 0
}

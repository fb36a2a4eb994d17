import { type CapacityBuffer, type Pod, ProblemError, podRequests, tryParseQuantity } from '@kerf/apis'

/**
 * Returns how many replicas fit into the buffer's limits, or undefined if no limit applies to the requests of a replica.
 *
 * @throws ProblemError with the name of the field if a limit is not a quantity, because an invalid limit must not mean "no limit"
 */
const bufferLimit = (buffer: CapacityBuffer, shape: Pod): number | undefined => {
  const requests = podRequests(shape)
  let smallest: number | undefined
  for (const [name, text] of Object.entries(buffer.spec.limits ?? {})) {
    const limit = tryParseQuantity(text)
    if (limit === undefined)
      throw new ProblemError(
        `spec.limits.${name} must be a quantity, for example "100" or "500m", not ${JSON.stringify(text)}`,
      )
    const request = requests.get(name) ?? 0n
    if (request <= 0n) continue
    const pieces = Number(limit / request)
    if (smallest === undefined || pieces < smallest) smallest = pieces
  }
  return smallest
}

/**
 * Returns this percentage of a workload's replicas, rounded up, or undefined if the workload has no replicas. A positive percentage gives
 * at least one replica.
 */
const replicaShare = (replicas: number, percentage: number): number | undefined => {
  if (replicas <= 0) return undefined
  const share = Math.ceil((replicas * percentage) / 100)
  return percentage > 0 ? Math.max(1, share) : share
}

/**
 * Returns for how many replicas a buffer reserves capacity (`docs/spec/static-pools-buffers-overlays.md#capacity-buffers`). `replicas` is
 * the number of replicas of the workload that the buffer refers to, or undefined if the buffer refers to a template.
 */
export const bufferSize = (buffer: CapacityBuffer, shape: Pod, replicas: number | undefined): number => {
  const { percentage } = buffer.spec
  const share = replicas === undefined || percentage === undefined ? undefined : replicaShare(replicas, percentage)
  const sizes = [buffer.spec.replicas, share].filter((size) => size !== undefined)
  const limit = bufferLimit(buffer, shape)
  if (sizes.length === 0) return limit ?? 0
  const wanted = Math.max(...sizes)
  return limit === undefined ? wanted : Math.min(wanted, limit)
}

import { type CapacityBuffer, type Pod, podRequests, tryParseQuantity } from '@kerf/apis'

/**
 * How many pieces fit into the buffer's limits; nothing when no limit concerns what a piece asks for.
 *
 * @throws Error that names the field for a limit that is not a quantity: it does not mean that there is no limit
 */
const limitOf = (buffer: CapacityBuffer, shape: Pod): number | undefined => {
  const requests = podRequests(shape)
  let smallest: number | undefined
  for (const [name, text] of Object.entries(buffer.spec.limits ?? {})) {
    const limit = tryParseQuantity(text)
    if (limit === undefined)
      throw new Error(
        `spec.limits.${name} must be a quantity, for example "100" or "500m", not ${JSON.stringify(text)}`,
      )
    const request = requests.get(name) ?? 0n
    if (request <= 0n) continue
    const pieces = Number(limit / request)
    if (smallest === undefined || pieces < smallest) smallest = pieces
  }
  return smallest
}

/** A share of a workload, rounded up and never nothing of something. */
const shareOf = (replicas: number, percentage: number): number | undefined => {
  if (replicas <= 0) return undefined
  const share = Math.ceil((replicas * percentage) / 100)
  return percentage > 0 ? Math.max(1, share) : share
}

/**
 * How many replicas a buffer keeps capacity for (`docs/spec/static-pools-buffers-overlays.md#capacity-buffers`). `replicas`
 * is the size of the workload it refers to, absent when it refers to a template.
 */
export const bufferSize = (buffer: CapacityBuffer, shape: Pod, replicas: number | undefined): number => {
  const { percentage } = buffer.spec
  const share = replicas === undefined || percentage === undefined ? undefined : shareOf(replicas, percentage)
  const sizes = [buffer.spec.replicas, share].filter((size) => size !== undefined)
  const limit = limitOf(buffer, shape)
  if (sizes.length === 0) return limit ?? 0
  const wanted = Math.max(...sizes)
  return limit === undefined ? wanted : Math.min(wanted, limit)
}

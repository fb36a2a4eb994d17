import { type Milliseconds, parseTime, tryParseDuration } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const HOUR = 3_600_000
const SHARE = 0.2
/** Minimum number of nodes for this check. With fewer nodes, a single node is already a large share. */
const FEWEST = 10

/**
 * Finds the interval of one hour that contains the most of the given times. Returns the number of times in this interval, and the earliest
 * of these times. `times` must be sorted.
 */
const mostWithinHour = (times: readonly Milliseconds[]): { readonly count: number; readonly from: Milliseconds } => {
  let best = { count: 0, from: 0 }
  for (let first = 0, last = 0; last < times.length; last++) {
    while ((times[last] ?? 0) - (times[first] ?? 0) > HOUR) first++
    if (last - first + 1 > best.count) best = { count: last - first + 1, from: times[first] ?? 0 }
  }
  return best
}

export const pool009: Check = {
  id: 'POOL-009',
  group: 'pools',
  severity: 'warning',
  title: 'Nodes that expire together',
  why: 'Expiration ignores budgets. Nodes that were launched in one burst expire in one burst, and all their pods move at once.',
  reads: ['NodePool', 'NodeClaim'],
  examine({ nodePools, nodeClaims, now }) {
    const found = nodePools.flatMap(({ metadata }) => {
      const own = nodeClaims.filter(({ metadata: claim }) => claim.labels?.['karpenter.sh/nodepool'] === metadata.name)
      const ends = own
        .flatMap(({ metadata: claim, spec }) => {
          const created = parseTime(claim.creationTimestamp)
          const life = tryParseDuration(spec.expireAfter ?? 'Never')
          return created === undefined || life === undefined ? [] : [(created + life) as Milliseconds]
        })
        .filter((at) => at > now)
        .sort((a, b) => a - b)
      const { count, from } = mostWithinHour(ends)
      return own.length < FEWEST || count <= SHARE * own.length
        ? []
        : [
            {
              name: metadata.name,
              text: `${count} of ${own.length} nodes expire within an hour of ${new Date(from).toISOString().slice(0, 16)}Z`,
            },
          ]
    })
    return foundAny(
      found.map(({ name }) => `NodePool ${name}`),
      {
        seen: found.map(({ name, text }) => `${name}: ${text}`).join('; '),
        remedy: 'delete some of its NodeClaims earlier, a few at a time: kubectl delete nodeclaim NAME',
      },
      'at most a fifth of the nodes of each NodePool expire within an hour',
    )
  },
}

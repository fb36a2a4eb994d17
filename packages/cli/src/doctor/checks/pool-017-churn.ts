import { kinds, labels, type Milliseconds, parseTime } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const HOUR: Milliseconds = 3_600_000
/** Minimum number of disrupted nodes for this check. In a small NodePool, one or two disruptions are already a large share. */
const FEWEST = 5

export const pool017: Check = {
  id: 'POOL-017',
  group: 'pools',
  severity: 'warning',
  title: 'Nodes that are replaced repeatedly',
  why: 'More nodes of the NodePool were disrupted within an hour than it has, so pods were moved soon after they started. Common causes are a short consolidateAfter with a changing load, and Jobs without do-not-disrupt.',
  reads: ['NodePool', 'Event'],
  examine({ nodePools, nodeClaims, objects, now }) {
    const recent = new Set(
      objects
        .of(kinds.Event)
        .filter(({ reason, lastTimestamp, eventTime }) => {
          const at = parseTime(lastTimestamp) ?? parseTime(eventTime ?? undefined)
          return reason === 'DisruptionTerminating' && at !== undefined && now - at <= HOUR
        })
        .filter(({ involvedObject }) => involvedObject.kind === 'NodeClaim')
        .map(({ involvedObject }) => involvedObject.name ?? ''),
    )
    const found = nodePools.flatMap(({ metadata }) => {
      const there = nodeClaims.filter((claim) => claim.metadata.labels?.[labels.nodePool] === metadata.name).length
      // The API server generates a NodeClaim's name from the NodePool's name and a dash, cut to 58 characters, plus five random
      // characters.
      const gone = [...recent].filter((name) => name.slice(0, -5) === `${metadata.name}-`.slice(0, 58)).length
      return gone >= FEWEST && gone > there ? [{ name: metadata.name, gone, there }] : []
    })
    return foundAny(
      found.map(({ name }) => `NodePool ${name}`),
      {
        seen: found
          .map(
            ({ name, gone, there }) =>
              `${name}: ${gone} nodes were disrupted within the last hour, and it has ${there}`,
          )
          .join('; '),
        remedy: `kubectl patch nodepool ${found[0]?.name ?? 'NAME'} --type merge -p '{"spec":{"disruption":{"consolidateAfter":"10m"}}}'`,
      },
      'no NodePool replaces its nodes within the hour',
    )
  },
}

import {
  formatQuantity,
  isConditionTrue,
  karpenterKinds,
  type Milliseconds,
  type Node,
  type NodeClaim,
  ownValue,
  parseResources,
  quantityFormat,
} from '@kerf/apis'
import { type Controller, done, isConflict, retry, retryAfter, TtlCache } from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { eventObject } from '../event-object.ts'
import { withCondition, writeClaim } from './claim-changes.ts'
import { ClaimNodes } from './claim-nodes.ts'
import { isManagedClaim } from './ownership.ts'

const PERIOD: Milliseconds = 600_000
const EXPECTED_SHARE = 0.9

/**
 * Returns the requested resources of which the node has less than the status of its claim. Returns none for claims that are not initialized
 * or are being deleted.
 */
export const shapeProblems = (claim: NodeClaim, node: Node): readonly string[] => {
  if (claim.metadata.deletionTimestamp !== undefined || !isConditionTrue(claim, 'Initialized')) return []
  const requests = parseResources(claim.spec.resources?.requests)
  const expected = parseResources(claim.status?.capacity)
  const found = parseResources(node.status?.capacity)
  return Object.entries(requests).flatMap(([name, request]) => {
    const promised = ownValue(expected, name) ?? 0n
    if (request === 0n || promised === 0n) return []
    const actual = ownValue(found, name) ?? 0n
    // The comparison uses integers, so that exactly 90 % is sufficient.
    if (actual * 10n >= promised * BigInt(EXPECTED_SHARE * 10)) return []
    const text = (amount: bigint): string =>
      formatQuantity(amount as Parameters<typeof formatQuantity>[0], quantityFormat(name))
    const percent = (100 * Number(actual)) / Number(promised)
    return [
      `expected ${text(promised)} of resource ${name}, but found ${text(actual)} (${percent.toFixed(1)}% of expected)`,
    ]
  })
}

/**
 * Checks at most every ten minutes whether a node has the resources of its claim (controller `nodeclaim.consistency`,
 * `docs/spec/lifecycle.md#other-claim-controllers`).
 */
export const consistency = (deps: Deps): Controller => {
  const { client, clock, events, informers, provider, settings } = deps
  const name = 'nodeclaim.consistency'
  const log = deps.log.child(name)
  const links = new ClaimNodes(informers)
  const checked = new TtlCache<string, Milliseconds>(clock, { ttl: PERIOD })
  return {
    name,
    sources: links.claimSources(),
    concurrency: concurrency(settings, 10, 1000),
    reconcile: async (key, signal) => {
      const claim = links.claims.get(key)
      if (claim === undefined || !isManagedClaim(provider, claim)) return done()
      if ((claim.status?.providerID ?? '') === '') return done()
      const uid = claim.metadata.uid ?? ''
      const last = checked.get(uid)
      if (last !== undefined) return retryAfter(last + PERIOD - clock.monotonic())
      const node = links.nodeOf(claim)
      if (node === undefined) return done()
      const problems = shapeProblems(claim, node)
      for (const problem of problems) {
        log.info('failed consistency check', { NodeClaim: { name: key }, issue: problem })
        events.publish({
          object: eventObject(karpenterKinds.NodeClaim, claim),
          type: 'Warning',
          reason: 'FailedConsistencyCheck',
          message: problem,
          dedupeValues: [uid, problem],
        })
      }
      const change =
        problems.length === 0
          ? ({ type: 'ConsistentStateFound', status: 'True' } as const)
          : ({
              type: 'ConsistentStateFound',
              status: 'False',
              reason: 'ConsistencyCheckFailed',
              message: 'Consistency Check Failed',
            } as const)
      try {
        await writeClaim(client, claim, withCondition(claim, change, clock.now()), signal)
      } catch (error) {
        if (isConflict(error)) return retry()
        throw error
      }
      checked.set(uid, clock.monotonic())
      return retryAfter(PERIOD)
    },
  }
}

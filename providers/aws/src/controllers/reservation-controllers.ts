import { capacityTypes, karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import { claimEnding } from '@kerf/provider-kit'
import { type Controller, isConflict, isNotFound, mapLimit, retry, retryAfter, source } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'
import { isOwnClaim } from '../instances/claim-index.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsLabels } from '../label-names.ts'
import { ec2NodeClassKind } from '../node-class/ec2-node-class.ts'

const EVERY = 60_000
const AT_ONCE = 20

const reservedClaims = (claims: Iterable<NodeClaim>): readonly NodeClaim[] =>
  [...claims].filter(
    (claim) =>
      isOwnClaim(claim) &&
      claim.metadata.deletionTimestamp === undefined &&
      claim.metadata.labels?.[labels.capacityType] === capacityTypes.reserved,
  )

/**
 * Relabels nodes whose reservation has ended, because their instances keep running as on-demand
 * (`providers/aws/docs/spec/aws-controllers.md#other-controllers`).
 */
export const reservationCapacityType = ({ context, claims: index, instances }: AwsDeps): Controller => {
  const { client } = context
  // The node keeps the label of interruptible reservations, as in upstream.
  const demoted = {
    [labels.capacityType]: capacityTypes.onDemand,
    [awsLabels.capacityReservationId]: null,
    [awsLabels.capacityReservationType]: null,
  }
  const body = { metadata: { labels: demoted } }

  const demote = async (claim: NodeClaim, instanceId: string, signal: AbortSignal): Promise<void> => {
    for (const { metadata } of index.nodesOf(instanceId)) {
      if (metadata.labels?.[labels.registered] !== 'true') continue
      if (metadata.labels[labels.capacityType] !== capacityTypes.reserved) continue
      await client.patch(kinds.Node, { name: metadata.name }, { type: 'merge', body }, { signal })
    }
    await client.patch(karpenterKinds.NodeClaim, { name: claim.metadata.name }, { type: 'merge', body }, { signal })
  }

  return {
    name: 'capacityreservation.capacitytype',
    sources: [source(index.claims, () => []), source(index.nodes, () => [])],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const claimInstanceId = (claim: NodeClaim): string => parseProviderId(claim.status?.providerID)?.instanceId ?? ''
      const reserved = reservedClaims(index.claims.values()).filter((claim) => claimInstanceId(claim) !== '')
      const current = await instances.current(reserved.map(claimInstanceId), signal)
      const failures: unknown[] = []
      for (const claim of reserved) {
        const id = claimInstanceId(claim)
        if (current.get(id)?.capacityType !== capacityTypes.onDemand) continue
        try {
          await demote(claim, id, signal)
        } catch (error) {
          signal.throwIfAborted()
          if (!isNotFound(error)) failures.push(error)
        }
      }
      if (failures.some((error) => !isConflict(error)))
        throw new AggregateError(
          failures,
          `${failures.length} nodeclaims whose reservation ended could not be relabelled`,
        )
      return failures.length > 0 ? retry() : retryAfter(EVERY)
    },
  }
}

/**
 * Drains nodes in capacity blocks before EC2 reclaims the block (`providers/aws/docs/spec/aws.md#capacity-reservations`,
 * `providers/aws/docs/spec/aws-controllers.md#other-controllers`).
 */
export const reservationExpiration = ({ context, options, reservations }: AwsDeps): Controller => {
  const { client, informers, log } = context
  const claims = informers.of(karpenterKinds.NodeClaim)
  const classes = informers.of(ec2NodeClassKind)
  const end = claimEnding({ client, metrics: options.metrics })
  return {
    name: 'capacityreservation.expiration',
    sources: [source(claims, () => []), source(classes, () => [])],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const named = [...classes.values()].flatMap(({ status }) => status?.capacityReservations ?? [])
      // Also reads reservations that still have nodes, but that no class selects any more.
      const known = new Set(named.map(({ id }) => id))
      const others = reservedClaims(claims.values()).flatMap(({ metadata }) => {
        const id = metadata.labels?.[awsLabels.capacityReservationId]
        return id === undefined || known.has(id) ? [] : [id]
      })
      const found = await reservations.find(
        [...new Set(others)].map((id) => ({ id })),
        signal,
      )
      const expiring = new Set(
        [...named, ...found]
          .filter(({ state, reservationType }) => state === 'expiring' && reservationType === 'capacity-block')
          .map(({ id }) => id),
      )
      const endExpiring = async (claim: NodeClaim): Promise<void> => {
        const reservation = claim.metadata.labels?.[awsLabels.capacityReservationId]
        if (reservation === undefined || !expiring.has(reservation)) return
        if (await end(claim, 'capacity_block_expiring', signal))
          log.info('deleted nodeclaim because its capacity block ends', {
            NodeClaim: { name: claim.metadata.name },
            'capacity-reservation': reservation,
          })
      }
      await mapLimit(reservedClaims(claims.values()), AT_ONCE, endExpiring, signal)
      return retryAfter(EVERY)
    },
  }
}

import { createHash } from 'node:crypto'
import { annotations, type NodeClaim, ownValue } from '@kerf/apis'
import type { InstanceType, Offering, Resources } from '@kerf/engine'
import { cheapestFirst, demandOf, fittingOfferings, type LaunchOption } from '@kerf/provider-kit'

/**
 * The launch options of the claim, best first: every available offering that the claim's requirements admit, of every type
 * on which its requests fit, by price. Equally cheap ones keep the order of the types; within a type, zones
 * take turns by the claim's uid, so that claims spread over zones and a repeated launch picks the same one.
 */
export const launchOptions = (claim: NodeClaim, types: readonly InstanceType[]): readonly LaunchOption[] => {
  const demand = { requirements: claim.spec.requirements, requests: requestsOf(claim, types) }
  const turn = uidDigest(claim).readUInt32BE(0)
  return types
    .flatMap((type) => rotate(fittingOfferings(type, demand), turn).map((offering) => ({ type, offering })))
    .sort(cheapestFirst)
}

/** What the instance must have; resources that only a NodeOverlay promises come with a device plugin, not with the instance. */
const requestsOf = (claim: NodeClaim, types: readonly InstanceType[]): Resources => {
  const { requests } = demandOf(claim)
  if (claim.metadata.annotations?.[annotations.capacityOverlayApplied] !== 'true') return requests
  const known = Object.entries(requests).filter(([name]) =>
    types.some(({ capacity }) => ownValue(capacity, name) !== undefined),
  )
  return Object.fromEntries(known)
}

/** Turns each group of equal price by `turn`, so that its first element differs from claim to claim. */
const rotate = (offerings: readonly Offering[], turn: number): readonly Offering[] =>
  [...Map.groupBy(offerings, ({ price }) => price).values()].flatMap((group) => {
    const start = turn % group.length
    return [...group.slice(start), ...group.slice(0, start)]
  })

/** With what is put around it, 63 characters: the name is also the value of the label kubernetes.io/hostname. */
const LONGEST_NAME = 47

/**
 * The name of the Node that a claim becomes. It follows from the claim's uid, so launching twice can only ever mean the
 * same Node (`docs/spec/provider-contract.md#r1`).
 */
export const nodeNameFor = (claim: NodeClaim): string =>
  `kwok-${(claim.metadata.name).slice(0, LONGEST_NAME)}-${uidDigest(claim).toString('hex').slice(0, 10)}`

const uidDigest = (claim: NodeClaim): Buffer =>
  createHash('sha256')
    .update(claim.metadata.uid ?? '')
    .digest()

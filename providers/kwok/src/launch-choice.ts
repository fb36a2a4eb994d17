import { createHash } from 'node:crypto'
import { annotations, type NodeClaim, ownValue } from '@kerf/apis'
import type { InstanceType, Offering, Resources } from '@kerf/engine'
import { cheapestFirst, fittingOfferings, type LaunchOption, launchDemand } from '@kerf/provider-kit'

/**
 * Returns the launch options for the NodeClaim, best first. They are the available offerings that satisfy the claim's requirements, of all
 * instance types with enough capacity for its requests, sorted by price. Options with equal prices keep the order of the types. Within a
 * type, the order of zones depends on the claim's uid, so that claims are spread over zones and a repeated launch uses the same zone.
 */
export const launchOptions = (claim: NodeClaim, types: readonly InstanceType[]): readonly LaunchOption[] => {
  const demand = { requirements: claim.spec.requirements, requests: claimRequests(claim, types) }
  const turn = uidDigest(claim).readUInt32BE(0)
  return types
    .flatMap((type) => rotate(fittingOfferings(type, demand), turn).map((offering) => ({ type, offering })))
    .sort(cheapestFirst)
}

/**
 * Returns the requests that the instance must satisfy. Omits resources that only a NodeOverlay adds, because a device plugin provides them
 * later.
 */
const claimRequests = (claim: NodeClaim, types: readonly InstanceType[]): Resources => {
  const { requests } = launchDemand(claim)
  if (claim.metadata.annotations?.[annotations.capacityOverlayApplied] !== 'true') return requests
  const known = Object.entries(requests).filter(([name]) =>
    types.some(({ capacity }) => ownValue(capacity, name) !== undefined),
  )
  return Object.fromEntries(known)
}

/** Rotates each group of offerings with the same price by `turn`, so that different NodeClaims begin with different offerings. */
const rotate = (offerings: readonly Offering[], turn: number): readonly Offering[] =>
  [...Map.groupBy(offerings, ({ price }) => price).values()].flatMap((group) => {
    const start = turn % group.length
    return [...group.slice(start), ...group.slice(0, start)]
  })

/**
 * The maximum length of the NodeClaim's name within the Node's name. It limits the Node's name to 63 characters, the maximum for the label
 * kubernetes.io/hostname.
 */
const LONGEST_NAME = 47

/**
 * Returns the name of a NodeClaim's Node. It is derived from the claim's uid, so that a repeated launch results in the same Node
 * (`docs/spec/provider-contract.md#r1`).
 */
export const nodeNameFor = (claim: NodeClaim): string =>
  `kwok-${(claim.metadata.name).slice(0, LONGEST_NAME)}-${uidDigest(claim).toString('hex').slice(0, 10)}`

const uidDigest = (claim: NodeClaim): Buffer =>
  createHash('sha256')
    .update(claim.metadata.uid ?? '')
    .digest()

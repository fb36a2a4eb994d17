import { claimExpiry } from './expiry.ts'
import type { MakeInvariant } from './invariant.ts'

const SLACK = 60_000

/** At the end, no node is older than its NodeClaim's expireAfter. */
export const expiredNodesTerminate: MakeInvariant = (environment) => ({
  name: 'expired-nodes-terminate',
  eventually: () =>
    environment
      .claims()
      .filter((claim) => claim.metadata.deletionTimestamp === undefined)
      .filter((claim) => environment.clock.now() > claimExpiry(claim) + SLACK)
      .map(({ metadata }) => `claim ${metadata.name} has expired and is kept`),
})

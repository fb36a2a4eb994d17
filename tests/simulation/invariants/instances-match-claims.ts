import { isConditionTrue } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** At the end, every instance has a NodeClaim, and every claim has an instance and an initialized Node. */
export const instancesMatchClaims: MakeInvariant = (environment) => ({
  name: 'instances-match-claims',
  eventually: () => {
    const mayBeUnclaimed = (providerID: string): boolean =>
      environment.cloud.foreignInstances.has(providerID) || environment.cloud.mayBeUnclaimed?.(providerID) === true
    const instances = environment.instances()
    const running = new Set(instances.map(({ providerID }) => providerID))
    const claims = environment.claims()
    const claimed = new Set(claims.map(({ status }) => status?.providerID))
    const nodes = new Set(environment.nodes().map(({ spec }) => spec.providerID))
    return [
      ...instances
        .filter(({ providerID }) => !claimed.has(providerID))
        .map(({ providerID }) => `instance ${providerID} has no claim`),
      ...claims.flatMap((claim) => {
        const { name } = claim.metadata
        if (claim.metadata.deletionTimestamp !== undefined) return [`claim ${name} is still being deleted`]
        const providerID = claim.status?.providerID
        if (providerID === undefined || !running.has(providerID)) return [`claim ${name} has no instance`]
        if (!nodes.has(providerID)) return [`claim ${name} has no node`]
        return isConditionTrue(claim, 'Initialized') ? [] : [`claim ${name} is not initialised`]
      }),
      ...environment
        .nodes()
        .flatMap(({ metadata, spec }) =>
          claimed.has(spec.providerID) || mayBeUnclaimed(spec.providerID ?? '')
            ? []
            : [`node ${metadata.name} has no claim`],
        ),
    ]
  },
})

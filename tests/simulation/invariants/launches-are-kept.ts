import type { MakeInvariant } from './invariant.ts'

/**
 * Kerf terminates an instance without a Node only if its NodeClaim is being deleted or gone, or if the cloud reports that the launch has
 * failed.
 */
export const launchesAreKept: MakeInvariant = (environment, report) => ({
  name: 'launches-are-kept',
  terminating: (providerID) => {
    if (environment.cloud.hasFailedLaunch?.(providerID) !== false) return
    if (environment.nodes().some(({ spec }) => spec.providerID === providerID)) return
    const uid = environment.billedInstances().find((each) => each.providerID === providerID)?.claimUid
    const claim = environment.claims().find(({ metadata }) => metadata.uid === uid)
    if (claim !== undefined && claim.metadata.deletionTimestamp === undefined)
      report(`instance ${providerID} of NodeClaim ${claim.metadata.name} was terminated before it could start`)
  },
})

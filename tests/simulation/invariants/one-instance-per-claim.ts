import type { MakeInvariant } from './invariant.ts'

/**
 * A NodeClaim has only one instance, and an instance has only one claim. Duplicates are possible only if two Kerf processes are active at
 * once and the cloud launches instances for several claims in one call. Leader election prevents that.
 */
export const oneInstancePerClaim: MakeInvariant = (environment) => ({
  name: 'one-instance-per-claim',
  always: () => {
    const problems: string[] = []
    const byClaim = new Set<string>()
    for (const { claimUid, providerID, launchedAt, isBlind } of environment.instances()) {
      if (isBlind === true || (launchedAt !== undefined && environment.processes.overlaps.near(launchedAt))) continue
      if (byClaim.has(claimUid)) problems.push(`a claim has a second instance, ${providerID}`)
      byClaim.add(claimUid)
    }
    const byInstance = new Set<string>()
    for (const { metadata, status } of environment.claims()) {
      if (status?.providerID === undefined || status.providerID === '') continue
      if (byInstance.has(status.providerID))
        problems.push(`claim ${metadata.name} has an instance that another has too`)
      byInstance.add(status.providerID)
    }
    return problems
  },
})

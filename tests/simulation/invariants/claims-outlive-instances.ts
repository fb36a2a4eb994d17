import { finalizers } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** A NodeClaim exists as long as its instance. The same applies to a Node with Kerf's finalizer. */
export const claimsOutliveInstances: MakeInvariant = (environment) => {
  let claimed = new Map<string, string>()
  let noded = new Map<string, string>()
  return {
    name: 'claims-outlive-instances',
    always: () => {
      const claims = new Map(
        environment
          .claims()
          .flatMap(({ metadata, status }) => (status?.providerID ? [[status.providerID, metadata.name] as const] : [])),
      )
      const nodes = new Map(
        environment
          .nodes()
          .flatMap(({ metadata, spec }) => (spec.providerID ? [[spec.providerID, metadata.name] as const] : [])),
      )
      const held = new Map(
        environment
          .nodes()
          .flatMap(({ metadata, spec }) =>
            spec.providerID && metadata.finalizers?.includes(finalizers.termination) === true
              ? [[spec.providerID, metadata.name] as const]
              : [],
          ),
      )
      const problems = environment.billedInstances().flatMap(({ providerID }) => {
        const claim = claimed.get(providerID)
        const node = noded.get(providerID)
        return [
          ...(claim !== undefined && !claims.has(providerID)
            ? [`claim ${claim} is deleted and its instance ${providerID} still runs`]
            : []),
          ...(node !== undefined && !nodes.has(providerID)
            ? [`node ${node} is deleted and its instance ${providerID} still runs`]
            : []),
        ]
      })
      claimed = claims
      noded = held
      return problems
    },
  }
}

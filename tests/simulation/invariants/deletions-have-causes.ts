import { findCondition, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { DeletionCauses } from './deletion-causes.ts'
import type { MakeInvariant } from './invariant.ts'

/**
 * Kerf deletes nothing without a cause, and nothing before its cause applies. This invariant derives the causes from the objects and from
 * earlier events, not from Kerf's messages. The trace contains the cause of each deletion.
 */
export const deletionsHaveCauses: MakeInvariant = (environment, report) => {
  const causes = new DeletionCauses(environment)
  const terminated = new Set<string>()

  const claimDeleted = (claim: NodeClaim): void => {
    const { name } = claim.metadata
    const cause = causes.causeOf(claim)
    if (cause !== undefined) {
      environment.listeners.remarked(`${name} is deleted: ${cause}`, cause)
      return
    }
    const { expireAfter } = claim.spec
    const age = Math.round((environment.clock.now() - Date.parse(claim.metadata.creationTimestamp ?? '')) / 1_000)
    const reason = findCondition(claim, 'DisruptionReason')
    report(
      `${name} was deleted without a cause, ${age} s old; it expires after ${expireAfter}, and its DisruptionReason is ${reason?.status === 'True' ? reason.reason : 'none'}`,
    )
  }

  return {
    name: 'deletions-have-causes',
    always: () => {
      causes.note()
      return []
    },
    acts: ({ verb, kind, ref }) => {
      if (verb !== 'delete') return
      if (kind?.kind === karpenterKinds.NodeClaim.kind) {
        const claim = environment.claims().find(({ metadata }) => metadata.name === ref?.name)
        causes.note()
        if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) claimDeleted(claim)
      }
      if (kind?.kind === kinds.Node.kind) {
        const node = environment.nodes().find(({ metadata }) => metadata.name === ref?.name)
        const claim = environment.claims().find(({ status }) => status?.providerID === node?.spec.providerID)
        if (
          node?.metadata.deletionTimestamp === undefined &&
          claim !== undefined &&
          claim.metadata.deletionTimestamp === undefined
        )
          report(`node ${ref?.name} was deleted, and its claim ${claim.metadata.name} was not`)
      }
    },
    terminating: (providerID) => {
      if (terminated.has(providerID)) return
      terminated.add(providerID)
      const uid = environment.instances().find((each) => each.providerID === providerID)?.claimUid
      const claim = environment.claims().find(({ metadata }) => metadata.uid === uid)
      // This instance is a duplicate: its NodeClaim belongs to another instance.
      if ((claim?.status?.providerID ?? providerID) !== providerID) return
      if (claim !== undefined && claim.metadata.deletionTimestamp === undefined)
        report(`instance ${providerID} was terminated, and its claim ${claim.metadata.name} is not being deleted`)
    },
  }
}

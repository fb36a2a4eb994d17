import type { MakeInvariant } from './invariant.ts'

/** The longest time for which Kerf can be unaware that an instance belongs to a NodeClaim, because watches lag. */
const KNOWN_AFTER = 60_000

/** Kerf deletes the notice of a spot interruption only when the instance's NodeClaim is being deleted. At the end, the queue is empty. */
export const interruptionsAreHandled: MakeInvariant = (environment, report) => {
  /** For each instance, the time since which a NodeClaim has contained its provider ID. */
  const since = new Map<string, number>()
  return {
    name: 'interruptions-are-handled',
    always: () => {
      if (environment.cloud.unreadNotices === undefined) return []
      for (const { status } of environment.claims()) {
        const providerID = status?.providerID ?? ''
        if (providerID !== '' && !since.has(providerID)) since.set(providerID, environment.clock.monotonic())
      }
      return []
    },
    noticeDiscarded: (id) => {
      const claim = environment.claims().find(({ status }) => status?.providerID?.endsWith(`/${id}`) === true)
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return
      const named = since.get(claim.status?.providerID ?? '') ?? Number.POSITIVE_INFINITY
      if (environment.clock.monotonic() - named > KNOWN_AFTER)
        report(`the warning for ${id} was deleted, and its claim ${claim.metadata.name} is kept`)
    },
    eventually: () => {
      const waiting = environment.cloud.unreadNotices?.() ?? 0
      return waiting === 0 ? [] : [`${waiting} messages are left in the interruption queue`]
    },
  }
}

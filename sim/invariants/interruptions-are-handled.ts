import { warnedInstance } from '../environment/aws/queue-messages.ts'
import type { MakeInvariant } from './invariant.ts'

/** How long a claim may name an instance without Kerf knowing it: a watch that lags. */
const KNOWN_AFTER = 60_000

/**
 * A warning that EC2 takes an instance back is done with only when its claim is being deleted; at rest no message waits.
 */
export const interruptionsAreHandled: MakeInvariant = (environment, report) => {
  /** Since when a claim names the instance. */
  const since = new Map<string, number>()
  return {
    name: 'interruptions-are-handled',
    always: () => {
      if (environment.aws === undefined) return []
      for (const { status } of environment.claims()) {
        const providerID = status?.providerID ?? ''
        if (providerID !== '' && !since.has(providerID)) since.set(providerID, environment.clock.monotonic())
      }
      return []
    },
    messageDeleted: (body) => {
      const id = warnedInstance(body)
      if (id === undefined) return
      const claim = environment.claims().find(({ status }) => status?.providerID?.endsWith(`/${id}`) === true)
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return
      const named = since.get(claim.status?.providerID ?? '') ?? Number.POSITIVE_INFINITY
      if (environment.clock.monotonic() - named > KNOWN_AFTER)
        report(`the warning for ${id} is done with, and its claim ${claim.metadata.name} stays`)
    },
    eventually: () => {
      const waiting = environment.aws?.aws.sqs.messages.size ?? 0
      return waiting === 0 ? [] : [`${waiting} messages wait in the interruption queue`]
    },
  }
}

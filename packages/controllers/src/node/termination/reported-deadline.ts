import type { Milliseconds, Node, NodeClaim } from '@kerf/apis'
import type { CoreEventRecorder } from '../../core-event.ts'
import { DeadlineError, terminationDeadline } from '../../nodeclaim/deadline.ts'
import { failedDraining } from './events.ts'

/**
 * Returns the claim's termination deadline. If the annotation is invalid, publishes an Event on the Node.
 *
 * @throws DeadlineError if the annotation is invalid.
 */
export const reportedDeadline = (claim: NodeClaim, node: Node, events: CoreEventRecorder): Milliseconds | undefined => {
  try {
    return terminationDeadline(claim)
  } catch (error) {
    if (error instanceof DeadlineError) events.publish(failedDraining(node, error.message, 'deadline'))
    throw error
  }
}

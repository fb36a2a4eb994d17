import type { Milliseconds, Node, NodeClaim } from '@kerf/apis'
import type { CoreEventRecorder } from '../../core-event.ts'
import { DeadlineError, deadlineOf } from '../../nodeclaim/deadline.ts'
import { failedDraining } from './events.ts'

/**
 * Returns the termination deadline of the claim. An invalid annotation is reported in an Event on the Node.
 *
 * @throws DeadlineError if the annotation is invalid.
 */
export const reportedDeadlineOf = (
  claim: NodeClaim,
  node: Node,
  events: CoreEventRecorder,
): Milliseconds | undefined => {
  try {
    return deadlineOf(claim)
  } catch (error) {
    if (error instanceof DeadlineError) events.publish(failedDraining(node, error.message, 'deadline'))
    throw error
  }
}

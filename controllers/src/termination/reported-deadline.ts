import type { Milliseconds, Node, NodeClaim } from '@kerf/apis'
import type { CoreEventRecorder } from '../core-event.ts'
import { DeadlineError, deadlineOf } from '../node-claims/deadline.ts'
import { failedDraining } from './events.ts'

/**
 * The claim's termination deadline. An annotation that cannot be read is reported in an Event on the Node.
 *
 * @throws DeadlineError for such an annotation.
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

import { annotations, type CoreEventReason, formatTime, kinds, type Milliseconds, type Pod } from '@kerf/apis'
import type { CoreEvent } from '../core-event.ts'
import { eventObject } from '../event-object.ts'
import { podKey, readDoNotDisrupt } from './pod-predicates.ts'

/** Returns the Event that reports the current state of the pod's do-not-disrupt annotation, or undefined if there is nothing to report. */
export const doNotDisruptEvent = (pod: Pod, now: Milliseconds): CoreEvent | undefined => {
  const protection = readDoNotDisrupt(pod, now)
  const event = (
    type: 'Normal' | 'Warning',
    reason: CoreEventReason,
    message: string,
    ...values: string[]
  ): CoreEvent => ({
    object: eventObject(kinds.Pod, pod),
    type,
    reason,
    message,
    dedupeValues: [pod.metadata.uid ?? podKey(pod), ...values],
  })
  switch (protection.kind) {
    case 'absent':
    case 'forever':
      return undefined
    case 'invalid': {
      const problem = `${JSON.stringify(protection.text)} is neither "true" nor a positive duration`
      return event(
        'Warning',
        'InvalidDoNotDisruptAnnotation',
        `Invalid ${annotations.doNotDisrupt} annotation: ${problem}, ignoring annotation`,
        problem,
      )
    }
    case 'until': {
      if (protection.at === undefined) return undefined
      const until = formatTime(protection.at)
      const message = `The ${annotations.doNotDisrupt} grace period will elapse at ${until}`
      return event('Normal', 'DoNotDisruptUntil', message, until)
    }
    case 'elapsed':
      return event(
        'Normal',
        'DoNotDisruptGracePeriodElapsed',
        `The ${annotations.doNotDisrupt} grace period has elapsed`,
      )
  }
}

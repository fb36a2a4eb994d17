import { kinds, type Node, type Pod } from '@kerf/apis'
import type { CoreEventRecorder } from '../../core-event.ts'
import type { Deps } from '../../deps.ts'
import type { OtherAutoscalers } from './other-autoscalers.ts'

/**
 * Returns a recorder that drops Events about pods that another autoscaler serves. With `FOREIGN_NODES=ignore`, it also drops Events about
 * another autoscaler's nodes and about the pods on them.
 */
export const quietEvents = (
  { events, informers }: Pick<Deps, 'events' | 'informers'>,
  others: OtherAutoscalers,
): CoreEventRecorder => {
  const nodes = informers.of(kinds.Node)
  return {
    publish: (event) => {
      const { object } = event
      if (object.kind === 'Node' && others.ignores(object as Node)) return
      if (object.kind === 'Pod') {
        const pod = object as Pod
        if (others.serves(pod) || others.ignores(nodes.get(pod.spec.nodeName ?? ''))) return
      }
      events.publish(event)
    },
  }
}

import type { Milliseconds, Pod } from '@kerf/apis'
import { type KubeClient, SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { Announcer } from './announcer.ts'
import { type ClassQueue, PendingQueue } from './pending-queue.ts'
import { PodClasses } from './pod-class.ts'
import { ResourceNames } from './quantities.ts'

/** Returns an announcer with a fake cluster that only records which pods are reported. */
const announcing = (clock: VirtualClock) => {
  const reported: string[] = []
  const patch = async (_kind: unknown, { name }: { readonly name: string }): Promise<void> => {
    reported.push(name)
  }
  const context: ClusterContext = {
    // The announcer uses no other method of the client.
    client: { patch } as unknown as KubeClient,
    informers: {
      of: () => expect.fail('an announcer reads nothing'),
      optional: () => expect.fail('an announcer reads nothing'),
    },
    clock,
    random: new SeededRandom(1),
    events: { publish: () => {} },
    logger: silentLogger,
  }
  return { announcer: new Announcer(context), reported }
}

const podNamed = (name: string): Pod => pod(name, { requests: {}, metadata: { uid: name } })

const aborted = new AbortController().signal

/**
 * A second implementation of the announcer's rule, one pod at a time: report a pod immediately, and report it again ten seconds or five
 * minutes after the cluster has changed.
 */
const waits = ({ pods }: ClassQueue, state: number, now: Milliseconds): readonly Milliseconds[] =>
  [...pods.values()].map(({ announced }) => {
    if (announced === undefined) return 0
    if (announced.state === state) return Number.POSITIVE_INFINITY
    return Math.max(0, announced.at + (pods.size <= 100 ? 10_000 : 300_000) - now)
  })

test.each([1, 2, 3, 4, 5])(
  'reports each pod when the rule requires it, while pods come and go (seed %i)',
  async (seed) => {
    const random = new SeededRandom(seed)
    const clock = new VirtualClock()
    const { announcer, reported } = announcing(clock)
    const pending = new PendingQueue()
    const classes = new PodClasses(new ResourceNames())
    let made = 0
    let state = 0
    const names: string[] = []
    for (let step = 0; step < 400; step++) {
      const what = random.next()
      if (what < 0.3) {
        const pod = podNamed(`pod-${made++}`)
        names.push(pod.metadata.name)
        pending.put(pod.metadata.uid ?? '', pod, classes.of(pod))
      } else if (what < 0.4) {
        const [gone] = names.splice(Math.floor(random.next() * names.length), 1)
        if (gone !== undefined) pending.remove(gone)
      } else if (what < 0.7) state++
      else await clock.advance(random.next() * 4_000)
      const [queue] = pending.queues
      if (queue === undefined) continue
      const now = clock.now()
      const due = waits(queue, state, now).flatMap((wait, index) => (wait === 0 ? [[...queue.pods.keys()][index]] : []))
      reported.length = 0
      const next = await announcer.announce([queue], { state, message: () => `attempt ${step}` }, aborted)
      expect(reported).toEqual(due)
      const soonest = Math.min(...waits(queue, state, now))
      expect(next).toBe(Number.isFinite(soonest) ? Math.max(1, soonest) : undefined)
    }
  },
)

test('a change of the cluster does not visit a thousand pods that are already reported', async () => {
  const clock = new VirtualClock()
  const { announcer, reported } = announcing(clock)
  const pending = new PendingQueue()
  const classes = new PodClasses(new ResourceNames())
  for (let index = 0; index < 1_000; index++) {
    const pod = podNamed(`pod-${index}`)
    pending.put(`pod-${index}`, pod, classes.of(pod))
  }
  const [queue] = pending.queues
  if (queue === undefined) throw new Error('a thousand pods wait')
  let looks = 0
  const values = queue.pods.values.bind(queue.pods)
  Object.assign(queue.pods, {
    values: () => {
      looks++
      return values()
    },
  })
  const message = (): string => 'no room'
  await announcer.announce([queue], { state: 1, message }, aborted)
  expect(reported).toHaveLength(1_000)
  const first = looks
  for (let state = 2; state < 100; state++) await announcer.announce([queue], { state, message }, aborted)
  expect(looks).toBe(first)
})

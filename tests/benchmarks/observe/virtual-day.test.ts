import { kinds, type ResourceKind } from '@kerf/apis'
import { type KubeClient, SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { compareDecisions } from '../../../packages/cli/src/observe/compare-decisions.ts'
import { followCluster, readNow } from '../../../packages/cli/src/observe/follow-cluster.ts'
import { ObservedFacts } from '../../../packages/cli/src/observe/observed-facts.ts'
import { openSandboxCluster } from '../beside/sandbox-cluster.ts'
import { NAMESPACE, replicasFor } from '../beside/workload.ts'

const HOUR = 3_600_000

/** Returns the number of pods at an hour of the day: six at night, and twenty-six in the afternoon. */
const podsAt = (hour: number): number => Math.round(16 - 10 * Math.cos(((hour - 3) / 24) * 2 * Math.PI))

/** Returns a client that records every write before it sends it. */
const noting = (client: KubeClient, writes: string[]): KubeClient => {
  const note = (verb: string, kind: ResourceKind, name: string | undefined): void => {
    writes.push(kind.kind === 'Event' ? `${verb} Event` : `${verb} ${kind.kind} ${name ?? ''}`)
  }
  return {
    get: (...args) => client.get(...args),
    list: (...args) => client.list(...args),
    watch: (...args) => client.watch(...args),
    create: (kind, object, ...rest) => {
      note('create', kind, object.metadata.name)
      return client.create(kind, object, ...rest)
    },
    update: (kind, object, ...rest) => {
      note('update', kind, object.metadata.name)
      return client.update(kind, object, ...rest)
    },
    patch: (kind, ref, ...rest) => {
      note('patch', kind, ref.name)
      return client.patch(kind, ref, ...rest)
    },
    delete: (kind, ref, ...rest) => {
      note('delete', kind, ref.name)
      return client.delete(kind, ref, ...rest)
    },
    evict: (ref, ...rest) => {
      note('evict', kinds.Pod, ref.name)
      return client.evict(ref, ...rest)
    },
    raw: (...args) => client.raw(...args),
    bind: (ref, ...rest) => {
      note('bind', kinds.Pod, ref.name)
      return client.bind(ref, ...rest)
    },
  }
}

test('during a day with an acting controller, the observer decides about pending pods and writes only Events and one ConfigMap', {
  timeout: 600_000,
}, async () => {
  const cluster = await openSandboxCluster({ capacityTypes: 'spot,on-demand', podMix: 'plain' }, 1)
  const writes: string[] = []
  const acting = cluster.startKerf()
  const observing = cluster.startKerf({ observe: true, client: noting(cluster.api.client(), writes) })
  const facts = new ObservedFacts()
  const { client, clock } = cluster
  const following = followCluster(
    { client, clock, random: new SeededRandom(1) },
    facts,
    24 * HOUR,
    new AbortController().signal,
  )
  for (let hour = 0; hour < 24; hour++) {
    for (const { name, replicas } of replicasFor('plain', podsAt(hour))) {
      const body = { spec: { replicas } }
      await client.patch(kinds.Deployment, { namespace: NAMESPACE, name }, { type: 'merge', body })
    }
    await cluster.pass(HOUR)
  }
  await following
  await readNow({ client }, facts)
  await observing.stop()
  await acting.stop()
  await cluster.close()

  expect(new Set(writes)).toEqual(
    new Set(['create Event', 'create ConfigMap kerf-observed-decisions', 'patch ConfigMap kerf-observed-decisions']),
  )
  const { pods, kerf, acting: done } = compareDecisions(facts, () => undefined)
  // Kerf decides about only some of these pods, because others are already bound when it plans. Both controllers plan a second after the
  // last pod arrived, and sometimes the node of the acting controller exists immediately.
  const launchedFor = pods.filter(({ acting }) => acting?.isNew === true)
  const decided = launchedFor.filter((pod) => pod.kerf !== undefined)
  expect(launchedFor.length).toBeGreaterThan(10)
  expect(decided.length).toBeGreaterThan(launchedFor.length / 4)
  expect(kerf.nodes).toBeGreaterThan(0)
  expect(done.nodes).toBeGreaterThan(0)
})

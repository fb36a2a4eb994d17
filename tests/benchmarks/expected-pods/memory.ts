// npm run bench:expected-pods:memory [-- --count N]: the heap that Kerf additionally uses with PLAN_EXPECTED_PODS=on in a cluster with 10,000
// old ReplicaSets.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ReplicaSet } from '@kerf/apis'
import { ClusterState } from '@kerf/controllers'
import { Harness } from '@kerf/controllers/testing'
import { FixedInformers } from '@kerf/runtime'
import { ExpectedPods } from '../../../packages/controllers/src/provisioning/expected-pods/expected-pods.ts'
import { leanWorkload } from '../../../packages/runtime/src/informers/projection.ts'
import { programOptions } from '../../../tools/program-options.ts'

const MEBIBYTE = 1_048_576
const { values } = programOptions('npm run bench:expected-pods:memory: the heap with many old ReplicaSets.', {
  options: { count: { type: 'string', default: '10000' } },
})
const count = Number(values.count)
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** A ReplicaSet of an earlier revision of a Deployment, about as large as those of real applications. */
const oldReplicaSet = (index: number): ReplicaSet => {
  const hash = `${(index * 2_654_435_761) % 4_294_967_296}`
  const labels = { app: `app-${index % 1_000}`, 'pod-template-hash': hash, 'app.kubernetes.io/part-of': 'shop' }
  const ports = Array.from({ length: 20 }, (_, number) => ({ name: `p-${index}-${number}`, containerPort: number + 1 }))
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `app-${index}`,
      namespace: `team-${index % 50}`,
      uid: `3f6c2c0e-7d5b-4a6e-9a51-${String(index).padStart(12, '0')}`,
      resourceVersion: String(1_000_000 + index),
      generation: 2,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
      annotations: {
        'deployment.kubernetes.io/revision': String(index),
        'deployment.kubernetes.io/desired-replicas': '3',
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: `app-${index % 1_000}`,
          uid: `uid-${index % 1_000}`,
          controller: true,
        },
      ],
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name: 'main', image: `registry.example.com/app:${index}`, ports, resources: { requests: { cpu: '1' } } },
          ],
        },
      },
    },
    status: { replicas: 0, observedGeneration: 2 },
  }
}

const heap = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

/**
 * Returns the objects that Kerf keeps in memory: the ReplicaSets as the informer stores them, decoded from JSON, and the data of
 * `ExpectedPods` about them.
 */
const kept = (harness: Harness): readonly unknown[] => {
  const objects = Array.from({ length: count }, (_, index) => leanWorkload(decoded(index)))
  const deps = harness.depsWith(new FixedInformers(objects))
  const expected = new ExpectedPods(deps, new ClusterState(deps))
  expected.owners.follow((uid, event) => expected.changed(uid, event))
  expected.pods()
  return [objects, expected]
}

/** Returns a ReplicaSet that shares no text with another one, as if it came from the API server. */
const decoded = (index: number): ReplicaSet => JSON.parse(JSON.stringify(oldReplicaSet(index))) as ReplicaSet

const harness = await Harness.create({ controllers: () => [] })
const rounds: number[] = []
for (let round = 0; round < 3; round++) {
  const before = heap()
  const held = kept(harness)
  rounds.push(heap() - before)
  if (held.length === 0) throw new Error('the objects must stay in memory until the heap is read')
}
harness.stop()
const median = rounds.toSorted((a, b) => a - b)[1] ?? Number.NaN
process.stdout.write(
  `${count} ReplicaSets: ${(median / MEBIBYTE).toFixed(1)} MiB of heap, ${(median / count / 1_024).toFixed(2)} KiB each\n`,
)

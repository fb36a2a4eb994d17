import type { Pod, ReplicaSet, ResourceQuota } from '@kerf/apis'
import { FixedInformers } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import { expect, test, vi } from 'vitest'
import { ClusterState } from '../../state/cluster-state.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { ExpectedPods } from './expected-pods.ts'
import { expectedPodsController } from './expected-pods-controller.ts'
import { QuotaLimit } from './quota-limit.ts'

const start = harnessPerTest()

const OWNERS = 10_000

const replicaSet = (name: string): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name, namespace: 'default', uid: name },
  spec: { replicas: 3, selector: {} },
})

const firstPod = (owner: string): Pod =>
  pod(`${owner}-a`, {
    requests: { cpu: '1' },
    metadata: {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }],
    },
  })

test('with 10,000 owners in a namespace with a quota, at most 10,000 pods are expected, and each owner is computed at most twice', async () => {
  const harness = await start({ cluster: 'api', controllers: () => [] })
  const names = Array.from({ length: OWNERS }, (_, index) => `set-${index}`)
  const quota: ResourceQuota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'all', namespace: 'default' },
    spec: { hard: { pods: '1000000' } },
  }
  const deps = harness.depsWith(new FixedInformers([quota, ...names.map(firstPod), ...names.map(replicaSet)]))
  const expected = new ExpectedPods(deps, new ClusterState(deps))
  const triggered = new Set<string>()
  const controller = expectedPodsController(deps, expected, (uid) => triggered.add(uid))
  const queued = new Set<string>()
  const stop = controller.subscribe?.((key) => queued.add(key))
  const admit = vi.spyOn(QuotaLimit.prototype, 'admit')
  for (const uid of queued) await controller.reconcile(uid, new AbortController().signal)
  expect(queued.size).toBe(OWNERS)
  // Each owner has created one of its three pods, so two are missing. The first half of the owners already reaches the limit of expected
  // pods.
  expect(expected.pods().length).toBe(OWNERS)
  expect(triggered.size).toBe(OWNERS / 2)
  expect(admit.mock.calls.length).toBeLessThanOrEqual(2 * OWNERS)
  stop?.()
})

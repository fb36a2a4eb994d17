import { annotations, karpenterKinds, kinds, type ReplicaSet } from '@kerf/apis'
import { retryAfter } from '@kerf/runtime'
import { nodeClaim, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { ClusterState } from '../../state/cluster-state.ts'
import { ManualInformers } from '../../testing/by-hand/manual-informers.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { ExpectedPods } from './expected-pods.ts'
import { UnusedClaims } from './unused-claims.ts'

const start = harnessPerTest()
const { signal } = new AbortController()

const web: ReplicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default', uid: 'web' },
  spec: { replicas: 2, selector: {} },
}
const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true }
const staying = pod('staying', { metadata: { ownerReferences: [controller] } })
const left = pod('left', { nodeName: 'old', metadata: { ownerReferences: [controller] } })

test('if a pass moves the replacement of a pod to another NodeClaim, that NodeClaim is kept for it, and no longer the first', async () => {
  const harness = await start({ cluster: 'api', controllers: () => [] })
  const informers = new ManualInformers()
  const deps = harness.depsWith(informers)
  const state = new ClusterState(deps)
  const expected = new ExpectedPods(deps, state)
  expected.owners.follow((uid, event) => expected.changed(uid, event))
  informers.put(kinds.ReplicaSet, web)
  informers.put(kinds.Pod, staying)
  state.assignToClaim(left, 'first')
  const [replacement] = expected.pods()
  expect(
    expected
      .within({ plannedFor: new Map(), persistentVolumeClaims: [], storageClasses: [] } as never)
      .plannedFor?.get(replacement?.metadata.uid ?? ''),
  ).toBe('first')
  expected.launched({ pods: expected.pods() } as never, 'second')
  const unused = new UnusedClaims(deps, state, expected.launchedAhead).controller()
  for (const name of ['first', 'second']) {
    const launchedFor = { [annotations.launchedFor]: 'ReplicaSet/default/web' }
    informers.put(karpenterKinds.NodeClaim, nodeClaim(name, { metadata: { annotations: launchedFor } }))
  }
  expect(await unused.reconcile('first', signal)).toEqual(retryAfter(60_000))
  expect(await unused.reconcile('second', signal)).toEqual(retryAfter(10_000))
})

import { kinds, labels } from '@kerf/apis'
import { expect, test } from 'vitest'
import { MIDDLE, only } from '../../testing/closed-pools.ts'
import { createDisruptablePool, createPodOn, launchNode, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()

test('a node can be replaced although its pod uses a local volume with affinity to the node’s host name', async () => {
  const w = await start()
  await createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } },
    only(MIDDLE),
  )
  const made = await launchNode(w)
  const host = (await w.readNode(made.node)).metadata.labels?.[labels.hostname] ?? ''
  await w.admin.create(kinds.PersistentVolume, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      local: { path: '/disk' },
      claimRef: { namespace: 'default', name: 'disk' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: labels.hostname, operator: 'In', values: [host] }] }],
        },
      },
    },
  })
  await w.admin.create(kinds.PersistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'disk', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], volumeName: 'disk', resources: { requests: { storage: '1Gi' } } },
  })
  await createPodOn(w, 'keeper', made.node, {
    cpu: '3',
    spec: { volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }] },
  })
  await w.pass(1_000)
  await patchPool(w, 'general', {
    spec: { disruption: { budgets: [{ nodes: '100%' }] }, template: { metadata: { labels: { team: 'a' } } } },
  })
  await w.pass(60_000)
  expect(await w.isStaying(made)).toBe(false)
  expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'drifted' })).toBe(1)
})

import type { Pod } from '@kerf/apis'
import type { NodeState } from '@kerf/engine'
import { expect, test } from 'vitest'
import { movablePods } from './settle.ts'
import { pod } from './testing/cluster-objects.ts'

test('DaemonSet pods and static pods stay with their node, and all other pods need another node', () => {
  const owned = (name: string, kind?: string): Pod => {
    const base = pod(name, { nodeName: 'n' }) as unknown as Pod
    const ownerReferences = kind === undefined ? [] : [{ apiVersion: 'v1', kind, name: 'owner', uid: 'o' }]
    return { ...base, metadata: { ...base.metadata, ownerReferences } }
  }
  const pods = [owned('agent', 'DaemonSet'), owned('proxy', 'Node'), owned('web', 'ReplicaSet'), owned('alone')]
  const moved = movablePods({ pods } as unknown as NodeState)
  expect(moved.map(({ metadata, spec }) => [metadata.name, spec.nodeName])).toEqual([
    ['web', undefined],
    ['alone', undefined],
  ])
})

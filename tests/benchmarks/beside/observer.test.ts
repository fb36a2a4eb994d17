import { kinds, labels } from '@kerf/apis'
import { expect, test } from 'vitest'
import { openSandboxCluster } from './sandbox-cluster.ts'

test('only nodes that were both created and deleted since the mark count as undone', async () => {
  const cluster = await openSandboxCluster({ capacityTypes: 'on-demand', podMix: 'plain' }, 1)
  const { client, observer } = cluster
  const make = async (name: string): Promise<void> => {
    const metadata = { name, labels: { [labels.nodePool]: 'default' } }
    await client.create(kinds.Node, { apiVersion: 'v1', kind: 'Node', metadata, spec: {} })
    await cluster.pass(1_000)
  }
  const remove = async (name: string): Promise<void> => {
    await client.delete(kinds.Node, { name })
    await cluster.pass(1_000)
  }
  try {
    await make('old')
    await make('first')
    observer.mark()
    await remove('old')
    expect(observer.sight()).toMatchObject({ nodesGone: 1, nodesUndone: 0 })
    await make('new')
    await remove('new')
    expect(observer.sight()).toMatchObject({ nodesGone: 2, nodesUndone: 1 })
    observer.mark()
    await remove('first')
    expect(observer.sight()).toMatchObject({ nodesGone: 1, nodesUndone: 0 })
  } finally {
    await cluster.close()
  }
})

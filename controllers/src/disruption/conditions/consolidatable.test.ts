import { karpenterKinds, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { Snapshots } from '../../state/snapshot.ts'
import { condition, node, nodeClaim, nodePool, ready } from '../../testing/objects.ts'
import { stateWorld } from '../../testing/state-world.ts'
import { consolidatable, consolidateAfterOf } from './consolidatable.ts'

test('a consolidateAfter that cannot be read is Never, for its own pool only', () => {
  const { informers, clock, deps, state } = stateWorld()
  const pools = ['soon', '10m', '0s'] as const
  for (const after of pools) {
    const name = `p-${after}`
    const claim = nodeClaim(name, {
      pool: name,
      providerID: `test://${name}`,
      conditions: [{ ...condition('Initialized'), lastTransitionTime: new Date(clock.now()).toISOString() }],
    })
    informers.put(karpenterKinds.NodePool, nodePool(name, { disruption: { consolidateAfter: after } }))
    informers.put(karpenterKinds.NodeClaim, claim)
    informers.put(kinds.Node, node(name, { pool: name, providerID: `test://${name}`, labels: ready }))
  }
  const poolOf = (after: string) => nodePool('p', { disruption: { consolidateAfter: after } })
  expect(pools.map((after) => consolidateAfterOf(poolOf(after)))).toEqual(['Never', 600_000, 0])
  const { nodes } = new Snapshots(deps, state).take([], { consolidation: true })
  const settling = nodes.filter(({ underConsolidateAfter }) => underConsolidateAfter === true).map(({ name }) => name)
  expect(settling).toEqual(['p-10m'])
  const claim = nodeClaim('c', { conditions: [condition('Initialized')] })
  expect(consolidatable(claim, poolOf('soon'), clock.now())).toEqual({})
  expect(consolidatable(claim, poolOf('0s'), clock.now()).change?.status).toBe('True')
})

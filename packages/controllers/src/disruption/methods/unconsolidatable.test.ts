import { kinds, labels } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { busy, closedWith, MIDDLE, open } from '../../testing/closed-pools.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const closed = closedWith(harnessPerTest())

describe('the Event Unconsolidatable', () => {
  test.each<[string, object, string, number, object?]>([
    [
      'WhenEmpty',
      { consolidationPolicy: 'WhenEmpty' },
      'NodePool "general" has consolidation policy WhenEmpty, but node is not empty',
      4,
    ],
    ['Never', { consolidateAfter: 'Never' }, 'NodePool "general" has consolidation disabled', 6],
    ['an unknown type', {}, 'Instance Type "no-such-type" not found', 4, { [labels.instanceType]: 'no-such-type' }],
    [
      'no capacity type',
      {},
      'Node does not have label "karpenter.sh/capacity-type"',
      4,
      { [labels.capacityType]: null },
    ],
    ['no zone', {}, 'Node does not have label "topology.kubernetes.io/zone"', 4, { [labels.zone]: null }],
  ])(
    '%s: the message is published as often as the case says in one pass',
    async (_name, disruption, message, times, carried = {}) => {
      const w = await closed()
      const [one] = await busy(w, 1, '1')
      await w.patch(kinds.Node, one?.node ?? '', { metadata: { labels: carried } })
      await open(w, disruption)
      // Waits until the condition with the reason has been written. After that, nothing changes.
      await w.pass(3 * 60_000)
      const said = () =>
        w.events.events.filter(({ reason, message: text }) => reason === 'Unconsolidatable' && text === message)
      const before = said().length
      // In an unchanged cluster, a pass runs every five minutes.
      await w.pass(5 * 60_000)
      expect(said().length - before).toBe(times)
      expect(await w.isStaying(one ?? { claim: '', node: '' })).toBe(true)
    },
  )

  test('for a node in use in a WhenEmptyOrUnderutilized pool, only the reason why its move fails is reported, not the policy', async () => {
    const w = await closed({}, MIDDLE)
    const [one] = await busy(w, 1, '1')
    await open(w)
    await w.pass(3 * 60_000)
    expect(w.distinctMessages('Unconsolidatable', one?.node)).toEqual(["Can't replace with a cheaper node"])
  })
})

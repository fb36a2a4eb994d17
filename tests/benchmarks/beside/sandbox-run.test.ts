import { expect, test } from 'vitest'
import { measure } from './measure.ts'
import { openSandboxCluster } from './sandbox-cluster.ts'

test.each([1, 2])(
  'after a cut from 200 to 60 pods, the cluster settles at a lower cost with few evictions (seed %i)',
  {
    timeout: 300_000,
  },
  async (seed) => {
    const cluster = await openSandboxCluster({ capacityTypes: 'on-demand', podMix: 'plain' }, seed)
    const options = {
      podMix: 'plain' as const,
      drift: false,
      from: 200,
      to: 60,
      quiet: 60,
      cutAfter: 600,
      timeout: 900,
    }
    const { up, down } = await measure(
      'kerf',
      options,
      cluster,
      ({ startKerf }) => startKerf(),
      () => {},
    )
    expect(up).toMatchObject({ hasSettled: true, running: 200, evictions: 0 })
    expect(down).toMatchObject({ hasSettled: true, running: 60 })
    expect(down.claims).toBe(down.nodes)
    // Sixty pods should cost 0.3 times as much as two hundred. The test allows a quarter of the remaining 0.7 in addition.
    expect(down.hourlyCost).toBeLessThan(up.hourlyCost * 0.475)
    expect(down.evictions).toBeLessThanOrEqual(60)
  },
)

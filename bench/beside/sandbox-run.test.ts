import { expect, test } from 'vitest'
import { measure } from './measure.ts'
import { openSandboxCluster } from './sandbox-cluster.ts'

test.each([1, 2])(
  'two hundred pods cut to sixty: it settles, cheaper, with few pods moved (seed %i)',
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
    // A quarter of the way from the price of sixty two-hundredths to what two hundred cost.
    expect(down.hourlyCost).toBeLessThan(up.hourlyCost * 0.475)
    expect(down.evictions).toBeLessThanOrEqual(60)
  },
)

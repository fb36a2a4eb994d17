import { isActive, kinds, type Pod } from '@kerf/apis'
import { ApiError, SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { ApiCall, Interceptor } from '../api/interceptor.ts'
import { deployment, node, VirtualCluster } from '../testing/virtual-cluster.ts'

/** Makes a fraction of the writes fail before or after they take effect, and drops watches, until it is stopped. */
const faulty = (seed: number) => {
  const random = new SeededRandom(seed)
  let on = true
  let failures = 0
  const maybeFail = (call: ApiCall): void => {
    if (!on || call.verb === 'watch' || random.next() > 0.08) return
    failures++
    const conflict = random.next() < 0.3
    throw new ApiError({
      code: conflict ? 409 : 500,
      reason: conflict ? 'Conflict' : 'InternalError',
      message: 'injected',
    })
  }
  const interceptor: Interceptor = {
    before: maybeFail,
    after: maybeFail,
    watching: (_call, drop) => {
      if (on && random.next() < 0.5) queueMicrotask(() => drop())
      return undefined
    },
  }
  return {
    interceptor,
    heal: () => {
      on = false
    },
    failures: () => failures,
  }
}

test.each([1, 2, 3, 4, 5, 6])(
  'the cluster reaches its desired state despite failed calls and dropped watches (seed %i)',
  async (seed) => {
    const faults = faulty(seed)
    await using cluster = await VirtualCluster.start({ seed, interceptor: faults.interceptor })
    for (const name of ['a', 'b', 'c']) await cluster.apply(node(name, { cpu: '8' }))
    await cluster.apply(deployment('web', 12, { cpu: '500m' }), deployment('api', 6, { cpu: '1' }))
    await cluster.pass(120_000)
    await cluster.patch(kinds.Deployment, 'web', { spec: { template: { metadata: { annotations: { v: '2' } } } } })
    await cluster.scale('api', 2)
    await cluster.pass(120_000)
    await cluster.client.delete(kinds.Node, { name: 'c' })
    await cluster.pass(300_000)
    expect(faults.failures()).toBeGreaterThan(50)
    faults.heal()
    // Back-offs are long after many failures, so the recovery may need this much time.
    await cluster.pass(1_800_000)
    await cluster.settle()
    const active = cluster.pods().filter(isActive)
    const running = (app: string): Pod[] =>
      active.filter((pod) => pod.metadata.labels?.['app'] === app && pod.status?.phase === 'Running')
    expect(active).toHaveLength(14)
    expect(running('api')).toHaveLength(2)
    expect(running('web').map((pod) => pod.metadata.annotations?.['v'])).toEqual(Array(12).fill('2'))
    expect(new Set(active.map((pod) => pod.spec.nodeName))).toEqual(new Set(['a', 'b']))
    expect((await cluster.get(kinds.Deployment, 'web')).status).toMatchObject({ replicas: 12, availableReplicas: 12 })
    for (const name of ['a', 'b']) {
      const cpu = active
        .filter((pod) => pod.spec.nodeName === name)
        .reduce((sum, pod) => sum + (pod.metadata.labels?.['app'] === 'api' ? 1 : 0.5), 0)
      expect(cpu).toBeLessThanOrEqual(8)
    }
  },
)

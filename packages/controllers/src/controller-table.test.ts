import { type Controller, ControllerManager } from '@kerf/runtime'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultControllerSettings } from './deps.ts'
import { Harness } from './testing/harness/index.ts'

/** Returns the controllers by name. All feature gates are on, and the CPU request of the controller is `cores`. */
const controllersAt = async (cores: number): Promise<ReadonlyMap<string, Controller>> => {
  const added = vi.spyOn(ControllerManager.prototype, 'add')
  const featureGates = { ...defaultControllerSettings.featureGates, StaticCapacity: true }
  const harness = await Harness.create({ settings: { featureGates, cpuRequests: cores * 1_000 } })
  harness.stop()
  return new Map(
    added.mock.calls.flatMap((each): readonly Controller[] => each).map((controller) => [controller.name, controller]),
  )
}

// The name is the value of the metric label `controller`. The number of workers is the value of
// `controller_runtime_max_concurrent_reconciles` (`docs/spec/process.md#concurrency-and-rate-limits`; names:
// `docs/spec/metrics.md#framework-metrics`).
const seconds = (base: number, max: number) => ({ base: base * 1_000, max: max * 1_000 })
const rows: readonly (readonly [
  name: string,
  workers: { readonly one: number; readonly sixty: number },
  backoff: Controller['backoff'],
  qps: { readonly one: number; readonly sixty: number } | undefined,
])[] = [
  ['nodeclaim.lifecycle', { one: 1_000, sixty: 5_000 }, seconds(1, 60), { one: 10, sixty: 50 }],
  ['node.termination', { one: 100, sixty: 5_000 }, seconds(0.1, 10), { one: 10, sixty: 500 }],
  ['eviction-queue', { one: 100, sixty: 5_000 }, seconds(0.1, 10), { one: 100, sixty: 5_000 }],
  ['disruption.queue', { one: 100, sixty: 1_000 }, seconds(1, 10), { one: 100, sixty: 100 }],
  ['nodeclaim.disruption', { one: 10, sixty: 1_000 }, undefined, undefined],
  ['static.provisioning', { one: 10, sixty: 10 }, undefined, undefined],
  ['static.deprovisioning', { one: 10, sixty: 10 }, undefined, undefined],
  ['nodeclaim.expiration', { one: 1, sixty: 1 }, undefined, undefined],
  // These back-offs are longer than upstream's, which start at 5 ms. With those, Kerf would retry constantly while a cloud is unavailable
  // or the cluster state is not synced.
  ['nodeclaim.garbagecollection', { one: 1, sixty: 1 }, seconds(1, 60), undefined],
  ['disruption', { one: 1, sixty: 1 }, seconds(1, 10), undefined],
]

describe.each(['one', 'sixty'] as const)('with the requests of %s core(s)', (size) => {
  let controllers: ReadonlyMap<string, Controller>
  beforeEach(async () => {
    controllers = await controllersAt(size === 'one' ? 1 : 60)
  })
  afterEach(() => void vi.restoreAllMocks())

  test('every controller has the name, workers, back-off and rate limit of upstream', () => {
    for (const [name, workers, backoff, qps] of rows) {
      const found = controllers.get(name)
      expect(found?.concurrency, name).toBe(workers[size])
      expect(found?.backoff, name).toEqual(backoff)
      expect(found?.rate, name).toEqual(qps && { qps: qps[size], burst: 10 * qps[size] })
    }
  })

  test('only controllers that read the whole cluster run periodically, without a watch event', () => {
    const singletons = [...controllers.values()].filter(({ singleton }) => singleton === true)
    const names = singletons.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['disruption', 'nodeclaim.garbagecollection']))
    for (const [name] of rows)
      if (name !== 'disruption' && name !== 'nodeclaim.garbagecollection') expect(names).not.toContain(name)
  })
})

import { formatMicroTime, groupVersion, kinds, type Lease } from '@kerf/apis'
import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { ApiError } from '../kube-client/api-error.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { OtherLeases } from './other-leases.ts'

const own = { namespace: 'kube-system', name: 'karpenter-leader-election' }

interface Holder {
  readonly namespace?: string
  readonly name?: string
  readonly holder?: string
  readonly manager?: string
  readonly annotations?: Readonly<Record<string, string>>
  /** When the Lease is created. */
  readonly born?: number
  /** When the holder stops renewing the Lease. */
  readonly dies?: number
}

/** Simulates a process that runs next to these holders. Each holder renews its Lease every two seconds until `dies`. */
const beside = async (...holders: readonly Holder[]) => {
  const clock = new VirtualClock()
  const logger = new RecordingLogger()
  const metrics = new PrometheusMetrics()
  let refusal: ApiError | undefined
  const lists: { readonly at: number; readonly fieldSelector: string | undefined }[] = []
  const leaseOf = ({ dies = Number.POSITIVE_INFINITY, ...holder }: Holder): Lease => {
    const renewed = Math.floor(Math.min(clock.monotonic(), dies) / 2_000) * 2_000
    const metadata = {
      ...{
        namespace: holder.namespace ?? 'karpenter',
        name: holder.name ?? own.name,
        annotations: holder.annotations ?? {},
      },
      managedFields: [{ manager: holder.manager ?? 'karpenter' }],
    }
    const spec = {
      holderIdentity: holder.holder ?? 'other_1',
      renewTime: formatMicroTime(renewed),
      leaseDurationSeconds: 15,
    }
    return { apiVersion: groupVersion(kinds.Lease), kind: 'Lease', metadata, spec }
  }
  const client = {
    list: async (_kind: unknown, { fieldSelector }: { readonly fieldSelector?: string }) => {
      lists.push({ at: clock.monotonic(), fieldSelector })
      if (refusal !== undefined) throw refusal
      return {
        metadata: {},
        items: [
          leaseOf({ ...own, holder: 'me' }),
          ...holders.filter(({ born = 0 }) => born <= clock.monotonic()).map(leaseOf),
        ],
      }
    },
  } as unknown as Pick<KubeClient, 'list'>
  const stop = new AbortController()
  const others = new OtherLeases({ client, clock, logger, metrics, own, provider: 'kwok' })
  void others.run(stop.signal)
  return {
    ...{ clock, logger, stop, lists },
    refuse: (code: number | undefined): void => {
      refusal = code === undefined ? undefined : new ApiError({ code, reason: 'Forbidden', message: 'no' })
    },
    gauge: async () => /^kerf_other_controller_leases (\S+)$/m.exec(await metrics.text())?.[1],
  }
}

test('warns of another controller’s renewed Lease within ten seconds, and then every ten minutes until the Lease expires', async () => {
  const { clock, logger, stop, gauge } = await beside({ dies: 900_000 })
  await clock.advance(10_000)
  expect(logger.messages('warn')).toEqual([
    expect.stringMatching(
      /^another controller is active in this cluster: other_1 holds the Lease karpenter\/karpenter-leader-election\./,
    ),
  ])
  expect(await gauge()).toBe('1')
  await clock.advance(500_000)
  expect(logger.messages('warn')).toHaveLength(1)
  await clock.advance(200_000)
  expect(logger.messages('warn')).toHaveLength(2)
  await clock.advance(300_000)
  expect(logger.messages('info')).toEqual([expect.stringContaining('is no longer renewed')])
  expect(await gauge()).toBe('0')
  stop.abort()
})

test.each<readonly [string, Holder, number]>([
  ['of another name, recognized by its field manager', { name: 'mine', manager: 'karpenter' }, 1],
  ['of Karpenter without a field manager', { manager: 'Go-http-client' }, 1],
  ['of another controller', { name: 'load-balancer-controller', manager: 'controller' }, 0],
  ['of a kubelet', { namespace: 'kube-node-lease', name: 'node-1' }, 0],
  ['without a holder', { holder: '' }, 0],
  ['whose holder has stopped renewing', { dies: 0 }, 0],
  ['of a Kerf in observe mode', { name: 'kerf-observe' }, 0],
  ['of a Kerf in observe mode, with another name', { name: 'mine', annotations: { 'kerf.sh/mode': 'observe' } }, 0],
  ['of a Kerf with the same provider', { annotations: { 'kerf.sh/provider': 'kwok' } }, 1],
  ['of a Kerf with another provider', { annotations: { 'kerf.sh/provider': 'other' } }, 0],
])('a Lease %s: %#', async (_what, holder, warnings) => {
  const { clock, logger, stop } = await beside(holder)
  await clock.advance(60_000)
  expect(logger.messages('warn')).toHaveLength(warnings)
  stop.abort()
})

test('without the permission to list Leases it warns once and keeps trying', async () => {
  const { clock, logger, stop, refuse, gauge } = await beside({})
  refuse(403)
  await clock.advance(300_000)
  expect(logger.messages('warn')).toEqual([])
  expect(logger.messages('info')).toEqual([
    expect.stringContaining('grant the verb list on leases.coordination.k8s.io'),
  ])
  expect(await gauge()).toBe('Nan')
  refuse(undefined)
  await clock.advance(70_000)
  expect(logger.messages('warn')).toHaveLength(1)
  stop.abort()
})

test('warns within fifteen seconds of a controller that starts a moment later', async () => {
  const { clock, logger, stop } = await beside({ born: 1_000 })
  await clock.advance(15_000)
  expect(logger.messages('warn')).toHaveLength(1)
  stop.abort()
})

test('lists the Leases of controllers, again after five seconds, and then every minute', async () => {
  const { clock, lists, stop } = await beside({})
  await clock.advance(130_000)
  expect(lists.map(({ at }) => at)).toEqual([0, 5_000, 65_000, 125_000])
  expect(new Set(lists.map(({ fieldSelector }) => fieldSelector))).toEqual(
    new Set(['metadata.namespace!=kube-node-lease']),
  )
  stop.abort()
})

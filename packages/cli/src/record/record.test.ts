import { type KubeObject, karpenterKinds, kinds, type Pod } from '@kerf/apis'
import { SeededRandom, SharedInformers, silentLogger, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { node as buildNode, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { knownProviders } from '../providers.ts'
import { parseTrace } from '../simulate/read-trace.ts'
import type { Trace } from '../simulate/trace.ts'
import { type KeptOnRequest, leanObject } from './lean-objects.ts'
import { Recorder, recordedKinds, watchedKinds } from './recorder.ts'
import { recordingLines } from './recording-file.ts'

const kindsServed = [...recordedKinds, ...watchedKinds].filter(({ group }) => group !== 'karpenter.sh')

const recorded = async (
  play: (cluster: SandboxCluster, clock: VirtualClock) => Promise<void>,
  mostBytes = 1_000_000,
  keep: ReadonlySet<KeptOnRequest> = new Set(),
): Promise<{ readonly trace: Trace; readonly full: number }> => {
  const clock = new VirtualClock()
  const random = new SeededRandom(1)
  const cluster = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = cluster.start()
  await clock.advance(1_000)
  await starting
  const stop = new AbortController()
  const informers = new SharedInformers({ client: cluster.client, clock, random, logger: silentLogger })
  for (const kind of kindsServed) informers.of(kind)
  informers.start(stop.signal)
  await clock.advance(1_000)
  let full = 0
  const onFull = (): void => {
    full++
  }
  const recorder = new Recorder({ informers, clock, kinds: kindsServed, leftOut: [], mostBytes, onFull, keep })
  await play(cluster, clock)
  await clock.advance(1_000)
  recorder.stop()
  const trace = parseTrace([...recordingLines(recorder.trace('asked'))].join(''), 'recording.json')
  stop.abort()
  const stopping = cluster.stop()
  await clock.advance(1_000)
  await stopping
  return { trace, full }
}

const node = (name: string): KubeObject =>
  buildNode(name, {
    labels: { 'node.kubernetes.io/instance-type': 'm', 'topology.kubernetes.io/zone': 'a' },
    capacity: { cpu: '8', memory: '8Gi', pods: '110' },
  })

const barePod = (name: string, annotations: Readonly<Record<string, string>> = {}): Pod =>
  pod(name, { annotations, requests: {}, spec: { restartPolicy: 'Never' } })

describe('a recorder', () => {
  test('records how long pods without a controller and pods of Jobs ran', async () => {
    const { trace } = await recorded(async ({ client }, clock) => {
      await client.create(kinds.Node, node('n') as never)
      await client.create(kinds.Pod, barePod('import', { 'sandbox.kerf.sh/run-for': '40s' }))
      await client.create(kinds.Job, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'nightly', namespace: 'default' },
        spec: {
          template: {
            metadata: { annotations: { 'sandbox.kerf.sh/run-for': '90s' } },
            spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] },
          },
        },
      })
      await clock.advance(180_000)
    })
    const applied = (trace.events ?? []).flatMap((event) => ('apply' in event ? [event.apply as KubeObject] : []))
    expect(applied.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Job nightly',
      'Pod import',
    ])
    const text = JSON.stringify(applied)
    const spans = [...text.matchAll(/run-for":"(\d+)s/g)].map(([, seconds]) => Number(seconds))
    expect(spans).toHaveLength(2)
    for (const [index, least] of [40, 90].entries()) {
      expect(spans.sort((a, b) => a - b)[index]).toBeGreaterThanOrEqual(least)
      expect(spans.sort((a, b) => a - b)[index]).toBeLessThan(least + 15)
    }
    expect(trace.events?.some((event) => 'delete' in event)).toBe(false)
    expect(trace.recording).toMatchObject({ instanceTypes: ['m'], zones: ['a'] })
  })

  test('records spot interruptions from taints, once for each instance', async () => {
    const keys = knownProviders.flatMap(({ instanceTypes }) => instanceTypes?.nodes?.spotInterruptionTaints ?? [])
    const taint = { key: keys[0] ?? expect.fail('a provider has such a taint'), effect: 'NoSchedule' }
    const { trace } = await recorded(async ({ client }, clock) => {
      await client.create(kinds.Node, node('n') as never)
      await clock.advance(1_000)
      for (const other of [[], [{ key: 'other', effect: 'NoSchedule' }]]) {
        const body = { spec: { taints: [taint, ...other] } }
        await client.patch(kinds.Node, { name: 'n' }, { type: 'merge', body })
        await clock.advance(1_000)
      }
    })
    expect(trace.events).toEqual([{ at: expect.any(String), interrupt: { instanceType: 'm', zone: 'a', count: 1 } }])
  })

  test('keeps labels that a selector uses; keeps other labels only on request', async () => {
    const play = async ({ client }: SandboxCluster, clock: VirtualClock): Promise<void> => {
      const named = {
        ...barePod('web'),
        metadata: { name: 'web', namespace: 'default', labels: { app: 'web', note: 's3cret' } },
      }
      await client.create(kinds.Pod, named)
      await clock.advance(1_000)
      await client.create(kinds.PodDisruptionBudget, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'web', namespace: 'default', labels: { owner: 's3cret' } },
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
      })
      await clock.advance(1_000)
    }
    const { trace } = await recorded(play)
    expect(JSON.stringify(trace)).not.toContain('s3cret')
    const [pod] = (trace.events ?? []).flatMap((event) => ('apply' in event ? [event.apply as KubeObject] : []))
    expect(pod?.metadata.labels).toEqual({ app: 'web' })
    const { trace: asked } = await recorded(play, 1_000_000, new Set(['labels']))
    expect(JSON.stringify(asked)).toContain('"note":"s3cret"')
  })

  test('records that annotations of a NodePool’s template changed, without their values', async () => {
    const heard: ((change: object) => void)[] = []
    const informer = { onChange: (hear: (change: object) => void) => heard.push(hear), values: () => [], size: 0 }
    const clock = new VirtualClock()
    const put = (token: string | undefined): void => {
      const metadata = token === undefined ? {} : { annotations: { token } }
      const after = { metadata: { name: 'general' }, spec: { template: { metadata, spec: {} } } }
      for (const hear of heard) hear({ after })
    }
    const common = {
      informers: { of: () => informer } as never,
      clock,
      leftOut: [],
      mostBytes: 1_000_000,
      onFull: () => {},
    }
    const recorder = new Recorder({ ...common, kinds: [karpenterKinds.NodePool] })
    for (const token of ['s3cret-1', 's3cret-2', 's3cret-1', undefined]) put(token)
    const trace = recorder.trace('asked')
    const numbers = JSON.stringify(trace).match(/annotations":"\d"/g)
    expect(numbers).toEqual(['1', '2', '1', '3'].map((number) => `annotations":"${number}"`))
    expect(JSON.stringify(trace)).not.toContain('s3cret')
  })

  test('stops at its maximum size, reports that once, and leaves a valid file', async () => {
    const { trace, full } = await recorded(async ({ client }, clock) => {
      for (let index = 0; index < 200; index++) await client.create(kinds.Pod, barePod(`pod-${index}`))
      await clock.advance(5_000)
    }, 8_000)
    expect(full).toBe(1)
    expect(trace.recording?.end).toBe('full')
    expect(JSON.stringify(trace).length).toBeLessThan(10_000)
    expect(trace.events?.length).toBeGreaterThan(10)
  })
})

test('only listed fields of an object are kept', () => {
  const lean = leanObject({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', annotations: { 'kubectl.kubernetes.io/last-applied': 'x' }, uid: 'u' },
    ...{
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' }, annotations: { 'karpenter.sh/do-not-disrupt': 'true', other: 'x' } },
          spec: {
            serviceAccountName: 'web',
            priorityClassName: 'high',
            volumes: [
              { name: 'keys', secret: { secretName: 'keys' } },
              { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
            ],
            containers: [
              {
                name: 'main',
                image: 'registry/private:1',
                env: [{ name: 'A', value: 'b' }],
                args: ['--password=x'],
                resources: { requests: { cpu: '1' } },
                ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 81 }],
              },
            ],
          },
        },
      },
      status: { replicas: 2 },
    },
  })
  expect(lean).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' }, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
        spec: {
          priorityClassName: 'high',
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
          containers: [
            {
              name: 'main',
              image: 'recorded',
              resources: { requests: { cpu: '1' } },
              ports: [{ containerPort: 81, hostPort: 81 }],
            },
          ],
        },
      },
    },
  })
})

import { type KubeObject, kinds } from '@kerf/apis'
import { SeededRandom, SharedInformers, silentLogger } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { recordedHtml, recordedText } from '../../../../packages/cli/src/migrate/rehearse/recorded-report.ts'
import { SETTLED } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import { rehearseRecording } from '../../../../packages/cli/src/migrate/rehearse/rehearse-recording.ts'
import { RehearsedCluster } from '../../../../packages/cli/src/migrate/rehearse/rehearsed-cluster.ts'
import { Recorder, recordedKinds, watchedKinds } from '../../../../packages/cli/src/record/recorder.ts'
import { recordingLines } from '../../../../packages/cli/src/record/recording-file.ts'
import { parseTrace } from '../../../../packages/cli/src/simulate/read-trace.ts'
import type { Trace } from '../../../../packages/cli/src/simulate/trace.ts'
import { exampleClusters } from './example-clusters.ts'
import { migrationFolder } from './migrated-cluster.ts'

const HOUR = 3_600_000
const served = [...recordedKinds, ...watchedKinds]

const gpu = async () => {
  const cluster = exampleClusters.find(({ name }) => name === 'GPU')
  if (cluster === undefined) throw new Error('there is no example cluster with GPUs')
  return await migrationFolder(cluster)
}

const instanceTypes = async () => (await openTypes({ instanceTypes: 'aws', region: 'us-east-1' })).types

/**
 * Records three hours of the cluster before its migration, with a workload that scales down and up again, and a rollout of another
 * workload.
 */
const recordedHours = async (): Promise<{ readonly trace: Trace; readonly cost: number; readonly nodes: number }> => {
  const rehearsed = new RehearsedCluster(await gpu(), { seed: 7, instanceTypes: await instanceTypes() })
  await rehearsed.begin()
  await rehearsed.pass(SETTLED)
  const { admin, clock } = rehearsed
  const stop = new AbortController()
  const informers = new SharedInformers({ client: admin, clock, random: new SeededRandom(1), logger: silentLogger })
  for (const kind of served) informers.of(kind)
  informers.start(stop.signal)
  await clock.advance(5_000)
  const recorder = new Recorder({
    informers,
    clock,
    kinds: served,
    leftOut: [],
    mostBytes: 10_000_000,
    onFull: () => {},
  })
  const first = rehearsed.watch.samples.length
  const minute = (): void => recorder.sample()
  const scale = async (replicas: number): Promise<unknown> =>
    await admin.patch(
      kinds.Deployment,
      { namespace: 'web', name: 'api' },
      { type: 'merge', body: { spec: { replicas } } },
    )
  await rehearsed.pass(HOUR / 2, minute)
  await scale(1)
  await admin.patch(
    kinds.Deployment,
    { namespace: 'ml', name: 'inference' },
    { type: 'merge', body: { spec: { template: { metadata: { labels: { release: 'two' } } } } } },
  )
  await rehearsed.pass(1.5 * HOUR, minute)
  await scale(8)
  await rehearsed.pass(HOUR, minute)
  const samples = rehearsed.watch.samples.slice(first)
  const trace = parseTrace([...recordingLines(recorder.trace('asked'))].join(''), 'recording.json')
  recorder.stop()
  stop.abort()
  rehearsed.stop()
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    trace,
    cost: 3 * mean(samples.map(({ hourlyCost }) => hourlyCost)),
    nodes: mean(samples.map(({ nodes }) => nodes)),
  }
}

test('a recorded time is replayed before the migration and after each phase', async () => {
  const { trace, cost, nodes } = await recordedHours()
  // The recording has a scaling and a rollout, and the replay must contain both.
  const events = trace.events ?? []
  expect(events.filter((event) => 'scale' in event)).toHaveLength(2)
  expect(events.some((event) => 'apply' in event && (event.apply as KubeObject).metadata.name === 'inference')).toBe(
    true,
  )
  const recorded = {
    ...(trace.objects ?? []).find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'api'),
  } as KubeObject
  const stranger = {
    ...recorded,
    metadata: { name: 'stranger', namespace: 'web' },
  }
  const time = await rehearseRecording(
    await gpu(),
    { ...trace, objects: [...(trace.objects ?? []), stranger as never] },
    3 * HOUR,
    { seed: 1, instanceTypes: await instanceTypes() },
  )
  process.stdout.write(recordedText(time, Number.POSITIVE_INFINITY))
  const [before, ...after] = time.phases
  expect(after.map(({ phase }) => phase)).toEqual([0, 2, 3, 4, 5, 6, 7])
  expect(time.notInPlan).toEqual(['Deployment web/stranger'])
  expect(time.refused).toEqual([])
  // Compares with the node count of the recording, and with the actual cost of that time.
  expect(Math.abs((time.recorded?.nodes ?? 0) - nodes)).toBeLessThan(1.5)
  expect(before?.cost).toBeGreaterThan(0.95 * cost)
  expect(before?.cost).toBeLessThan(1.1 * cost)
  // The replay of a rollout does not move a migrated workload back, so no pod waits for a node of a node group.
  for (const { podHoursWaiting } of after.slice(2)) expect(podHoursWaiting).toBeLessThan(1)
  expect(after.at(-1)?.cost).toBeLessThan(1.05 * (before?.cost ?? 0))
  const page = recordedHtml(time)
  for (const { name } of time.phases) expect(page).toContain(name)
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { kinds } from '@kerf/apis'
import { SeededRandom, SharedInformers, silentLogger } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { readPlan } from '../../../../packages/cli/src/migrate/plan/read-plan.ts'
import { type Rehearsal, SETTLED } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import type { RecordedTime } from '../../../../packages/cli/src/migrate/rehearse/rehearse-recording.ts'
import { RehearsedCluster } from '../../../../packages/cli/src/migrate/rehearse/rehearsed-cluster.ts'
import { migrate } from '../../../../packages/cli/src/migrate/verb.ts'
import { runProgram } from '../../../../packages/cli/src/program.ts'
import { Recorder, recordedKinds, watchedKinds } from '../../../../packages/cli/src/record/recorder.ts'
import { recordingLines } from '../../../../packages/cli/src/record/recording-file.ts'

const MINUTE = 60_000
const examples = fileURLToPath(new URL('../../../../examples/cluster-autoscaler/', import.meta.url))
const example = (file: string): string => readFileSync(join(examples, file), 'utf8')

/** Pause pods that reserve capacity, which a CapacityBuffer replaces. */
const PAUSE = JSON.stringify({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'room', namespace: 'shop' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'room' } },
    template: {
      metadata: { labels: { app: 'room' } },
      spec: {
        containers: [
          {
            name: 'room',
            image: 'registry.k8s.io/pause:3.10',
            resources: { requests: { cpu: '500m', memory: '256Mi' } },
          },
        ],
      },
    },
  },
})

/** Writes the example with Cluster Autoscaler, one node group, one workload of six pods and two pause pods. */
const smallCluster = (folder: string): void => {
  const documents = example('cluster.yaml').split(/^---\n/m)
  const kept = documents.filter(
    (text) => text.includes('kind: Namespace') || /^ {2}name: (cluster-autoscaler|frontend)$/m.test(text),
  )
  writeFileSync(
    join(folder, 'cluster.yaml'),
    `${kept.join('---\n').replace('replicas: 60', 'replicas: 6')}\n---\n${PAUSE}`,
  )
  const { AutoScalingGroups: groups } = JSON.parse(example('asgs.json')) as {
    readonly AutoScalingGroups: readonly { readonly AutoScalingGroupName: string }[]
  }
  const web = groups.filter(({ AutoScalingGroupName: name }) => name.startsWith('eks-web-'))
  writeFileSync(join(folder, 'asgs.json'), JSON.stringify({ AutoScalingGroups: web }))
  writeFileSync(join(folder, 'nodegroup-web.json'), example('nodegroup-web.json'))
}

const kerf = async (...args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> => {
  let out = ''
  const before = process.exitCode
  const write = process.stdout.write
  process.stdout.write = (text: unknown) => {
    out += String(text)
    return true
  }
  try {
    process.exitCode = 0
    const code = await runProgram([migrate], args, { out: (text) => (out += text), err: () => {} })
    return { code: code === 0 ? Number(process.exitCode) : code, out }
  } finally {
    process.stdout.write = write
    process.exitCode = before
  }
}

/**
 * Writes a recording of forty minutes in the format of `kerf record`. There are thirty pods after ten minutes, and six again after twenty
 * more minutes.
 */
const recordTo = async (file: string, plan: string): Promise<void> => {
  const { types } = await openTypes({ instanceTypes: 'aws', region: 'us-east-1' }, [])
  const rehearsed = new RehearsedCluster(await readPlan(plan), { seed: 3, instanceTypes: types })
  await rehearsed.begin()
  await rehearsed.pass(SETTLED)
  const { admin, clock } = rehearsed
  const stop = new AbortController()
  const informers = new SharedInformers({ client: admin, clock, random: new SeededRandom(1), logger: silentLogger })
  const served = [...recordedKinds, ...watchedKinds]
  for (const kind of served) informers.of(kind)
  informers.start(stop.signal)
  await clock.advance(5_000)
  const recorder = new Recorder({
    ...{ informers, clock, kinds: served, leftOut: [], mostBytes: 10_000_000, onFull: () => {} },
  })
  const scale = async (replicas: number): Promise<unknown> =>
    await admin.patch(
      kinds.Deployment,
      { namespace: 'shop', name: 'frontend' },
      { type: 'merge', body: { spec: { replicas } } },
    )
  const minute = (): void => recorder.sample()
  await rehearsed.pass(10 * MINUTE, minute)
  await scale(30)
  await rehearsed.pass(20 * MINUTE, minute)
  await scale(6)
  await rehearsed.pass(10 * MINUTE, minute)
  writeFileSync(file, gzipSync([...recordingLines(recorder.trace('asked'))].join('')))
  recorder.stop()
  stop.abort()
  rehearsed.stop()
}

test('the command line works from the exports to the cost of a recorded time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-rehearse-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  smallCluster(folder)
  const plan = join(folder, 'migration')
  await kerf('migrate', 'cas', '-f', folder, '--cluster-name', 'shop', '--no-keep', '--output-dir', plan)
  const file = join(plan, 'plan.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^questions:\n(?: {2}.*\n)+/m, 'questions: []\n'))
  const recording = join(folder, 'recorded.json.gz')
  await recordTo(recording, plan)
  const whole = await kerf('migrate', 'rehearse', plan, '--trace', recording, '-o', 'json')
  expect(whole.code, whole.out).toBe(0)
  const { recordedTime, buffers } = JSON.parse(whole.out) as { readonly recordedTime: RecordedTime } & Pick<
    Rehearsal,
    'buffers'
  >
  expect(buffers).toEqual([{ buffer: 'shop/room', isKept: true, why: '2 replicas fit on existing nodes' }])
  expect(recordedTime).toMatchObject({ span: 40 * MINUTE, refused: [], notInPlan: [] })
  const [before, ...after] = recordedTime.phases
  expect(after.map(({ phase }) => phase)).toEqual([2, 3, 5, 6, 7])
  const { out } = await kerf('migrate', 'rehearse', plan, '--trace', recording, '--for', '5m')
  expect(out).toContain('shop/room: kept, 2 replicas fit on existing nodes')
  const [, played = ''] = out.split(/^(?=RECORDED TIME)/m)
  const [, quiet = ''] = /^before +\$\d+\.\d\d +100 % +\$(\d+\.\d\d) /m.exec(played) ?? []
  // Additional pods arrive after ten minutes. With their nodes, the cluster costs more than 1.5 times as much.
  expect(before?.peakCost).toBeGreaterThan(1.5 * Number(quiet))
  expect(Number(quiet)).toBeGreaterThan(0)
  expect(played).toMatch(/^after 7 Cluster Autoscaler off +\$\d+\.\d\d /m)
  expect(played).toContain('0.1 h from ')
})

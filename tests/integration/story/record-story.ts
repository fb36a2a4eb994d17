import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, karpenterKinds, kinds, type Pod } from '@kerf/apis'
import { parseTrace, runRecord, runSimulate, type SimulationResult, type Trace } from '@kerf/cli'
import { SeededRandom } from '@kerf/runtime'
import { pod as buildPod } from '@kerf/testing'
import { expect } from 'vitest'
import { applyExample } from './manifests.ts'
import { claims, scale, settledAt } from './nginx-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const SECRET = 'correct-horse-battery-staple'

const pod = (name: string): Pod =>
  buildPod(name, {
    annotations: { 'example.com/note': SECRET },
    spec: {
      containers: [
        {
          name: 'main',
          image: `registry.example/${SECRET}`,
          resources: { requests: { cpu: '500m' } },
          ...{ env: [{ name: 'TOKEN', value: SECRET }], command: ['run', SECRET] },
        },
      ],
      volumes: [{ name: 'keys', secret: { secretName: SECRET } }],
    },
  })

const interruption = (claim: KubeObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'interrupted', namespace: 'default' },
  ...{
    involvedObject: { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: claim.metadata.name },
    reason: 'SpotInterrupted',
    message: 'Spot interruption notice was received',
    type: 'Warning',
    reportingComponent: 'karpenter',
    source: { component: 'karpenter' },
  },
})

/** Returns the kinds of events in order, without times and details. */
const outline = ({ events = [] }: Trace): readonly string[] =>
  events.map((event) => {
    if ('scale' in event) return `scale ${event.scale.name} ${event.scale.replicas}`
    if ('apply' in event) return `apply ${event.apply.kind} ${event.apply.metadata.name}`
    if ('delete' in event) return `delete ${event.delete.kind} ${event.delete.name}`
    if ('interrupt' in event) return `interrupt ${event.interrupt.count}`
    return Object.keys(event).join()
  })

/**
 * Records a cluster while it grows, a pod without a controller is created and deleted, its NodePool changes, and a spot instance
 * gets an interruption notice. Ctrl-C ends the recording. The file contains no secret, and a simulation can play it completely.
 */
export const runRecordStory = async (cluster: StoryCluster): Promise<void> => {
  const { client, clock } = cluster
  const directory = await mkdtemp(join(tmpdir(), 'kerf record '))
  const file = join(directory, 'yesterday.json.gz')
  try {
    await applyExample(client, 'quickstart/nodepool.yaml', () => cluster.pass(0.2))
    await applyExample(client, 'quickstart/nginx.yaml', () => cluster.pass(0.2))
    await client.create(kinds.Pod, pod('there-before'))
    await settledAt(cluster, 10)

    const stop = new AbortController()
    const said: string[] = []
    const streams = { stdout: { write: (text: string) => said.push(text) }, stderr: { write: () => {} } }
    const harness = { client, clock, random: new SeededRandom(1), server: 'the test cluster' }
    let isOver = false
    const recording = runRecord(file, { mostSize: 1 }, harness, streams, stop.signal).finally(() => {
      isOver = true
    })
    recording.catch(() => {})
    await cluster.until('the recording to begin', () =>
      readFile(file).then(
        () => true,
        () => isOver,
      ),
    )
    await cluster.pass(2)
    await scale(client, 16)
    await settledAt(cluster, 16)
    await client.create(kinds.Pod, pod('passing'))
    await cluster.until(
      'the new pod to run',
      async () => (await client.get(kinds.Pod, { name: 'passing', namespace: 'default' })).status?.phase === 'Running',
    )
    await client.patch(karpenterKinds.NodePool, { name: 'general' }, { type: 'merge', body: { spec: { weight: 7 } } })
    await cluster.pass(1)
    const [claim] = await claims(client)
    if (claim === undefined) throw new Error('there is a claim')
    await client.create(kinds.Event, interruption(claim) as never)
    await cluster.pass(1)
    await client.delete(kinds.Pod, { name: 'passing', namespace: 'default' }, { gracePeriodSeconds: 0 })
    await cluster.pass(2)
    stop.abort(new Error('Ctrl-C'))
    await cluster.until('the recording to be complete', async () => isOver)
    await recording
    expect(said.join('')).toMatch(/recorded .* 5 events since, 1 spot interruptions/)

    const bytes = await readFile(file)
    const text = new TextDecoder().decode(await inflated(bytes))
    expect(text).not.toContain(SECRET)
    expect(text).not.toMatch(/"env"|"command"|"secret"/)
    const trace = parseTrace(text, file)
    expect(outline(trace)).toEqual([
      'scale nginx 16',
      'apply Pod passing',
      'apply NodePool general',
      'interrupt 1',
      'delete Pod passing',
    ])
    expect(trace.recording?.end).toBe('asked')
    expect(trace.objects?.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['NodePool', 'Deployment', 'Pod']))

    const result = await simulated(file)
    expect(result.refused).toEqual([])
    expect(result.cost).toBeGreaterThan(0)
    // Ten nginx pods and the earlier pod were already bound when the recording of costs began.
    const before = trace.objects?.map(({ kind, metadata }) => `${kind} ${metadata.name}`).join(', ')
    expect(result.samples[0], `the recording began with ${before}`).toMatchObject({ at: 0, pods: 11, waiting: 0 })
    expect(result.pods).toBeGreaterThanOrEqual(18)
    expect(await simulated(file)).toEqual(result)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const inflated = async (bytes: Buffer): Promise<ArrayBuffer> =>
  await new Response(
    new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).arrayBuffer()

const simulated = async (trace: string): Promise<SimulationResult> => {
  let out = ''
  const stdout = { write: (text: string) => (out += text) }
  await runSimulate(
    { filename: [], trace, seed: 1, output: 'json', schema: false },
    { stdout, stderr: { write: () => true }, env: {}, now: () => 0 },
  )
  return JSON.parse(out) as SimulationResult
}

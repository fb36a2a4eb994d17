import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import { declareEvents, NodeClaimNotFoundError } from '@kerf/provider-contract'
import { RecordingLogger, SeededRandom, SharedInformers, silentLogger, VirtualClock } from '@kerf/runtime'
import { installCustomResources, RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { nodeClaim } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { ClaimTagging } from './claim-tagging.ts'
import type { Tags } from './tags.ts'

const never = new AbortController().signal
const PAUSE = 1_000
const OWNER = { owner: 'kerf', pool: 'web' }

/** Creates a cloud with servers and their tags, and a cluster with NodeClaims in which the controller runs. */
const harness = async () => {
  const clock = new VirtualClock()
  const random = new SeededRandom(1)
  const { client } = new SandboxCluster({ clock, random, kubelet: false, scheduler: false, events: false })
  await installCustomResources(client, [])
  const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
  const [log, events] = [new RecordingLogger(), new RecordingEventRecorder()]
  const servers = new Map<string, Tags>()
  const written: { readonly at: number; readonly id: string; readonly tags: Tags }[] = []
  const refused = new Set<string>()
  const broken = new Set<string>()
  const listeners = new Set<(id: string) => void>()
  const claimInstanceId = ({ status }: NodeClaim): string | undefined =>
    /^srv:\/\/(.+)$/.exec(status?.providerID ?? '')?.[1]
  const claims = informers.of(karpenterKinds.NodeClaim)
  const tagging = new ClaimTagging({
    context: { client, informers, clock, log, events },
    instances: {
      get: async (id) => {
        const tags = servers.get(id)
        if (tags === undefined) throw new NodeClaimNotFoundError(`server ${id} is gone`)
        return { id, tags }
      },
      knownTags: () => undefined,
      tag: async (id, tags) => {
        if (Object.keys(tags).some((key) => refused.has(key))) throw new Error('you may not')
        if (Object.keys(tags).some((key) => broken.has(key))) throw new Error('try later')
        written.push({ at: clock.monotonic(), id, tags })
        servers.set(id, { ...servers.get(id), ...tags })
      },
      onUntagged: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    isOwn: ({ spec }) => spec.nodeClassRef.kind === 'ServerClass',
    claimsOf: (id) => [...claims.values()].filter((claim) => claimInstanceId(claim) === id),
    instanceIdOf: claimInstanceId,
    cloud: 'Acme',
    doneAnnotations: ['acme/tagged'],
    tagsOf: ({ metadata, status }) => ({ node: status?.nodeName ?? '', claim: metadata.name }),
    ownerTagsOf: () => OWNER,
    isAllowed: (tag) => tag === 'owner',
    isRefusal: (error) => error instanceof Error && error.message === 'you may not',
    remedyFor: (id, tags) => `run "acme tag ${id} ${Object.keys(tags).join(' ')}"`,
    eventReason: declareEvents({
      ServerTagsMissing: { type: 'Warning', about: ['NodeClaim'], when: 'A server lacks tags.' },
    }).reason('ServerTagsMissing'),
    pause: PAUSE,
  })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  await informers.start(stop.signal)
  const controller = tagging.controller()
  const asked: string[] = []
  controller.subscribe?.((name) => void asked.push(name))
  /** Creates a NodeClaim with this status, and a server with ownership tags. */
  const add = async (name: string, status: object = { providerID: `srv://${name}`, nodeName: `node-${name}` }) => {
    const spec = { nodeClassRef: { group: 'acme.example', kind: 'ServerClass', name: 'default' } }
    await client.create(karpenterKinds.NodeClaim, nodeClaim(name, { spec }))
    await client.patch(
      karpenterKinds.NodeClaim,
      { name },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
    servers.set(name, OWNER)
    await clock.advance(500)
  }
  const pass = async (name: string): Promise<void> => {
    const outcome = controller.reconcile(name, never)
    outcome.catch(() => {})
    await clock.advance(10_000)
    await outcome
  }
  const isDone = async (name: string) =>
    (await client.get(karpenterKinds.NodeClaim, { name })).metadata.annotations?.['acme/tagged'] === 'true'
  return { clock, log, events, servers, written, refused, broken, listeners, asked, add, pass, isDone }
}

test('an instance whose Node exists gets its Name tag once, and the claim is annotated', async () => {
  const { written, add, pass, isDone } = await harness()
  await add('a')
  await pass('a')
  expect(written.map(({ id, tags }) => [id, tags])).toEqual([['a', { node: 'node-a', claim: 'a' }]])
  expect(await isDone('a')).toBe(true)
  await pass('a')
  expect(written).toHaveLength(1)
})

test('an existing tag is left unchanged, even with another value', async () => {
  const { servers, written, add, pass, isDone } = await harness()
  await add('a')
  servers.set('a', { ...OWNER, node: 'somebody’s', claim: 'a' })
  await pass('a')
  expect([written, await isDone('a')]).toEqual([[], true])
})

test('without a Node, a server or a provider ID of the cloud, nothing is tagged', async () => {
  const { servers, log, written, add, pass, isDone } = await harness()
  await add('early', { providerID: 'srv://early' })
  await add('gone')
  servers.delete('gone')
  await add('foreign', { providerID: 'other://x', nodeName: 'node-x' })
  for (const name of ['early', 'gone', 'foreign', 'unknown']) await pass(name)
  expect(written).toEqual([])
  for (const name of ['early', 'gone', 'foreign']) expect(await isDone(name)).toBe(false)
  expect(log.lines.map(({ message }) => message)).toEqual([
    'a nodeclaim has no provider ID of Acme and cannot be tagged',
  ])
})

test('lost ownership tags are restored, the allowed ones in a separate request; the claim gets an Event', async () => {
  const { events, servers, written, refused, listeners, asked, add, pass } = await harness()
  await add('a')
  await pass('a')
  servers.set('a', { node: 'node-a', claim: 'a' })
  written.length = 0
  refused.add('pool')
  for (const listener of listeners) listener('a')
  expect(asked).toEqual(['a'])
  await pass('a')
  expect(written.map(({ tags }) => tags)).toEqual([{ owner: 'kerf' }])
  expect(events.events.map(({ reason, message }) => [reason, message])).toEqual([
    [
      'ServerTagsMissing',
      'instance a had lost the tags owner, pool, which Kerf needs to find and terminate it; the controller is not allowed to restore all of them: run "acme tag a pool"',
    ],
  ])
})

test('a failed restore is retried after ten minutes; if restored tags are lost again, they are restored immediately', async () => {
  const { clock, servers, refused, listeners, asked, add, pass } = await harness()
  const lose = () => {
    servers.set('a', { node: 'node-a', claim: 'a' })
    for (const listener of listeners) listener('a')
  }
  await add('a')
  await pass('a')
  refused.add('pool')
  lose()
  await pass('a')
  lose()
  expect(asked).toEqual(['a'])
  await clock.advance(600_000)
  refused.clear()
  lose()
  await pass('a')
  lose()
  expect(asked).toEqual(['a', 'a', 'a'])
})

test('requests are sent one at a time, with a pause in between', async () => {
  const { servers, written, listeners, add, pass } = await harness()
  await add('a')
  await pass('a')
  servers.set('a', {})
  written.length = 0
  for (const listener of listeners) listener('a')
  await pass('a')
  const [first, second] = written.map(({ at }) => at)
  expect((second ?? 0) - (first ?? 0)).toBe(PAUSE)
})

test('a request that fails for a reason other than permissions is retried, without a remedy for the user', async () => {
  const { events, servers, broken, written, listeners, add, pass } = await harness()
  await add('a')
  await pass('a')
  servers.set('a', { node: 'node-a', claim: 'a' })
  written.length = 0
  for (const listener of listeners) listener('a')
  broken.add('owner')
  await expect(pass('a')).rejects.toThrow('try later')
  expect(events.events).toEqual([])
  broken.clear()
  await pass('a')
  expect(written.map(({ tags }) => tags)).toEqual([{ owner: 'kerf' }, { pool: 'web' }])
})

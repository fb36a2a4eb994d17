import { findCondition, karpenterKinds } from '@kerf/apis'
import { expect, onTestFinished, test } from 'vitest'
import {
  createKitHarness,
  type ServerClass,
  serverClaim,
  serverClass,
  serverClassKind,
} from '../testing/server-class.ts'
import { NodeClassStatus, type NodeClassStatusOptions } from './node-class-status.ts'
import type { Step, StepCause } from './status-step.ts'

const FINALIZER = 'cloud.example/termination'

/** An error that a step throws in these tests, optionally with a cause for the condition. */
class CallError extends Error {
  readonly stepCause: StepCause | undefined
  constructor(message: string, stepCause?: StepCause) {
    super(message)
    this.stepCause = stepCause
  }
}

type Options = Partial<NodeClassStatusOptions<ServerClass>>

/** Creates a harness whose steps can be replaced while it runs. */
const startHarness = async (steps: Record<string, Step<ServerClass>['run']>, options: Options = {}, metadata = {}) => {
  const harness = await createKitHarness((context) => [
    new NodeClassStatus<ServerClass>({
      ...{ context, kind: serverClassKind },
      conditions: { dependents: Object.keys(steps) },
      steps: Object.keys(steps).map((condition) => ({
        condition,
        run: async (nodeClass, signal) => (await steps[condition]?.(nodeClass, signal)) ?? {},
      })),
      causeOf: (error) => (error instanceof CallError ? error.stepCause : undefined),
      ...options,
    }).controller(),
  ])
  onTestFinished(() => harness.stop())
  await harness.client.create(serverClassKind, serverClass(metadata))
  await harness.start()
  const told = () => harness.events.events.map(({ reason, message }) => `${reason}: ${message}`)
  const conditionOf = async (type: string) => {
    const { status, reason, message } = findCondition(await harness.serverClass(), type) ?? {}
    return { status, reason, message }
  }
  const edit = async (image: string) => {
    const body = { spec: { image } }
    await harness.client.patch(serverClassKind, { name: 'default' }, { type: 'merge', body })
    await harness.clock.advance(500)
  }
  return { ...harness, told, conditionOf, edit }
}

const good = (type: string) => ({ condition: { type, status: 'True' } as const })

test('each step sees the results of earlier steps, and the status is written once', async () => {
  const seen: unknown[] = []
  const { serverClass: read, told } = await startHarness({
    ImageReady: async () => ({ status: { image: 'image-1', zones: [] }, ...good('ImageReady') }),
    ZonesReady: async ({ status }) => {
      seen.push(status?.image)
      return { status: { zones: ['a'] }, ...good('ZonesReady') }
    },
  })
  const { status, metadata } = await read()
  expect(seen[0]).toBe('image-1')
  expect(status).toMatchObject({ image: 'image-1', zones: ['a'] })
  expect(status?.conditions?.map((each) => `${each.type}=${each.status}`).sort()).toEqual([
    'ImageReady=True',
    'Ready=True',
    'ZonesReady=True',
  ])
  // The spec has not changed, and no Event was published.
  expect([metadata.generation, told()]).toEqual([1, []])
})

test('if a resource is no longer found, it is removed from the status, including lists', async () => {
  let found: readonly string[] = ['a', 'b']
  const { serverClass: read, edit } = await startHarness({
    ZonesReady: async () => ({
      status: { zones: found, ...(found.length > 0 ? { image: 'x' } : { image: undefined as never }) },
      ...good('ZonesReady'),
    }),
  })
  expect((await read()).status).toMatchObject({ zones: ['a', 'b'], image: 'x' })
  found = []
  await edit('linux-2')
  const { status = {} } = await read()
  expect(Object.keys(status)).toEqual(['conditions'])
})

test('a failed step publishes one event, and the other steps run', async () => {
  const { conditionOf, told, edit, clock } = await startHarness({
    ImageReady: async () => ({
      condition: { type: 'ImageReady', status: 'False', reason: 'ImageNotFound', message: 'no image; choose another' },
      again: 60_000,
    }),
    ZonesReady: async () => good('ZonesReady'),
  })
  await edit('linux-2')
  await clock.advance(300_000)
  expect(told()).toEqual(['ImageNotFound: no image; choose another'])
  expect((await conditionOf('ZonesReady')).status).toBe('True')
  expect((await conditionOf('Ready')).status).toBe('False')
})

test('a step runs again after the interval that it returned', async () => {
  let runs = 0
  const { clock } = await startHarness({
    A: async () => ({ ...good('A'), again: 600_000 }),
    B: async () => {
      runs++
      return { ...good('B'), again: 60_000 }
    },
  })
  await clock.advance(10_000)
  const before = runs
  await clock.advance(60_000)
  expect(runs).toBe(before + 1)
})

const refused = new CallError('403', { reason: 'Unauthorized', message: 'the role lacks zones.list; add it' })

test('if a call fails until a user acts, the condition is Unknown with the cause, until the call succeeds', async () => {
  let fails = true
  const { conditionOf, told, clock } = await startHarness({
    ZonesReady: async () => {
      if (fails) throw refused
      return good('ZonesReady')
    },
  })
  expect(await conditionOf('ZonesReady')).toEqual({
    status: 'Unknown',
    reason: 'Unauthorized',
    message: 'the role lacks zones.list; add it',
  })
  expect(told()).toEqual(['Unauthorized: the role lacks zones.list; add it'])
  fails = false
  // There is no signal that the call is now allowed, so only a retry can discover it.
  await clock.advance(60_000)
  expect((await conditionOf('ZonesReady')).status).toBe('True')
})

test.each<[string, CallError, string]>([
  ['a refusal', refused, 'continuing with the previous result: the role lacks zones.list; add it'],
  ['a temporary failure', new CallError('x', { reason: 'NotFound', message: 'no address', isBrief: true }), ''],
  ['throttling', new CallError('429'), ''],
])('%s keeps the results for the current generation of the class', async (_, error, message) => {
  let thrown: CallError | undefined
  const {
    conditionOf,
    client,
    clock,
    serverClass: read,
  } = await startHarness({
    ZonesReady: async () => {
      if (thrown !== undefined) throw thrown
      return { status: { zones: ['a'] }, ...good('ZonesReady') }
    },
  })
  thrown = error
  const labels = { touched: 'yes' }
  await client.patch(serverClassKind, { name: 'default' }, { type: 'merge', body: { metadata: { labels } } })
  await clock.advance(60_000)
  expect(await conditionOf('ZonesReady')).toMatchObject({ status: 'True', message })
  expect((await read()).status?.zones).toEqual(['a'])
})

test('a temporary failure keeps the reason why the class is not ready', async () => {
  let isGone = false
  const { conditionOf, clock } = await startHarness({
    ZonesReady: async () => {
      if (isGone) throw new CallError('x', { reason: 'NotFound', message: 'no address', isBrief: true })
      const change = { reason: 'ZonesChange', message: 'zones are being looked up' }
      return { condition: { type: 'ZonesReady', status: 'False', ...change }, again: 60_000 }
    },
  })
  isGone = true
  await clock.advance(120_000)
  expect(await conditionOf('ZonesReady')).toEqual({
    status: 'False',
    reason: 'ZonesChange',
    message: 'zones are being looked up',
  })
})

test('while the cloud does not respond, the selection of a changed class is unknown', async () => {
  let thrown: CallError | undefined
  const { conditionOf, edit } = await startHarness({
    ZonesReady: async () => {
      if (thrown !== undefined) throw thrown
      return good('ZonesReady')
    },
  })
  thrown = new CallError('x', { reason: 'NotFound', message: 'no address', isBrief: true })
  await edit('linux-2')
  expect(await conditionOf('ZonesReady')).toEqual({ status: 'Unknown', reason: 'NotFound', message: 'no address' })
})

test('a class has its finalizer before anything is created for it', async () => {
  const seen: unknown[] = []
  await startHarness(
    {
      ImageReady: async ({ metadata }) => {
        seen.push(metadata.finalizers)
        return good('ImageReady')
      },
    },
    { finalizer: { name: FINALIZER, release: async () => undefined } },
    { finalizers: ['other.example/mine'] },
  )
  expect(seen[0]).toEqual(['other.example/mine', FINALIZER])
})

test('after the claims of a deleted class are gone, its resources are released, and then it is removed', async () => {
  const released: string[] = []
  const forgotten: string[] = []
  let fails = true
  const harness = await startHarness(
    {},
    {
      finalizer: {
        name: FINALIZER,
        release: async ({ metadata }) => {
          if (fails) throw new Error('the cloud is away')
          released.push(metadata.name)
        },
      },
      forget: (name) => forgotten.push(name),
    },
  )
  const { client, clock } = harness
  for (let index = 0; index < 7; index++) await client.create(karpenterKinds.NodeClaim, serverClaim(`c${index}`))
  const { spec, ...other } = serverClaim('other')
  await client.create(karpenterKinds.NodeClaim, {
    ...other,
    spec: { ...spec, nodeClassRef: { ...spec.nodeClassRef, name: 'another' } },
  })
  await clock.advance(500)
  await client.delete(serverClassKind, { name: 'default' })
  await clock.advance(500)
  expect(harness.told()).toEqual([
    'WaitingOnNodeClaimTermination: waiting for the termination of 7 nodeclaims: c0, c1, c2, c3, c4 and 2 more',
  ])
  for (let index = 0; index < 7; index++) await client.delete(karpenterKinds.NodeClaim, { name: `c${index}` })
  await clock.advance(60_000)
  // The release fails, so the finalizer remains.
  expect((await harness.serverClass()).metadata.finalizers).toEqual([FINALIZER])
  expect([released, forgotten]).toEqual([[], []])
  fails = false
  await clock.advance(60_000)
  expect([...new Set(released), ...new Set(forgotten)]).toEqual(['default', 'default'])
  await expect(harness.serverClass()).rejects.toMatchObject({ code: 404 })
})

test('without a finalizer, a class can be removed at any time', async () => {
  const forgotten: string[] = []
  const harness = await startHarness({}, { forget: (name) => forgotten.push(name) })
  expect((await harness.serverClass()).metadata.finalizers).toBeUndefined()
  await harness.client.delete(serverClassKind, { name: 'default' })
  await harness.clock.advance(500)
  expect(forgotten).toEqual(['default'])
})

test('a status written by another process triggers no reconcile, so that two processes cannot trigger each other endlessly', async () => {
  let runs = 0
  const { client, clock, edit } = await startHarness({
    ImageReady: async () => {
      runs++
      return good('ImageReady')
    },
  })
  const before = runs
  for (const zone of ['a', 'b', 'c']) {
    const body = { status: { zones: [zone] } }
    await client.patch(serverClassKind, { name: 'default' }, { type: 'merge', body }, { subresource: 'status' })
    await clock.advance(500)
  }
  expect(runs).toBe(before)
  await edit('image-2')
  expect(runs).toBeGreaterThan(before)
})

import { coreVocabulary, findCondition, labels, type NodeClaim } from '@kerf/apis'
import {
  CreateError,
  type InstanceView,
  InsufficientCapacityError,
  LaunchPendingError,
  NodeClassNotReadyError,
} from '@kerf/provider-contract'
import { condition, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { instance } from '../../testing/by-hand/claim-passes.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import type { ClaimDeletion } from '../claim-deletion.ts'
import { LaunchStep } from './launch.ts'

// Tests of the launch step without the other steps (`docs/spec/lifecycle.md#launch`).

const HOUR = 3_600_000
const launching = (create: (claim: NodeClaim) => Promise<InstanceView>) => {
  const asked: string[] = []
  const deleted: unknown[] = []
  const provider = {
    vocabulary: coreVocabulary,
    create: async (claim: NodeClaim) => {
      asked.push(claim.metadata.name)
      return await create(claim)
    },
  }
  const deletion = {
    delete: async ({ metadata }: NodeClaim, reason: string) => deleted.push([metadata.name, reason]),
  } as unknown as ClaimDeletion
  const { deps, clock, events } = manualState({ provider })
  const step = new LaunchStep(deps, deletion)
  const stop = new AbortController()
  const run = (claim: NodeClaim) => step.run(claim, stop.signal)
  const launched = async (claim: NodeClaim) => findCondition((await run(claim)).claim, 'Launched')
  return { step, run, launched, asked, deleted, events, clock, stop }
}
const claim = nodeClaim('c')
const said = (status: 'True' | 'False' | 'Unknown', ofClaim = claim): NodeClaim => ({
  ...ofClaim,
  status: { conditions: [condition('Launched', status)] },
})
const view = async ({ metadata }: NodeClaim) => instance(metadata.name)

describe('one instance is created for each claim', () => {
  test('if it has neither launched nor failed, even after a restart', async () => {
    const { launched, asked } = launching(view)
    for (const status of ['True', 'False'] as const) {
      expect((await launched(said(status)))?.status).toBe(status)
    }
    expect(asked).toEqual([])
    expect((await launched(said('Unknown')))?.status).toBe('True')
    expect(asked).toEqual(['c'])
  })

  test('from requirements with normalized label keys', async () => {
    const asked: unknown[] = []
    const { launched } = launching(async (each) => {
      asked.push(...each.spec.requirements)
      return view(each)
    })
    const written = [
      { key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: ['a'] },
      { key: 'kubernetes.io/arch', operator: 'Exists' },
    ] as const
    await launched(nodeClaim('c', { spec: { requirements: [...written] } }))
    expect(asked).toEqual([{ ...written[0], key: 'topology.kubernetes.io/zone' }, written[1]])
  })

  test('and is remembered for an hour while the claim does not show it', async () => {
    const { run, asked, clock } = launching(view)
    await run(claim)
    await clock.advance(HOUR - 1)
    expect((await run(claim)).claim.status?.providerID).toBe('kwok://c')
    expect(asked).toEqual(['c'])
    await clock.advance(1)
    await run(claim)
    expect(asked).toEqual(['c', 'c'])
  })

  test('and no other claim gets it', async () => {
    const { run, asked } = launching(view)
    const other = nodeClaim('other')
    expect((await run(claim)).claim.status?.providerID).toBe('kwok://c')
    expect((await run(other)).claim.status?.providerID).toBe('kwok://other')
    expect(asked).toEqual(['c', 'other'])
  })

  test('and is returned as unwritten until the claim shows it, or the launch fails', async () => {
    const { step, run, launched } = launching(view)
    expect(step.unwritten(claim)).toBeUndefined()
    await run(claim)
    const known = step.unwritten(claim)
    expect(known?.status?.providerID).toBe('kwok://c')
    expect(known && findCondition(known, 'Launched')?.status).toBe('True')
    expect(step.unwritten(nodeClaim('other'))).toBeUndefined()
    expect(step.unwritten(nodeClaim('c', { providerID: 'kwok://c' }))).toBeUndefined()
    expect(step.unwritten(nodeClaim('c', { providerID: '' }))?.status?.providerID).toBe('kwok://c')
    expect((await launched(said('False')))?.status).toBe('False')
    expect(step.unwritten(claim)).toBeDefined()
    expect((await launched(said('True')))?.status).toBe('True')
    expect(step.unwritten(claim)).toBeUndefined()
  })
})

describe('the provider’s response is written to the claim', () => {
  const answer = { capacity: { cpu: '4' }, allocatable: { cpu: '3' } }
  test('with the image only if there is one', async () => {
    const without = await launching(async () => instance('c', answer)).run(claim)
    expect(Object.keys(without.claim.status ?? {}).toSorted()).toEqual([
      'allocatable',
      'capacity',
      'conditions',
      'providerID',
    ])
    const withImage = await launching(async () => instance('c', { ...answer, imageID: 'image' })).run(claim)
    expect(withImage.claim.status).toMatchObject({ ...answer, imageID: 'image', providerID: 'kwok://c' })
  })

  test('with its labels and annotations: labels do not replace the claim’s own, but annotations do', async () => {
    const both = { team: 'provider', zone: 'z' }
    const own: NodeClaim = {
      ...claim,
      metadata: { ...claim.metadata, labels: { team: 'claim' }, annotations: { team: 'claim', own: 'x' } },
    }
    const { metadata } = (await launching(async () => instance('c', { labels: both, annotations: both })).run(own))
      .claim
    expect(metadata.labels).toEqual({ team: 'claim', zone: 'z' })
    expect(metadata.annotations).toEqual({ team: 'provider', zone: 'z', own: 'x' })
  })
})

describe('a failed launch', () => {
  test('is retried with growing delays of at most a minute', async () => {
    const { run, asked, clock } = launching(() => Promise.reject(new Error('no')))
    const waits: (number | undefined)[] = []
    for (let failures = 1; failures <= 8; failures++) {
      expect((await run(claim)).error).toEqual(new Error('no'))
      expect(asked).toHaveLength(failures)
      const { after } = await run(claim)
      waits.push(after)
      await clock.advance((after ?? 0) - 1)
      expect((await run(claim)).after).toBe(1)
      expect(asked).toHaveLength(failures)
      await clock.advance(1)
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    const other = await run(nodeClaim('other'))
    expect(other.error).toBeDefined()
    // The back-off ends as soon as the Launched condition is True or False.
    await run(claim)
    await run(said('False'))
    expect((await run(claim)).error).toBeDefined()
    expect((await run(claim)).after).toBe(1_000)
  })

  test('is not the same as a pending launch, for which the provider sets the interval and earlier failures are dropped', async () => {
    let answer: Error = new Error('no')
    const { run, asked, clock } = launching(() => Promise.reject(answer))
    await run(claim)
    await clock.advance(1_000)
    await run(claim)
    await clock.advance(2_000)
    answer = new Error('wrapped', { cause: new LaunchPendingError('being made', 30_000) })
    for (let turn = 1; turn <= 3; turn++) {
      const { after, error, claim: waiting } = await run(claim)
      expect([after, error]).toEqual([30_000, undefined])
      expect(findCondition(waiting, 'Launched')).toMatchObject({ reason: 'LaunchPending', message: 'being made' })
      expect(waiting.status?.capacity).toBeUndefined()
      expect(asked).toHaveLength(2 + turn)
      await clock.advance(29_999)
      expect((await run(claim)).after).toBe(1)
      await clock.advance(1)
    }
    answer = new Error('no')
    await run(claim)
    expect((await run(claim)).after).toBe(1_000)
    // Kerf asks the provider at most once a second, even if the provider requests a shorter delay.
    answer = new LaunchPendingError('being made', 0)
    await clock.advance(1_000)
    expect((await run(claim)).after).toBe(1_000)
  })

  const quota = new CreateError('QuotaExceeded', 'no quota')
  test.each([
    ['a create error', quota, 'QuotaExceeded', 'no quota'],
    ['a wrapped create error', new Error('wrapped', { cause: quota }), 'QuotaExceeded', 'no quota'],
    ['any other error', new Error('x'.repeat(300)), 'LaunchFailed', 'x'.repeat(300)],
    ['an error with a long message', new Error('x'.repeat(301)), 'LaunchFailed', `${'x'.repeat(300)}...`],
    ['a thrown string', 'only a text', 'LaunchFailed', 'only a text'],
  ])('is written to the condition: %s', async (_, error, reason, message) => {
    const { launched, deleted, events } = launching(() => Promise.reject(error))
    expect(await launched(claim)).toMatchObject({ status: 'Unknown', reason, message })
    expect([deleted, events.events]).toEqual([[], []])
  })

  test.each([
    [new InsufficientCapacityError('nothing left'), 'insufficient_capacity', ['InsufficientCapacityError']],
    [new NodeClassNotReadyError('no subnets'), 'nodeclass_not_ready', []],
  ])('deletes the claim if it is final (%s), which is not an error', async (error, reason, reasons) => {
    const { run, deleted, events } = launching(() => Promise.reject(error))
    const own = { ...claim, metadata: { ...claim.metadata, labels: { [labels.nodePool]: 'default' } } }
    const result = await run(own)
    expect([result.deleted, result.error, deleted]).toEqual([true, undefined, [['c', reason]]])
    expect(events.events.map((event) => event.reason)).toEqual(reasons)
    for (const event of events.events) {
      expect(event).toMatchObject({
        type: 'Warning',
        message: 'NodeClaim c event: insufficient capacity, nothing left',
        object: { kind: 'NodeClaim', metadata: { name: 'c' } },
        dedupeValues: ['uid-c'],
      })
    }
  })

  test('leaves the claim unchanged if Kerf is stopping', async () => {
    const { run, stop, deleted } = launching(async () => {
      stop.abort(new Error('stopping'))
      throw new InsufficientCapacityError('cut off')
    })
    await expect(run(claim)).rejects.toThrow('cut off')
    expect(deleted).toEqual([])
  })
})

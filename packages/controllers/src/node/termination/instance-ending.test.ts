import { findCondition, type Node } from '@kerf/apis'
import { DeleteError, NodeClaimNotFoundError } from '@kerf/provider-contract'
import { isNotFound, silentLogger, VirtualClock } from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { apiError } from '../../testing/harness/index.ts'
import { instanceEnding } from './instance-ending.ts'

// Tests of the instance stage of termination (`docs/spec/termination.md#node-finalizer`).

/** Requests the termination of an instance and returns the result. If `error` is set, the provider throws it. */
const order = async (error?: Error, on?: Node) => {
  const events = new RecordingEventRecorder()
  const provider = {
    ...manualState().deps.provider,
    delete: async () => (error === undefined ? undefined : Promise.reject(error)),
  }
  const end = instanceEnding({ provider, events, clock: new VirtualClock(), log: silentLogger })
  const { claim, wait } = await end(nodeClaim('c', { providerID: 'kwok://n' }), on, new AbortController().signal)
  const { status, reason, message } = findCondition(claim, 'InstanceTerminating') ?? {}
  return { condition: [status, reason, message], wait, events: events.events }
}
const marked = ['True', 'InstanceTerminating', '']

describe('the termination of an instance', () => {
  test('is checked again in five seconds while it is in progress', async () => {
    expect(await order()).toEqual({ condition: marked, wait: 5_000, events: [] })
  })

  test('is complete when the provider does not know the instance', async () => {
    expect(await order(new NodeClaimNotFoundError('gone'))).toEqual({ condition: marked, wait: undefined, events: [] })
  })

  test('is requested every minute while a user must allow it, and claim and Node say why', async () => {
    const refusal = new DeleteError('TerminationProtected', 'instance is protected')
    const { condition, wait, events } = await order(new Error('a layer', { cause: refusal }), node('n'))
    expect(condition).toEqual(['False', 'TerminationProtected', 'instance is protected'])
    expect(wait).toBe(60_000)
    const message = 'Failed to terminate the instance, instance is protected'
    expect(
      events.map((event) => [event.object.kind, event.object.metadata.name, event.type, event.reason, event.message]),
    ).toEqual([
      ['NodeClaim', 'c', 'Warning', 'FailedTermination', message],
      ['Node', 'n', 'Warning', 'FailedTermination', message],
    ])
    expect(events.map(({ dedupeValues }) => dedupeValues)).toEqual([
      ['uid-c', 'NodeClaim', 'TerminationProtected'],
      ['uid-c', 'Node', 'TerminationProtected'],
    ])
  })

  test('is reported only on the claim if there is no Node', async () => {
    const { events } = await order(new DeleteError('TerminationProtected', 'no'))
    expect(events.map(({ object }) => object.kind)).toEqual(['NodeClaim'])
  })

  test('is an error if it fails; a 404 of the provider does not count as a missing claim', async () => {
    await expect(order(new Error('the cloud is down'))).rejects.toThrow('the cloud is down')
    const wrapped = await order(apiError(404)).catch((error: unknown) => error)
    expect(String(wrapped)).toContain('terminating the instance of nodeclaim c failed')
    expect(isNotFound(wrapped)).toBe(false)
  })
})

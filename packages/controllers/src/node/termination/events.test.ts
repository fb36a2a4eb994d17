import { node, nodeClaim, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  awaitingVolumeDetachment,
  disrupted,
  evicted,
  failedDraining,
  terminationGracePeriodExpiring,
} from './events.ts'

const at = Date.parse('2026-01-01T01:00:00Z')
/** Returns the fields by which the API server and the deduplication identify an Event (`docs/spec/events.md#core-events`). */
const shape = (event: ReturnType<typeof evicted> | undefined) =>
  event && [event.reason, event.type, event.object.kind, event.object.apiVersion, event.dedupeValues]

describe('the events of terminating nodes', () => {
  test('have the reason, type, object and dedupe key of the specification', () => {
    const bare = { ...node('n'), kind: undefined, apiVersion: undefined } as unknown as ReturnType<typeof node>
    const web = pod('web')
    expect(
      [
        terminationGracePeriodExpiring({ node: bare }, at),
        terminationGracePeriodExpiring({ claim: nodeClaim('c') }, at),
        failedDraining(bare, 'why', 'budget'),
        awaitingVolumeDetachment(bare, ['va']),
        evicted(web, 'Drifted'),
        disrupted(web, at, 30),
      ].map(shape),
    ).toEqual([
      ['TerminationGracePeriodExpiring', 'Warning', 'Node', 'v1', ['n']],
      ['TerminationGracePeriodExpiring', 'Warning', 'NodeClaim', 'karpenter.sh/v1', ['c']],
      ['FailedDraining', 'Warning', 'Node', 'v1', ['n', 'budget']],
      ['AwaitingVolumeDetachment', 'Normal', 'Node', 'v1', ['n']],
      ['Evicted', 'Normal', 'Pod', 'v1', ['uid-web']],
      ['Disrupted', 'Normal', 'Pod', 'v1', ['uid-web']],
    ])
  })

  test('name five volume attachments, and give the number of the others', () => {
    const listed = (count: number) =>
      awaitingVolumeDetachment(
        node('n'),
        Array.from({ length: count }, (_, index) => `v${index}`),
      ).message
    const five = 'v0, v1, v2, v3, v4'
    expect(listed(2)).toBe('Awaiting deletion of bound volumeattachments (v0, v1)')
    expect(listed(5)).toBe(`Awaiting deletion of bound volumeattachments (${five})`)
    expect(listed(6)).toBe(`Awaiting deletion of bound volumeattachments (${five} and 1 others)`)
    expect(listed(9)).toBe(`Awaiting deletion of bound volumeattachments (${five} and 4 others)`)
  })

  test('contain the grace period of the pod', () => {
    const own = pod('web', { spec: { terminationGracePeriodSeconds: 60 } })
    expect(disrupted(own, at, 25).message).toContain(
      'accommodate the terminationTime 2026-01-01T01:00:00Z of the node. The pod was granted 25 seconds of grace-period of its 60 ',
    )
    expect(disrupted(pod('web'), at, 25).message).toContain('of its unset ')
  })
})

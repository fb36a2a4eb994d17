import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type InterruptionKind, interruptionResponses, parseInterruption } from './message.ts'

const event = (source: string, type: string, detail: unknown, more: object = {}): string =>
  JSON.stringify({
    version: '0',
    id: '1',
    account: '012345678901',
    region: 'us-east-1',
    time: '2026-01-02T03:04:05Z',
    source,
    'detail-type': type,
    detail,
    resources: [],
    ...more,
  })

const health = (detail: object): string => event('aws.health', 'AWS Health Event', detail)
const entities = [{ entityValue: 'i-1' }, { entityValue: 'i-2' }, { entityValue: 'i-1' }, {}]

describe('events', () => {
  test.each<readonly [string, string, InterruptionKind, readonly string[]]>([
    [
      'a spot interruption',
      event('aws.ec2', 'EC2 Spot Instance Interruption Warning', {
        'instance-id': 'i-1',
        'instance-action': 'terminate',
      }),
      'spot_interrupted',
      ['i-1'],
    ],
    [
      'a rebalance recommendation',
      event('aws.ec2', 'EC2 Instance Rebalance Recommendation', { 'instance-id': 'i-1' }),
      'rebalance_recommendation',
      ['i-1'],
    ],
    ...(['stopping', 'stopped', 'shutting-down', 'terminated', 'pending', 'running', 'toString'] as const).map(
      (state) => {
        const kind = /^stop/.test(state)
          ? 'instance_stopped'
          : /^(shut|term)/.test(state)
            ? 'instance_terminated'
            : 'no_op'
        return [
          `state ${state}`,
          event('aws.ec2', 'EC2 Instance State-change Notification', { 'instance-id': 'i-1', state }),
          kind,
          kind === 'no_op' ? [] : ['i-1'],
        ] as const
      },
    ),
    [
      'a scheduled change',
      health({ service: 'EC2', eventTypeCategory: 'scheduledChange', affectedEntities: entities }),
      'scheduled_change',
      ['i-1', 'i-2'],
    ],
    ['an issue', health({ service: 'EC2', eventTypeCategory: 'issue', affectedEntities: entities }), 'no_op', []],
    ['another service', health({ service: 'RDS', eventTypeCategory: 'scheduledChange' }), 'no_op', []],
    [
      'a reservation that ends',
      event('aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning', { 'instance-id': 'i-1' }),
      'capacity_reservation_interrupted',
      ['i-1'],
    ],
    ['another type', event('aws.ec2', 'EC2 Fleet Error', { 'instance-id': 'i-1' }), 'no_op', []],
    ['another source', event('mine', 'EC2 Spot Instance Interruption Warning', { 'instance-id': 'i-1' }), 'no_op', []],
    [
      'another version',
      event('aws.ec2', 'EC2 Spot Instance Interruption Warning', { 'instance-id': 'i-1' }, { version: '1' }),
      'no_op',
      [],
    ],
    ['nothing', '', 'no_op', []],
    ['an empty object', '{}', 'no_op', []],
  ])('%s', (_, body, kind, instanceIds) => {
    expect(parseInterruption(body)).toMatchObject({ readable: true, message: { kind, instanceIds } })
  })

  test('the time of the event is kept, and left out if it is invalid', () => {
    const body = (time: string): string =>
      event('aws.ec2', 'EC2 Instance Rebalance Recommendation', { 'instance-id': 'i-1' }, { time })
    expect(parseInterruption(body('2026-01-02T03:04:05Z'))).toMatchObject({ message: { time: '2026-01-02T03:04:05Z' } })
    expect(JSON.stringify(parseInterruption(body('soon')))).not.toContain('time')
  })

  test.each([
    ['text', 'hello'],
    ['half an event', '{"version":"0",'],
    ['a list', '[]'],
    ['a number', '3'],
    ['null', 'null'],
    ['no instance', event('aws.ec2', 'EC2 Spot Instance Interruption Warning', {})],
    ['no detail', event('aws.ec2', 'EC2 Spot Instance Interruption Warning', null)],
    ['an instance that is a number', event('aws.ec2', 'EC2 Instance Rebalance Recommendation', { 'instance-id': 5 })],
    ['no state', event('aws.ec2', 'EC2 Instance State-change Notification', { 'instance-id': 'i-1' })],
    ['no entities', health({ service: 'EC2', eventTypeCategory: 'scheduledChange' })],
  ])('%s cannot be parsed, and the reason is given', (_, body) => {
    const parsed = parseInterruption(body)
    expect(parsed.readable).toBe(false)
    expect(parsed).toHaveProperty('problem', expect.stringMatching(/.{5}/))
  })

  test('parsing never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.anything().map((value) => JSON.stringify(value)),
        ),
        (body) => {
          parseInterruption(body)
        },
      ),
    )
    expect(parseInterruption(undefined)).toMatchObject({ readable: true })
  })
})

test('the response to each kind', () => {
  const table = Object.entries(interruptionResponses).map(([kind, { action, event, unavailable = '' }]) =>
    `${kind}: ${action} ${event?.type ?? ''} ${event?.reason ?? ''} ${unavailable}`.trimEnd(),
  )
  expect(table).toMatchInlineSnapshot(`
    [
      "spot_interrupted: delete Warning SpotInterrupted spot-offering",
      "capacity_reservation_interrupted: delete Warning CapacityReservationInstanceInterrupted reservation",
      "scheduled_change: delete Warning InstanceUnhealthy",
      "event_status: delete Warning InstanceUnhealthy",
      "instance_stopped: delete Warning InstanceStopping",
      "instance_terminated: delete Warning InstanceTerminating",
      "instance_status: force Warning InstanceUnhealthy",
      "system_status: force Warning InstanceUnhealthy",
      "rebalance_recommendation: none Normal SpotRebalanceRecommendation",
      "no_op: none",
    ]
  `)
})

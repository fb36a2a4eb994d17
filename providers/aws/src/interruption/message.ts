import { ownValue, parseTime } from '@kerf/apis'
import type { AwsEventReason } from '../aws-events.ts'
/**
 * Parses messages of the interruption queue: EventBridge events about instances (`providers/aws/docs/spec/aws-controllers.md#interruption`).
 */

/** The kind of interruption, as in the metrics. */
export type InterruptionKind =
  | 'spot_interrupted'
  | 'rebalance_recommendation'
  | 'instance_stopped'
  | 'instance_terminated'
  | 'scheduled_change'
  | 'capacity_reservation_interrupted'
  | 'instance_status'
  | 'system_status'
  | 'event_status'
  | 'no_op'

export interface InterruptionMessage {
  readonly kind: InterruptionKind
  /** The affected instances. Empty for `no_op`. */
  readonly instanceIds: readonly string[]
  /** The time of the event in RFC 3339, if the event contains it. */
  readonly time?: string
}

/** A parsed message. Every message is counted and deleted. If a message cannot be parsed, it is also logged. */
export type ParsedMessage =
  | { readonly readable: true; readonly message: InterruptionMessage }
  | { readonly readable: false; readonly problem: string }

type Fields = Readonly<Record<string, unknown>>
const parseFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
const textAt = (fields: Fields, name: string): string | undefined => {
  const value = ownValue(fields, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Parses the detail of an event. Returns `undefined` if required fields are missing. */
type Reader = (
  detail: Fields,
) => { readonly kind: InterruptionKind; readonly instanceIds: readonly string[] } | undefined

const NOTHING = { kind: 'no_op', instanceIds: [] } as const

const aboutInstance =
  (kind: InterruptionKind): Reader =>
  (detail) => {
    const id = textAt(detail, 'instance-id')
    return id === undefined ? undefined : { kind, instanceIds: [id] }
  }

const STATES: Readonly<Record<string, InterruptionKind>> = {
  stopping: 'instance_stopped',
  stopped: 'instance_stopped',
  'shutting-down': 'instance_terminated',
  terminated: 'instance_terminated',
}

const stateChange: Reader = (detail) => {
  const state = textAt(detail, 'state')
  if (state === undefined) return undefined
  const kind = ownValue(STATES, state)
  return kind === undefined ? NOTHING : aboutInstance(kind)(detail)
}

const healthEvent: Reader = (detail) => {
  if (detail['service'] !== 'EC2' || detail['eventTypeCategory'] !== 'scheduledChange') return NOTHING
  const entities = detail['affectedEntities']
  if (!Array.isArray(entities)) return undefined
  const instanceIds = entities.flatMap((entity) => textAt(parseFields(entity), 'entityValue') ?? [])
  return { kind: 'scheduled_change', instanceIds: [...new Set(instanceIds)] }
}

/** Parsers by source and detail type. All of them parse version 0 of an event. */
const readers: Readonly<Record<string, Reader>> = {
  'aws.ec2/EC2 Spot Instance Interruption Warning': aboutInstance('spot_interrupted'),
  'aws.ec2/EC2 Instance Rebalance Recommendation': aboutInstance('rebalance_recommendation'),
  'aws.ec2/EC2 Instance State-change Notification': stateChange,
  'aws.health/AWS Health Event': healthEvent,
  'aws.ec2/EC2 Capacity Reservation Instance Interruption Warning': aboutInstance('capacity_reservation_interrupted'),
}

/** Parses the body of a queue message. Never throws. Returns `no_op` for an unknown event, and the reason if the body is unreadable. */
export const parseInterruption = (body: string | undefined): ParsedMessage => {
  if (body === undefined || body.trim() === '') return { readable: true, message: NOTHING }
  let event: unknown
  try {
    event = JSON.parse(body)
  } catch {
    return { readable: false, problem: 'it is not JSON' }
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    return { readable: false, problem: 'it is not an event' }
  const fields = parseFields(event)
  const time = textAt(fields, 'time')
  const stamp = time !== undefined && parseTime(time) !== undefined ? { time } : {}
  const name = `${textAt(fields, 'source')}/${textAt(fields, 'detail-type')}`
  const reader = fields['version'] === '0' ? ownValue(readers, name) : undefined
  if (reader === undefined) return { readable: true, message: { ...NOTHING, ...stamp } }
  const read = reader(parseFields(fields['detail']))
  return read === undefined
    ? { readable: false, problem: `an event ${JSON.stringify(name)} without an instance ID` }
    : { readable: true, message: { ...read, ...stamp } }
}

/** The reaction to an interruption: the action on the NodeClaims of the affected instances, an event, and unavailable capacity. */
export interface InterruptionResponse {
  /** `force`: the NodeClaim is deleted and its drain ends immediately. */
  readonly action: 'none' | 'delete' | 'force'
  /** The event on the NodeClaim, and on the Node if it exists. */
  readonly event?: { readonly type: 'Normal' | 'Warning'; readonly reason: AwsEventReason; readonly message: string }
  /** The capacity that Kerf treats as unavailable for a while. */
  readonly unavailable?: 'spot-offering' | 'reservation'
}

const warning = (reason: AwsEventReason, message: string) => ({ type: 'Warning', reason, message }) as const

export const interruptionResponses: Readonly<Record<InterruptionKind, InterruptionResponse>> = {
  spot_interrupted: {
    action: 'delete',
    event: warning('SpotInterrupted', 'EC2 interrupts the spot instance within two minutes'),
    unavailable: 'spot-offering',
  },
  capacity_reservation_interrupted: {
    action: 'delete',
    event: warning('CapacityReservationInstanceInterrupted', 'the owner reclaims the capacity reservation'),
    unavailable: 'reservation',
  },
  scheduled_change: {
    action: 'delete',
    event: warning('InstanceUnhealthy', 'AWS has scheduled a change that interrupts the instance'),
  },
  event_status: {
    action: 'delete',
    event: warning('InstanceUnhealthy', 'EC2 has scheduled maintenance, a reboot or the retirement of the instance'),
  },
  instance_stopped: { action: 'delete', event: warning('InstanceStopping', 'the instance is stopping') },
  instance_terminated: { action: 'delete', event: warning('InstanceTerminating', 'the instance is terminating') },
  instance_status: {
    action: 'force',
    event: warning('InstanceUnhealthy', 'the system status check of the instance fails'),
  },
  system_status: {
    action: 'force',
    event: warning('InstanceUnhealthy', 'the status check of the host of the instance fails'),
  },
  rebalance_recommendation: {
    action: 'none',
    event: {
      type: 'Normal',
      reason: 'SpotRebalanceRecommendation',
      message: 'the spot instance has an increased risk of interruption',
    },
  },
  no_op: { action: 'none' },
}

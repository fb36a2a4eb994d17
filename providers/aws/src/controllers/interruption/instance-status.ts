import type { InstanceStatus } from '@aws-sdk/client-ec2'
import { type Controller, defineMetrics, done, mapLimit, retryAfter, source } from '@kerf/runtime'
import { ec2Filter } from '../../api/aws-api.ts'
import type { AwsDeps } from '../../aws-deps.ts'
import { classifyAwsFailure } from '../../failures/aws-failure.ts'
import type { InterruptionKind } from '../../interruption/message.ts'
import type { InterruptionResponder } from './respond.ts'

const EVERY = 60_000
const AT_ONCE = 10
/** How long a status check must fail before the instance counts as unhealthy. Until then, the instance may recover by itself. */
const FAILING_FOR = 120_000

const EVENTS = [
  'instance-reboot',
  'system-reboot',
  'system-maintenance',
  'instance-retirement',
  'instance-stop',
] as const

/** Each scan finds a different kind of problem. Together they find all unhealthy instances. */
const SCANS = [
  [ec2Filter('instance-status.status', 'impaired')],
  [ec2Filter('system-status.status', 'impaired')],
  [ec2Filter('event.code', ...EVENTS)],
]

type Category = Extract<InterruptionKind, 'instance_status' | 'system_status' | 'event_status'>

/** Returns the categories of problems that EC2 reports for an instance (`providers/aws/docs/spec/aws.md#queue-and-instance-status`). */
export const statusCategories = (status: InstanceStatus, now: number): readonly Category[] => {
  const isFailing = (details: InstanceStatus['InstanceStatus']): boolean =>
    (details?.Details ?? []).some(
      ({ Status, ImpairedSince }) =>
        Status === 'failed' && ImpairedSince !== undefined && now - ImpairedSince.getTime() >= FAILING_FOR,
    )
  const events: ReadonlySet<string | undefined> = new Set(EVENTS)
  // EC2 also lists completed and canceled events. Only the prefix of the description distinguishes them.
  const hasEvent = (status.Events ?? []).some(
    ({ Code, Description }) => events.has(Code) && !/^\[(completed|canceled)\]/i.test(Description ?? ''),
  )
  return [
    ...(isFailing(status.InstanceStatus) ? (['instance_status'] as const) : []),
    ...(isFailing(status.SystemStatus) ? (['system_status'] as const) : []),
    ...(hasEvent ? (['event_status'] as const) : []),
  ]
}

export const instanceStatusMetrics = defineMetrics({
  unhealthy: {
    name: 'karpenter_interruption_instance_status_unhealthy_total',
    type: 'counter',
    help: 'Instances that became unhealthy, once for each time.',
    labels: ['category'],
  },
})

/**
 * Asks EC2 every minute which instances are unhealthy. This works without a queue
 * (`providers/aws/docs/spec/aws-controllers.md#instance-status`).
 */
export const instanceStatusPolling = (deps: AwsDeps, responder: InterruptionResponder): Controller => {
  const { context, options } = deps
  const { ec2 } = options.api
  const unhealthy = instanceStatusMetrics.register(options.metrics).unhealthy
  let seen: ReadonlySet<string> = new Set()

  return {
    name: 'interruption.instancestatus',
    sources: [source(responder.index.claims, () => []), source(responder.index.nodes, () => [])],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      const byId = new Map<string, InstanceStatus>()
      try {
        for (const filters of SCANS) {
          for (const status of await ec2.describeInstanceStatus(filters, signal)) {
            if (status.InstanceId !== undefined) byId.set(status.InstanceId, status)
          }
        }
      } catch (error) {
        if (classifyAwsFailure(error).class !== 'unauthorized') throw error
        context.log.error(
          'the role of the controller is not allowed to read instance status; unhealthy instances are not noticed until the next start',
          {
            permission: 'ec2:DescribeInstanceStatus',
          },
        )
        return done()
      }
      const now = context.clock.now()
      const found = [...byId].flatMap(([id, status]) =>
        responder.index.claimsOf(id).length === 0 ? [] : statusCategories(status, now).map((kind) => ({ id, kind })),
      )
      for (const { id, kind } of found) if (!seen.has(`${id}/${kind}`)) unhealthy.inc({ category: kind })
      seen = new Set(found.map(({ id, kind }) => `${id}/${kind}`))
      await mapLimit(
        found,
        AT_ONCE,
        ({ id, kind }, inner) => responder.respond({ kind, instanceIds: [id] }, inner),
        signal,
      )
      return retryAfter(EVERY)
    },
  }
}

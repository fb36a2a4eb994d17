import type { DoctorCheck } from '@kerf/provider-contract'
import { controllerSetting, foundAny, inOrder } from '@kerf/provider-kit/doctor'
import { accountRecords, ofCloud, text } from './account-documents.ts'

/** The events that Kerf receives through the queue. */
const WANTED = [
  'EC2 Spot Instance Interruption Warning',
  'EC2 Instance Rebalance Recommendation',
  'EC2 Instance State-change Notification',
  'AWS Health Event',
]
/**
 * If more messages than this are waiting, no controller reads the queue. Fewer messages may be waiting because a controller is restarting.
 */
const WAITING = 1_000

export const cld005: DoctorCheck = {
  id: 'CLD-005',
  group: 'cloud',
  severity: 'warning',
  title: 'Interruption queue without rules or without a reader',
  why: 'The two-minute warning of a spot interruption is lost if no rule sends it to the queue, or if messages accumulate because the controller reads another queue.',
  reads: ['Deployment', ofCloud('Attributes'), ofCloud('Rules')],
  examine({ controllers, cloud }) {
    const names = controllers
      .flatMap((each) => controllerSetting(each, 'INTERRUPTION_QUEUE') ?? [])
      .filter((name) => name !== '')
    if (names.length === 0) return inOrder('no controller is configured with a queue')
    const queues = accountRecords(cloud, 'Attributes')
    const active = accountRecords(cloud, 'Rules')
      .filter((rule) => text(rule['State']) === 'ENABLED')
      .map((rule) => text(rule['EventPattern']))
    const lacking = WANTED.filter((event) => !active.some((pattern) => pattern.includes(event)))
    const gone = names.filter((name) => !queues.some((queue) => text(queue['QueueArn']).endsWith(`:${name}`)))
    const full = queues.filter((queue) => Number(queue['ApproximateNumberOfMessages'] ?? 0) > WAITING)
    return foundAny(
      lacking.length + gone.length + full.length === 0 ? [] : names.map((name) => `Queue ${name}`),
      {
        seen: [
          ...(gone.length > 0 ? [`the attributes of ${gone.join(', ')} are not in the export`] : []),
          ...(lacking.length > 0 ? [`no enabled rule for: ${lacking.join(', ')}`] : []),
          ...(full.length > 0 ? ['over a thousand messages wait'] : []),
        ].join('; '),
        remedy:
          'create the queue and rules that kerf aws queue prints; set settings.interruptionQueue to the name of the queue',
      },
      'the queue has its rules, and the controller reads it',
    )
  },
}

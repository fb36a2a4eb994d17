/**
 * Returns an event in the format that EventBridge sends to the interruption queue (Amazon EC2 User Guide, "Spot Instance interruption
 * notices", "EC2 instance rebalance recommendations", and "State change events for your instances").
 */
const event = (type: string, time: number, detail: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    version: '0',
    id: '12345678-1234-1234-1234-123456789012',
    source: 'aws.ec2',
    'detail-type': type,
    account: '123456789012',
    region: 'us-east-1',
    time: new Date(time).toISOString(),
    resources: [`arn:aws:ec2:us-east-1:123456789012:instance/${detail['instance-id']}`],
    detail,
  })

export const spotWarning = (id: string, time: number): string =>
  event('EC2 Spot Instance Interruption Warning', time, { 'instance-id': id, 'instance-action': 'terminate' })

export const rebalanceAdvice = (id: string, time: number): string =>
  event('EC2 Instance Rebalance Recommendation', time, { 'instance-id': id })

export const stateChange = (id: string, state: 'shutting-down' | 'terminated', time: number): string =>
  event('EC2 Instance State-change Notification', time, { 'instance-id': id, state })

/** Returns the id of the instance in a spot interruption warning. Returns undefined for other messages. */
export const warnedInstance = (body: string): string | undefined => {
  if (!body.includes('EC2 Spot Instance Interruption Warning')) return undefined
  const { detail } = JSON.parse(body) as { readonly detail: Readonly<Record<string, string>> }
  return detail['instance-id']
}

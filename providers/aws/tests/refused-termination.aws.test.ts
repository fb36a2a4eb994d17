import { DeleteError, findError } from '@kerf/provider-contract'
import { PrometheusMetrics, SystemClock } from '@kerf/runtime'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeBatches, terminateBatches } from '../src/batching/instance-batches.ts'
import { terminationFailure } from '../src/failures/termination-failure.ts'
import { AwsAccount } from './aws-story.ts'
import { callForm } from './emulator-call.ts'

const never = new AbortController().signal

let account: AwsAccount
beforeEach(async () => {
  account = await AwsAccount.open()
})
afterEach(() => account.close())

/** Launches instances in the subnet and its zone. Returns their ids. */
const run = async (subnet: string, count: number): Promise<readonly string[]> => {
  const answer = await callForm(account.endpoint, 'ec2', {
    Action: 'RunInstances',
    ImageId: 'ami-0000000000000a64a',
    InstanceType: 'm5.large',
    SubnetId: subnet,
    MinCount: String(count),
    MaxCount: String(count),
  })
  return [...answer.matchAll(/<instanceId>(i-[0-9a-f]+)<\/instanceId>/g)].flatMap(([, id]) => id ?? [])
}

test('through the SDK, of instances in two zones only the protected one keeps running, whatever other errors the call has', async () => {
  const subnets = (await account.api().ec2.describeSubnets([], never)).flatMap(({ SubnetId }) => SubnetId ?? [])
  const [here = '', there = ''] = subnets
  const ids = [...(await run(here, 4)), ...(await run(there, 3))]
  expect(ids).toHaveLength(7)
  const [, guarded = ''] = ids
  account.proxy.protectedInstances.add(guarded)
  const { ec2 } = account.api(account.proxy.endpoint)
  const deps = { clock: new SystemClock(), metrics: new PrometheusMetrics() }
  const batcher = terminateBatches(ec2, deps)
  const unknown = 'i-0123456789abcdef0'
  const outcomes = await Promise.allSettled([...ids, unknown].map((id) => batcher.add(id, never)))
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused'))).toEqual([
    true,
    'refused',
    true,
    true,
    true,
    true,
    true,
    false,
  ])
  const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
  const error = findError(terminationFailure(guarded, refused?.reason, []), DeleteError)
  expect(error?.reason).toBe('TerminationProtected')

  const describe = describeBatches(ec2, deps)
  const found = await Promise.all([...ids, unknown].map((id) => describe.add(id, never)))
  expect(found.map((instance) => instance?.State?.Name)).toEqual([
    ...ids.map((id) => (id === guarded ? 'running' : 'terminated')),
    undefined,
  ])
})

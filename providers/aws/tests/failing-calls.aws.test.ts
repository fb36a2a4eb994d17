import { karpenterKinds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { AwsAccount, applyAll, openSandbox, QUEUE, startAwsStory } from './aws-story.ts'
import { gone, scale } from './nginx-on-ec2.ts'

const never = new AbortController().signal

let account: AwsAccount
beforeEach(async () => {
  account = await AwsAccount.open()
})
afterEach(() => account.close())

test('a spot interruption, a shortage and failing calls leave nothing behind', async () => {
  const { proxy } = account
  const cluster = await openSandbox(2)
  const story = await startAwsStory(cluster.client, account, { seed: 2 })
  try {
    await applyAll(cluster.client, 4)
    await story.until('four pods running', async () => (await running(cluster.client)).length === 4)
    const [claim] = (await cluster.client.list(karpenterKinds.NodeClaim)).items
    const instanceId = claim?.status?.providerID?.split('/').at(-1) ?? ''
    // The offering of the interrupted node has no capacity, and a third of all calls fail, some of them after the work is done.
    const type = claim?.metadata.labels?.['node.kubernetes.io/instance-type'] ?? ''
    proxy.shortages.push({ instanceType: type, capacityType: 'spot' })
    const random = new SeededRandom(7)
    proxy.fault = () => {
      if (random.next() > 0.3) return undefined
      const status = random.next() < 0.5 ? 503 : 500
      return {
        status,
        code: status === 503 ? 'RequestLimitExceeded' : 'InternalError',
        afterwards: random.next() < 0.3,
      }
    }
    await account.sendMessage(
      JSON.stringify({
        version: '0',
        source: 'aws.ec2',
        'detail-type': 'EC2 Spot Instance Interruption Warning',
        time: new Date().toISOString(),
        detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
      }),
    )
    await story.until(
      'the interrupted claim gone',
      async () => {
        const { items } = await cluster.client.list(karpenterKinds.NodeClaim)
        return items.every(({ metadata }) => metadata.name !== claim?.metadata.name)
      },
      120,
    )
    await story.until('four pods running again', async () => (await running(cluster.client)).length === 4, 120)
    expect((await story.harness.instances()).map(({ InstanceId }) => InstanceId)).not.toContain(instanceId)
    await scale(story, 0)
    await story.until('every claim gone', () => gone(story, karpenterKinds.NodeClaim), 120)
    proxy.fault = () => undefined
    // If the response of a launch was lost, garbage collection terminates its instances when they are half a minute old.
    await story.until('every instance ended', async () => (await story.harness.instances()).length === 0, 120)
    const launchedFor = [...(await everLaunched(account))]
    expect(new Set(launchedFor).size).toBe(launchedFor.length)
    const { sqs } = account.api()
    expect(await sqs.receive(await sqs.queueUrl(QUEUE, never), never)).toEqual([])
  } finally {
    proxy.fault = () => undefined
    proxy.shortages.length = 0
    await story.close()
    await cluster.close()
  }
})

/**
 * Returns the NodeClaim digest of each instance that was launched alone, including terminated instances. Leaves out instances that were
 * launched together.
 */
const everLaunched = async (from: AwsAccount): Promise<readonly string[]> =>
  (await from.api().ec2.describeInstances({ filters: [] }, never)).flatMap(({ Tags = [] }) => {
    const claims = Tags.find(({ Key }) => Key === 'kerf.sh/nodeclaims')?.Value ?? ''
    return claims.includes(' ') ? [] : [claims]
  })
